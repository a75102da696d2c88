import type { Clock } from '../../../relay-core/ports/clock.js';

/** What is asked of the database is remembered for this long, however many ask. */
const REMEMBER_MS = 15_000;

/** One question at a time, and none while the last answer is fresh. */
export function remembered<T>(clock: Pick<Clock, 'monotonicMs'>, ask: () => Promise<T>): () => Promise<T> {
  let last: { readonly atMs: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const atMs = clock.monotonicMs();
    if (last === undefined || atMs - last.atMs >= REMEMBER_MS) last = { atMs, answer: ask() };
    return last.answer;
  };
}
