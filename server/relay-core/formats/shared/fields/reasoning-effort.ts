import type { ReasoningRequest } from '../../../model/chat.js';

/** Largest budget of each effort below the highest, in tokens; for formats that know efforts only. */
const BUDGETS: readonly (readonly [number, string])[] = [
  [0, 'none'],
  [1_024, 'minimal'],
  [4_096, 'low'],
  [16_384, 'medium'],
];

/** The effort a request for reasoning comes to; undefined = the vendor's own. */
export function effortOf(reasoning: ReasoningRequest | undefined): string | undefined {
  if (reasoning?.effort !== undefined) return reasoning.effort;
  const budget = reasoning?.budgetTokens;
  if (budget === undefined) return undefined;
  for (const [most, effort] of BUDGETS) if (budget <= most) return effort;
  return 'high';
}
