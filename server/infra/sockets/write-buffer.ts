import { Socket } from 'node:net';
import { ByteText } from '../../common/byte-text.js';

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
    // Whoever is slow already waits with a copy of the right size. So does all that is not simply the system's, TLS above all: it
    // may still have what it says it has written.
    if (keeps || socket.constructor !== Socket || socket.writableLength > 0)
      return socket.write(Buffer.from(bytes));
    const hasRoom = socket.write(bytes);
    // Not all of it is gone: the socket has the buffer now. A large one is given up as well.
    if (socket.writableLength > 0 || this.bytes.length > ROOM_BYTES)
      this.bytes = Buffer.allocUnsafeSlow(ROOM_BYTES);
    return hasRoom;
  }
}
