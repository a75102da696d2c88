import { useSyncExternalStore } from 'react';

export type ToastTone = 'success' | 'error' | 'warning' | 'info';

/** A button of a toast. */
export interface ToastAction {
  readonly label: string;
  run(): void;
}

export interface Toast {
  readonly id: number;
  readonly tone: ToastTone;
  readonly text: string;
  readonly action?: ToastAction | undefined;
}

/** Toasts that are shown at once; the time of the first one is over before a tenth comes. */
const MAX_TOASTS = 9;

export const isFault = (tone: ToastTone): boolean => tone === 'error' || tone === 'warning';

let waiting: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]) {
  waiting = next;
  listeners.forEach((listener) => listener());
}

/**
 * Shows the result of an action: good news replaces older good news; a fault and a toast with a button stay until their own time is over.
 */
export function toast(tone: ToastTone, text: string, action?: ToastAction): void {
  if (text === '') return;
  lastId += 1;
  // The same text starts its time anew.
  const kept = waiting.filter(
    (known) => known.action !== undefined || (isFault(known.tone) && known.text !== text),
  );
  change([...kept, { id: lastId, tone, text, action }].slice(-MAX_TOASTS));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes a toast away. */
export function closeToast(id: number): void {
  change(waiting.filter((known) => known.id !== id));
}

/** Toasts that are shown, the newest last. */
export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => waiting);
}
