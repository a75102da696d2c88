import { reportBug } from '../../common/contain-faults.js';
import type { OnReadOpts, Socket } from 'node:net';

/** What one read may bring, as in Node's own way. */
const READ_BYTES = 64 * 1024;

/** Gets what was read, a buffer of its own; false = the socket pauses until it is told to go on. */
export type ReadHandler = (bytes: Buffer) => boolean;

const TAKER = Symbol('takes what is read');

interface DirectSocket extends Socket {
  [TAKER]?: ReadHandler | undefined;
}

/** The sockets we open are read into this: what came is copied out of it before anything else happens. */
const SHARED = Buffer.allocUnsafeSlow(READ_BYTES);

function onRead(this: DirectSocket, length: number, buffer: Uint8Array): boolean {
  const bytes = Buffer.allocUnsafe(length);
  bytes.set(buffer.length === length ? buffer : buffer.subarray(0, length));
  // Nobody takes it: it goes the way of all sockets.
  if (this[TAKER] === undefined) return this.push(bytes);
  return deliver(this, bytes);
}

/**
 * For sockets we open. Node's own way takes 64 KB for each read, gives back what was too much, and hands the rest on through a
 * stream: two thirds of what reading a short piece costs, and holes in the C library's heap.
 */
export const DIRECT_READS: OnReadOpts = { buffer: SHARED, callback: onRead };

/** Everything the socket reads from now on goes to `handler`; a socket that others opened hands its events on. */
export function interceptReads(socket: Socket, handler: ReadHandler): void {
  (socket as DirectSocket)[TAKER] = handler;
  socket.on('data', onData);
}

/** From now on the socket has 'data' events like any other. */
export function restoreReads(socket: Socket): void {
  (socket as DirectSocket)[TAKER] = undefined;
  socket.removeListener('data', onData);
}

function onData(this: DirectSocket, bytes: Buffer): void {
  deliver(this, bytes);
}

/** A fault in the handler ends the connection. @returns false when reading is to pause */
function deliver(socket: DirectSocket, bytes: Buffer): boolean {
  try {
    if (socket[TAKER]?.(bytes) !== false) return true;
  } catch (fault) {
    reportBug(fault);
    socket.destroy();
    return false;
  }
  socket.pause();
  return false;
}
