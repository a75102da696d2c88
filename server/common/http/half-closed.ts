import type { Socket } from 'node:net';
import { contained } from '../contain.js';

/** The system asks the peer's whether the connection is still there: a closed one is answered with a reset, about a minute after (Linux). */
const KEEP_ALIVE = { enable: true, initialDelay: 15_000, interval: 15_000, count: 4 };
const LOOK_EVERY_MS = 1_000;

/**
 * For a connection whose peer sends no more while it is still to be answered. Whether the peer has closed only its sending half or has
 * left cannot be seen from that (RFC 9293, 3.6): who has left answers the next bytes with a reset. Nobody reads the socket any more, so that
 * a reset is not told by itself either: an empty write asks for it, and puts nothing on the wire. The socket is destroyed then.
 */
export function watchHalfClosed(socket: Socket): void {
  socket.setKeepAlive(KEEP_ALIVE);
  const timer = setInterval(() => {
    if (socket.writable && socket.writableLength === 0) socket.write('');
  }, LOOK_EVERY_MS).unref();
  socket.once(
    'close',
    contained(() => clearInterval(timer)),
  );
}
