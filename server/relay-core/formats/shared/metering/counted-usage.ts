import { MAX_PLAUSIBLE_TOKENS, type Usage } from '../../../model/usage.js';
import { isDocument } from '../fields/json-fields.js';

/**
 * Usage of vendors that report one figure for what went in and one for what came out.
 * @returns undefined when nothing was reported, 'invalid' when a figure cannot be true
 */
export function readCounts(
  value: unknown,
  inputName: string,
  outputName: string,
): Usage | 'invalid' | undefined {
  if (!isDocument(value)) return value === null || value === undefined ? undefined : 'invalid';
  const input = value[inputName];
  const output = value[outputName];
  if (input === undefined && output === undefined) return undefined;
  if (!isCount(input ?? 0) || !isCount(output ?? 0)) return 'invalid';
  return { input: { total: (input ?? 0) as number }, output: { total: (output ?? 0) as number } };
}

const isCount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_PLAUSIBLE_TOKENS;
