const FIRST_DELAY_MS = 100;
const QUICK_RESTARTS = 5;
const MAX_DELAY_MS = 30_000;

/**
 * How long to wait before a dead worker is replaced: at once for the first five deaths within a minute, then twice as long each
 * time.
 * @param recentDeaths  deaths within the last minute, this one included
 */
export function restartDelayMs(recentDeaths: number): number {
  if (recentDeaths <= QUICK_RESTARTS) return FIRST_DELAY_MS;
  return Math.min(MAX_DELAY_MS, 1_000 * 2 ** (recentDeaths - QUICK_RESTARTS));
}
