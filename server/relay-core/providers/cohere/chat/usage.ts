import { isTokenCountOrNone, type Usage } from '../../../model/usage.js';
import { documentOf, isDocument } from '../../../formats/shared/fields/json-fields.js';

/**
 * Usage of a Cohere reply has two pairs of figures: `billed_units` is what the vendor charges,
 * `tokens` what the model read and wrote, its own frame included.
 * @param pair  `billed` for a charge, `shown` for the caller; where one is missing the other stands in
 * @returns undefined when nothing was reported, 'invalid' when a figure cannot be true
 */
export function readUsage(value: unknown, pair: 'billed' | 'shown'): Usage | 'invalid' | undefined {
  if (value === null || value === undefined) return undefined;
  if (!isDocument(value)) return 'invalid';
  const billed = documentOf(value['billed_units']);
  const tokens = documentOf(value['tokens']);
  const [first, second] = pair === 'billed' ? [billed, tokens] : [tokens, billed];
  const input = first['input_tokens'] ?? second['input_tokens'];
  const output = first['output_tokens'] ?? second['output_tokens'];
  if (input === undefined && output === undefined) return undefined;
  if (!isTokenCountOrNone(input) || !isTokenCountOrNone(output)) return 'invalid';
  const cached = value['cached_tokens'];
  // Cached tokens are part of what was read; what is billed has left them out already.
  const cacheRead =
    pair === 'shown' &&
    isTokenCountOrNone(cached) &&
    isTokenCountOrNone(input) &&
    (cached ?? 0) > 0 &&
    (cached ?? 0) <= (input ?? 0)
      ? (cached ?? undefined)
      : undefined;
  return {
    input: { total: input ?? undefined, ...(cacheRead === undefined ? {} : { cacheRead }) },
    output: { total: output ?? undefined },
  };
}
