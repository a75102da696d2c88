import { contained } from '../../common/contain.js';
import type { Socket } from 'node:net';

/** What a refused client may go on sending is read and dropped up to here. */
const DROPPED_BYTES = 64 * 1024 * 1024;
const DROPPING_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

/**
 * Ends a connection whose client is still sending what nobody will read. Closed at once, it would be reset with the answer on its way: the
 * client sees a broken connection and not why it was refused, and a balancer takes the instance for a dead one. So our side is closed, and
 * what comes is dropped until the client is through with it, has left, or takes too long.
 * @param socket  somebody reads what comes
 * @returns to be called when the client is through with it
 */
export function dropRest(socket: Socket): () => void {
  const startBytes = socket.bytesRead;
  const untilMs = performance.now() + DROPPING_MS;
  const timer = setInterval(() => {
    if (socket.bytesRead - startBytes > DROPPED_BYTES || performance.now() > untilMs) socket.destroy();
  }, LOOK_EVERY_MS).unref();
  socket.once(
    'close',
    contained(() => clearInterval(timer)),
  );
  socket.end();
  return () => socket.destroySoon();
}
