import { isTokenCount, type Usage } from '../../../model/usage.js';
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
  if (!isTokenCount(input ?? 0) || !isTokenCount(output ?? 0)) return 'invalid';
  return { input: { total: (input ?? 0) as number }, output: { total: (output ?? 0) as number } };
}

/** Vendors' per-chunk reports: a later one replaces an earlier one, unless it only says zero. */
export function laterUsage(earlier: Usage | undefined, later: Usage): Usage {
  if (earlier === undefined) return later;
  const saysNothing = (later.input.total ?? 0) === 0 && (later.output.total ?? 0) === 0;
  return saysNothing ? earlier : later;
}

/** A part of a figure, when there is something of it. */
export const part = <Name extends string>(name: Name, value: number | null | undefined) =>
  value ? ({ [name]: value } as { readonly [K in Name]: number }) : {};
