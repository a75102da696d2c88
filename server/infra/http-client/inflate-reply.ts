import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { Transform } from 'node:stream';
import { reportBug } from '../../common/contain.js';
import { ReplyTooLarge } from './upstream-fault.js';

/** Inflated bytes of one reply; identity was asked for, so anything compressed is already odd. */
const MAX_INFLATED_BYTES = 64 * 1024 * 1024;

export interface InflateEvents {
  onBytes(chunk: Buffer): boolean;
  onEnd(): void;
  onBroken(cause: unknown): void;
}

/** Decompresses a reply that arrived compressed although identity was asked for, up to a cap. */
export class InflateReply {
  private inflatedBytes = 0;
  private isOver = false;

  private constructor(
    private readonly stream: Transform,
    private readonly events: InflateEvents,
  ) {
    stream.on('data', (chunk: Buffer) => this.guarded(() => this.take(chunk)));
    stream.on('end', () => this.guarded(() => this.finish(() => events.onEnd())));
    stream.on('error', (cause) => this.guarded(() => this.finish(() => events.onBroken(cause))));
  }

  /** Null = the encoding needs no work; undefined = it is not one we can undo. */
  static for(encoding: string, events: InflateEvents): InflateReply | null | undefined {
    switch (encoding.trim().toLowerCase()) {
      case '':
      case 'identity':
        return null;
      case 'gzip':
      case 'x-gzip':
        return new InflateReply(createGunzip(), events);
      case 'deflate':
        return new InflateReply(createInflate(), events);
      case 'br':
        return new InflateReply(createBrotliDecompress(), events);
      case 'zstd':
        return new InflateReply(createZstdDecompress(), events);
      default:
        return undefined;
    }
  }

  /** False = stop reading until `onDrain` fires. */
  write(chunk: Buffer): boolean {
    return this.stream.write(chunk);
  }

  onDrain(listener: () => void): void {
    this.stream.on('drain', () => this.guarded(listener));
  }

  end(): void {
    this.stream.end();
  }

  resume(): void {
    this.stream.resume();
  }

  destroy(): void {
    this.isOver = true;
    this.stream.destroy();
  }

  private take(chunk: Buffer): void {
    if (this.isOver) return;
    this.inflatedBytes += chunk.length;
    if (this.inflatedBytes > MAX_INFLATED_BYTES) {
      this.finish(() => this.events.onBroken(new ReplyTooLarge('compressed reply grew past its limit')));
      this.stream.destroy();
      return;
    }
    if (!this.events.onBytes(chunk)) this.stream.pause();
  }

  /** A fault in whoever takes the bytes breaks this reply. */
  private guarded(work: () => void): void {
    try {
      work();
    } catch (fault) {
      this.stream.destroy();
      if (this.isOver) return reportBug(fault);
      this.isOver = true;
      this.events.onBroken(fault);
    }
  }

  private finish(tell: () => void): void {
    if (this.isOver) return;
    this.isOver = true;
    tell();
  }
}
