import type { LimitFigure, LimitFigures } from '../../../relay-core/model/limit-refusal.js';
import { type CallLimits, replenishedAt } from '../../limits/call-limits.js';
import { MAX_LIMIT_AMOUNT } from '../../limits/limit-definition.js';

const TOKEN_MEASURES: ReadonlySet<string> = new Set(['tokens', 'input_tokens', 'output_tokens']);

export const isOfTokens = (measure: string): boolean => TOKEN_MEASURES.has(measure);

/**
 * The narrowest request and token limits of a caller; limits over several accounts are left out.
 * @param sums  of the windows with the call, in the order of the limits
 */
export function figuresOf(
  { limits }: CallLimits,
  sums: readonly number[] | undefined,
  nowMs: number,
): LimitFigures | undefined {
  if (sums === undefined) return undefined;
  let requests: LimitFigure | undefined;
  let tokens: LimitFigure | undefined;
  limits.forEach((callLimit, index) => {
    const {
      limit: { measure },
      part: { amount, isShared },
    } = callLimit;
    if (isShared || amount === MAX_LIMIT_AMOUNT) return;
    const remaining = Math.max(0, amount - (sums[index] ?? 0));
    const figure = { limit: amount, remaining, resetsAtMs: replenishedAt(callLimit) ?? nowMs };
    if (measure === 'requests' && remaining < (requests?.remaining ?? Infinity)) requests = figure;
    if (isOfTokens(measure) && remaining < (tokens?.remaining ?? Infinity)) tokens = figure;
  });
  if (requests === undefined && tokens === undefined) return undefined;
  return { ...(requests === undefined ? {} : { requests }), ...(tokens === undefined ? {} : { tokens }) };
}
