import type { Attempt } from './call.js';
import { sumUsage } from './usage.js';

/** Tokens as they stand on a log line. */
export interface BilledTokens {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** Tokens that vendors reported of the failed attempts of a call: billed to the operator, charged to no account. Undefined = none. */
export function billedTokens(attempts: readonly Pick<Attempt, 'billedUsage'>[]): BilledTokens | undefined {
  const billed = attempts.flatMap(({ billedUsage }) => billedUsage ?? []);
  if (billed.length === 0) return undefined;
  const { input, output } = billed.reduce(sumUsage);
  return { prompt_tokens: input.total ?? 0, completion_tokens: output.total ?? 0 };
}
