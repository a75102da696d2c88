import { isTokenCount, type Usage } from '../../model/usage.js';
import { documentOf, isDocument, type Document } from '../shared/fields/json-fields.js';

/**
 * Usage of images: gpt-image counts tokens, most others count nothing.
 * @returns undefined when no tokens were reported, 'invalid' when a figure cannot be true
 */
export function readImageUsage(value: unknown): Usage | 'invalid' | undefined {
  if (value === null || value === undefined) return undefined;
  if (!isDocument(value)) return 'invalid';
  const input = value['input_tokens'];
  const output = value['output_tokens'];
  // Vendors that count images give a total alone; zeros beside images are no report either.
  if (input === undefined || input === null) return undefined;
  const details = documentOf(value['input_tokens_details']);
  const outputDetails = documentOf(value['output_tokens_details']);
  const figures = [input, output ?? 0];
  for (const from of [details, outputDetails])
    for (const name of ['text_tokens', 'image_tokens', 'cached_tokens']) figures.push(from[name] ?? 0);
  if (!figures.every(isTokenCount)) return 'invalid';
  if (input === 0 && (output ?? 0) === 0) return undefined;
  return {
    input: {
      total: input as number,
      ...part(details, 'cached_tokens', 'cacheRead'),
      ...part(details, 'image_tokens', 'image'),
    },
    output: {
      total: (output ?? 0) as number,
      ...part(outputDetails, 'image_tokens', 'image'),
    },
  };
}

function part<Name extends string>(
  from: Document,
  name: string,
  as: Name,
): { readonly [N in Name]?: number } {
  const value = from[name];
  return (typeof value === 'number' ? { [as]: value } : {}) as { readonly [N in Name]?: number };
}

/** The report in the vendor's form. */
export function writeImageUsage(usage: Usage): Readonly<Record<string, unknown>> {
  const { input, output } = usage;
  const inputTokens = input.total ?? 0;
  const outputTokens = output.total ?? 0;
  return {
    total_tokens: inputTokens + outputTokens,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    input_tokens_details: {
      text_tokens: inputTokens - (input.image ?? 0),
      image_tokens: input.image ?? 0,
      ...(input.cacheRead === undefined ? {} : { cached_tokens: input.cacheRead }),
    },
  };
}
