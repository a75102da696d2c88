import { setImmediate as afterPoll } from 'node:timers/promises';

/** Longest wait: under constant load the listener is closed all the same. */
const MAX_WAIT_MS = 1_000;

/**
 * Resolves right after a turn of the event loop without a new connection: connections in the system's queue are reset when their
 * listener is closed, and Node accepts one a turn.
 * @param onTaken  subscribes the listener to every connection that is accepted from now on
 */
export async function whenNothingWaits(onTaken: (listener: () => void) => void): Promise<void> {
  const untilMs = performance.now() + MAX_WAIT_MS;
  let wasTaken = false;
  onTaken(() => (wasTaken = true));
  do {
    wasTaken = false;
    await afterPoll();
  } while (wasTaken && performance.now() < untilMs);
}
