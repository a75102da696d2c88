/** The running period of a limit. */
interface RunningUse {
  readonly used: number;
  readonly amount: number;
  /** Milliseconds; null = calls at once. */
  readonly startsAtMs: number | null;
  /** Milliseconds; null = never. */
  readonly resetsAtMs: number | null;
}

/** Share of a period that must have passed before its rate means anything. */
const MIN_SHARE = 0.02;

/**
 * When a limit is reached at the rate of its running period so far, milliseconds. Null when the amount is reached already, when the period
 * ends before, when nothing was used, when the period has just begun, or when it has no end.
 */
export function reachedAtMs(
  { used, amount, startsAtMs, resetsAtMs }: RunningUse,
  nowMs: number,
): number | null {
  if (startsAtMs === null || resetsAtMs === null || used <= 0 || used >= amount) return null;
  const elapsedMs = nowMs - startsAtMs;
  if (elapsedMs <= (resetsAtMs - startsAtMs) * MIN_SHARE) return null;
  const atMs = startsAtMs + (amount / used) * elapsedMs;
  return atMs < resetsAtMs ? Math.round(atMs) : null;
}
