import type { Clock } from '../../common/clock.js';

/** Lifetime of a cached reading. */
const MAX_AGE_MS = 15_000;

/** One query at a time, and none while the last answer is fresh. A failure reaches all who wait for it, and is not kept. */
export function cachedReading<T>(
  clock: Pick<Clock, 'monotonicMs'>,
  ask: () => Promise<T>,
  keptMs = MAX_AGE_MS,
): () => Promise<T> {
  let last: { readonly atMs: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const atMs = clock.monotonicMs();
    if (last !== undefined && atMs - last.atMs < keptMs) return last.answer;
    const asked = { atMs, answer: ask() };
    last = asked;
    asked.answer.catch(() => {
      if (last === asked) last = undefined;
    });
    return asked.answer;
  };
}
