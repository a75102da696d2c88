import { useSyncExternalStore } from 'react';
import type { StoredValue } from './stored';

/** The present value of a stored place; re-renders when it changes here or in another window. */
export function useStored<T>(stored: StoredValue<T>): T {
  return useSyncExternalStore(stored.subscribe, stored.read);
}
