import { useSyncExternalStore } from 'react';

export type ToastTone = 'success' | 'error' | 'warning' | 'info';

interface Toast {
  readonly id: number;
  readonly tone: ToastTone;
  readonly text: string;
}

export const isFault = (tone: ToastTone): boolean => tone === 'error' || tone === 'warning';

let waiting: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]) {
  waiting = next;
  listeners.forEach((listener) => listener());
}

/** Says the result of an action at once: good news replaces older good news, faults stay beside it until they were read. */
export function toast(tone: ToastTone, text: string): void {
  if (text === '') return;
  lastId += 1;
  // The same words again are said anew: what was left of the first time may be over in a moment.
  const unread = waiting.filter((known) => isFault(known.tone) && known.text !== text);
  change([...unread, { id: lastId, tone, text }].slice(-3));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes a toast away. */
export function closeToast(id: number): void {
  change(waiting.filter((known) => known.id !== id));
}

/** What is said now, the newest last. */
export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => waiting);
}
