import { Socket } from 'node:net';
import { ByteText } from '../../common/byte-text.js';
import { reportBug } from '../../common/contain-faults.js';
import type { OnReadOpts } from 'node:net';

/** Maximum size of one read, as in Node's own way. */
const READ_BYTES = 64 * 1024;

/** Gets the bytes read, a buffer of its own; false = the socket pauses until it is resumed. */
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
  // Without a taker: the bytes go the way of all sockets.
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

/** A piece up to this size leaves together with what stands before it, in one buffer: cheaper than two. */
export const JOINED_BYTES = 16 * 1024;
/** Such a piece, and a head before it. */
const ROOM_BYTES = JOINED_BYTES + 4 * 1024;

/**
 * Bytes put together for one write, in a buffer that is used again: the system nearly always takes them at once, and what is made
 * for every request and every reply is what a busy process is cleaned up for.
 */
export class OutBytes extends ByteText {
  constructor() {
    super(ROOM_BYTES);
  }

  /**
   * Writes what was put together, and begins anew.
   * @param keeps  the socket will keep what it is given for a while
   * @returns false when the peer is slow
   */
  sendTo(socket: Socket, keeps = false): boolean {
    const bytes = this.bytes.subarray(0, this.length);
    this.length = 0;
    // A slow peer waits with a copy of the right size. So does any other kind of socket, TLS above all: it may still hold bytes it
    // reports as written.
    if (keeps || socket.constructor !== Socket || socket.writableLength > 0)
      return socket.write(Buffer.from(bytes));
    const hasRoom = socket.write(bytes);
    // Not all of it is gone: the socket has the buffer now. A large one is given up as well.
    if (socket.writableLength > 0 || this.bytes.length > ROOM_BYTES)
      this.bytes = Buffer.allocUnsafeSlow(ROOM_BYTES);
    return hasRoom;
  }
}
