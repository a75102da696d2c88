import { MAX_PLAUSIBLE_TOKENS, type Usage } from '../../model/usage.js';
import { isDocument, firstDefined } from '../shared/fields/json-fields.js';

/**
 * Usage of an embedding reply: prompt tokens only; some vendors give the total alone.
 * @returns undefined when nothing was reported, 'invalid' when a figure cannot be true
 */
export function readEmbeddingUsage(value: unknown): Usage | 'invalid' | undefined {
  if (value === null || value === undefined) return undefined;
  if (!isDocument(value)) return 'invalid';
  const tokens = firstDefined(
    firstDefined(value['prompt_tokens'], value['input_tokens']),
    value['total_tokens'],
  );
  if (tokens === null || tokens === undefined) return undefined;
  if (
    typeof tokens !== 'number' ||
    !Number.isSafeInteger(tokens) ||
    tokens < 0 ||
    tokens > MAX_PLAUSIBLE_TOKENS
  ) {
    return 'invalid';
  }
  return { input: { total: tokens }, output: { total: 0 } };
}
