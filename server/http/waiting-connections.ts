import { setImmediate as afterPoll } from 'node:timers/promises';

/** So many callers that somebody always waits: the listener is closed all the same. */
const MAX_WAIT_MS = 1_000;

/**
 * Resolves right after a turn of the event loop in which nobody asked to be let in: connections that the system took and the
 * program did not are reset when their listener is closed, and Node takes in one a turn.
 * @param onTaken  has the listener told of every connection that is taken in from now on
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
