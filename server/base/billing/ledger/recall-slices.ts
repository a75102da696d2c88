import { type SharedStore, StoreUnavailableError } from '../../../infra/shared-store/shared-store.js';
import type { Clock } from '../../../common/clock.js';

/** Topic of the word that slices of an account are wanted back; its payload is the account's id. */
export const SLICES_TOPIC = 'slices';

const WAIT_MS = 1_000;
const CHECK_INTERVAL_MS = 10;

/** Asks every worker for the slices it has of an account, without waiting for them. Fails: StoreUnavailableError. */
export async function requestSlices(store: SharedStore, userId: number): Promise<void> {
  if ((await store.pools.slices(userId)) > 0) await store.signals.publish(SLICES_TOPIC, String(userId));
}

/**
 * Asks every worker for the slices it has of an account, and waits until they are back in the pools.
 * @returns false when some are still out after a second: their worker is dead, or slow
 * Fails: never; a store that is away has no slices to wait for.
 */
export async function recallSlices(store: SharedStore, clock: Clock, userId: number): Promise<boolean> {
  try {
    if ((await store.pools.slices(userId)) === 0) return true;
    await store.signals.publish(SLICES_TOPIC, String(userId));
    const dueMs = clock.monotonicMs() + WAIT_MS;
    while (clock.monotonicMs() < dueMs) {
      await new Promise<void>((resolve) => clock.after(CHECK_INTERVAL_MS, resolve));
      if ((await store.pools.slices(userId)) === 0) return true;
    }
    return false;
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    return true;
  }
}
