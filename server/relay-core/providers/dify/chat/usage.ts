import { MAX_PLAUSIBLE_TOKENS, type Usage } from '../../../model/usage.js';
import { isDocument } from '../../../formats/shared/fields/json-fields.js';

/** @returns undefined when nothing was reported, 'invalid' when a figure cannot be true */
export function readUsage(value: unknown): Usage | 'invalid' | undefined {
  if (!isDocument(value)) return value === null || value === undefined ? undefined : 'invalid';
  const input = value['prompt_tokens'];
  const output = value['completion_tokens'];
  if (input === undefined && output === undefined) return undefined;
  if (!isCount(input) || !isCount(output)) return 'invalid';
  return { input: { total: input }, output: { total: output } };
}

const isCount = (value: unknown): value is number | undefined =>
  value === undefined ||
  (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_PLAUSIBLE_TOKENS);
