import type { Clock } from '../../relay-core/ports/clock.js';

/** What metrics and pages ask of the database is remembered for this long, however many ask. */
const REMEMBER_MS = 15_000;

/** One question at a time, and none while the last answer is fresh. A failure is told to all who wait for it, and not kept. */
export function remembered<T>(
  clock: Pick<Clock, 'monotonicMs'>,
  ask: () => Promise<T>,
  keptMs = REMEMBER_MS,
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
