import { MAX_PLAUSIBLE_TOKENS, type Usage } from '../../model/usage.js';
import { isDocument } from '../json-fields.js';

/** @returns undefined when nothing was reported (plans without tokens report zeros), 'invalid' when a figure cannot be true */
export function readUsage(value: unknown): Usage | 'invalid' | undefined {
  if (!isDocument(value)) return value === null || value === undefined ? undefined : 'invalid';
  const input = value['input_count'] ?? 0;
  const output = value['output_count'] ?? 0;
  if (!isCount(input) || !isCount(output)) return 'invalid';
  if (input === 0 && output === 0) return undefined;
  return { input: { total: input }, output: { total: output } };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_PLAUSIBLE_TOKENS;
