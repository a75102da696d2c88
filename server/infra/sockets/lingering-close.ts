import { contained } from '../../common/contain-faults.js';
import type { Socket } from 'node:net';

/** Limit of the bytes read and dropped from a refused client. */
const DROPPED_BYTES = 64 * 1024 * 1024;
const DROPPING_MS = 10_000;
const CHECK_INTERVAL_MS = 1_000;

/**
 * Ends a connection whose client is still sending a body that will not be read. Closed at once it would be reset, and the client
 * would not see why it was refused. So our side is closed, and what comes is dropped until the client has sent all, has left, or
 * takes too long.
 * @param socket  with a reader attached
 * @returns to be called when the client is through with it
 */
export function lingeringClose(socket: Socket): () => void {
  const startBytes = socket.bytesRead;
  const untilMs = performance.now() + DROPPING_MS;
  const timer = setInterval(() => {
    if (socket.bytesRead - startBytes > DROPPED_BYTES || performance.now() > untilMs) socket.destroy();
  }, CHECK_INTERVAL_MS).unref();
  socket.once(
    'close',
    contained(() => clearInterval(timer)),
  );
  socket.end();
  return () => socket.destroySoon();
}
