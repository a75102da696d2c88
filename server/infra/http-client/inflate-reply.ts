import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { PassThrough, type Transform } from 'node:stream';
import { reportBug } from '../../common/contain-faults.js';
import { ReplyTooLarge } from './upstream-fault.js';

/** Inflated bytes of one reply; identity was asked for, so anything compressed is already odd. */
const MAX_INFLATED_BYTES = 64 * 1024 * 1024;

export interface InflateEvents {
  onBytes(chunk: Buffer): boolean;
  onEnd(): void;
  onBroken(cause: unknown): void;
}

/** Opens what undoes a coding, by the reply's first bytes. */
type Open = (head: Buffer) => Transform;

/** A proxy on the way may have undone a coding and left its name: what lacks the coding's sign passes as it is. */
const signed =
  (sign: readonly number[], open: () => Transform): Open =>
  (head) =>
    sign.every((byte, at) => at >= head.length || head[at] === byte) ? open() : new PassThrough();

const gunzip = signed([0x1f, 0x8b], createGunzip);
const ZLIB_METHOD = 0x08;
/** Some servers leave out the head that RFC 9110 wants around a deflated reply. */
const inflate: Open = (head) =>
  ((head[0] ?? 0) & 0x0f) === ZLIB_METHOD ? createInflate() : createInflateRaw();

const CODINGS: ReadonlyMap<string, Open | undefined> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['br', () => createBrotliDecompress()],
  ['zstd', signed([0x28, 0xb5, 0x2f, 0xfd], createZstdDecompress)],
  // Codings of IANA's list that are not undone here (read 2026-11-26).
  ...['compress', 'x-compress', 'exi', 'pack200-gzip', 'aes128gcm', 'dcb', 'dcz'].map(
    (name) => [name, undefined] as const,
  ),
]);

/** Decompresses a reply that arrived compressed although identity was asked for, up to a cap. */
export class InflateReply {
  private inflatedBytes = 0;
  private isOver = false;
  private stream: Transform | null = null;
  private drained: () => void = () => undefined;

  private constructor(
    private readonly open: Open,
    private readonly events: InflateEvents,
  ) {}

  /**
   * Null = the encoding needs no work: names that are no coding (`utf-8`, `none`) are left out, as browsers do; undefined = it
   * is not one we can undo, or several, one inside the other.
   */
  static for(encoding: string, events: InflateEvents): InflateReply | null | undefined {
    const names = encoding
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => CODINGS.has(name));
    const [name] = names;
    if (name === undefined) return null;
    const open = CODINGS.get(name);
    return open === undefined || names.length > 1 ? undefined : new InflateReply(open, events);
  }

  /** False = stop reading until `onDrain` fires. */
  write(chunk: Buffer): boolean {
    this.stream ??= this.opened(chunk);
    return this.stream.write(chunk);
  }

  onDrain(listener: () => void): void {
    this.drained = listener;
  }

  end(): void {
    if (this.stream === null) this.guarded(() => this.finish(() => this.events.onEnd()));
    else this.stream.end();
  }

  resume(): void {
    this.stream?.resume();
  }

  destroy(): void {
    this.isOver = true;
    this.stream?.destroy();
  }

  private opened(head: Buffer): Transform {
    const stream = this.open(head);
    stream.on('data', (chunk: Buffer) => this.guarded(() => this.take(chunk)));
    stream.on('end', () => this.guarded(() => this.finish(() => this.events.onEnd())));
    stream.on('error', (cause) => this.guarded(() => this.finish(() => this.events.onBroken(cause))));
    stream.on('drain', () => this.guarded(this.drained));
    return stream;
  }

  private take(chunk: Buffer): void {
    if (this.isOver) return;
    this.inflatedBytes += chunk.length;
    if (this.inflatedBytes > MAX_INFLATED_BYTES) {
      this.finish(() => this.events.onBroken(new ReplyTooLarge('compressed reply grew past its limit')));
      this.stream?.destroy();
      return;
    }
    if (!this.events.onBytes(chunk)) this.stream?.pause();
  }

  /** A fault in the consumer of the bytes breaks this reply. */
  private guarded(work: () => void): void {
    try {
      work();
    } catch (fault) {
      this.stream?.destroy();
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
