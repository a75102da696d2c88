import { isTooMany } from '../../api/api-error';

/** Default where the server names no time. */
const DEFAULT_SECONDS = 30;

let untilMs = 0;
const listeners = new Set<() => void>();

/** The server asked for a pause with what every page reads. */
export function notifyRetryAfter(error: unknown): void {
  if (!isTooMany(error)) return;
  const nextMs = Date.now() + (error.retryAfterSeconds ?? DEFAULT_SECONDS) * 1000;
  // The reads of one page are refused together: that is one pause.
  if (nextMs > untilMs + 1000) setPause(nextMs);
}

export function endPause(): void {
  setPause(0);
}

function setPause(nextMs: number): void {
  untilMs = nextMs;
  for (const listener of listeners) listener();
}

/** For useSyncExternalStore: until when, milliseconds; 0 = there is none. */
export const pauseStore = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): number => untilMs,
};
