import { useSyncExternalStore } from 'react';

const TICK_MS = 15_000;
let nowSeconds = Math.floor(Date.now() / 1000);
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    nowSeconds = Math.floor(Date.now() / 1000);
    listeners.forEach((each) => each());
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

function read(): number {
  // Fresh on the first read after all readers left; steady within one tick otherwise.
  if (listeners.size === 0) nowSeconds = Math.floor(Date.now() / 1000);
  return nowSeconds;
}

/** Seconds now, renewed every quarter of a minute by one timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, read);
}
