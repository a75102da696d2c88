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

/** Efforts from the lowest on; `none` is no effort. */
const LADDER = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'ultra'];

/** The nearest effort between two; words that are not on the ladder stay. */
export function effortWithin(
  effort: string,
  { lowest, highest }: { readonly lowest: string; readonly highest: string },
): string {
  const place = LADDER.indexOf(effort);
  if (place < 0) return effort;
  if (place < LADDER.indexOf(lowest)) return lowest;
  return place > LADDER.indexOf(highest) ? highest : effort;
}
