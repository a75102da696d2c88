import type { ClientConnection } from '../context/client-connection.js';
import { MAX_UNPROVEN_BYTES } from '../context/limits.js';

/**
 * What a stream gives its client. Pieces wait until the upstream proved that it answers; with the first that goes out
 * nothing is retried any more.
 */
export class StreamOutput {
  private waiting: (Buffer | string)[] = [];
  private waitingBytes = 0;

  constructor(private readonly client: ClientConnection) {}

  /** @returns false when the client takes no more for now */
  give(pieces: readonly (Buffer | string)[], isProven: boolean, nowMs: number): boolean {
    const { client } = this;
    if (pieces.length === 0) return client.stalledSinceMs === undefined;
    if (!client.hasAnswer && !isProven) {
      for (const piece of pieces) {
        this.waiting.push(piece);
        this.waitingBytes += piece.length;
      }
      return this.waitingBytes < MAX_UNPROVEN_BYTES ? true : this.flush(nowMs);
    }
    let takesMore = this.flush(nowMs);
    for (const piece of pieces) takesMore = client.write(piece, nowMs) && takesMore;
    return takesMore;
  }

  /** Everything that waits goes out, the status line before it. */
  flush(nowMs: number): boolean {
    const { client } = this;
    if (!client.isCommitted) client.startStream();
    let takesMore = true;
    for (const piece of this.waiting) takesMore = client.write(piece, nowMs) && takesMore;
    if (this.waiting.length > 0) this.waiting = [];
    return takesMore;
  }
}
