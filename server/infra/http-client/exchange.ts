import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { PassThrough, type Transform } from 'node:stream';
import type { UpstreamExchange, UpstreamSink } from '../../relay-core/ports/http-sender.js';
import type { ReplyHeaders } from './reply-reader.js';
import { ReplyTooLarge, toUpstreamFault } from './upstream-fault.js';
import { reportBug } from '../../common/contain-faults.js';

/** Limit of inflated bytes of one reply; identity was requested, so any compression is odd. */
const MAX_INFLATED_BYTES = 64 * 1024 * 1024;

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

/** Carrier of one reply: a connection of ours, or undici's request. */
export interface Carrier {
  resume(): void;
  /** Ends the reply and its connection. */
  abort(cause: Error): void;
}

/** Counts the exchanges of a pool: one in use is never closed. */
export interface ActiveCount {
  active: number;
}

class AbortedByGateway extends Error {
  readonly code = 'UND_ERR_ABORTED';
}

/** One running request, between its carrier and its sink: undoes unrequested compression, reports the end once. */
export class Exchange implements UpstreamExchange {
  isOver = false;
  private carrier: Carrier | null = null;
  private inflate: InflateReply | null = null;

  constructor(
    private readonly sink: UpstreamSink,
    private readonly pool: ActiveCount,
  ) {
    pool.active += 1;
  }

  /** The request found its connection. */
  attach(carrier: Carrier): void {
    this.carrier = carrier;
    if (this.isOver) carrier.abort(new AbortedByGateway());
  }

  resume(): void {
    if (this.inflate !== null) this.inflate.resume();
    else if (!this.isOver) this.carrier?.resume();
  }

  abort(): void {
    if (this.isOver) return;
    this.finish();
    this.carrier?.abort(new AbortedByGateway());
  }

  head(status: number, headers: ReplyHeaders): void {
    if (this.isOver) return;
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && !this.beginInflating(String(encoding))) return;
    this.sink.onHead(status, this.inflate === null ? headers : withoutEncoding(headers));
  }

  /** @returns false when no more is to be brought until `resume` */
  data(chunk: Buffer): boolean {
    if (this.isOver) return true;
    return this.inflate === null ? this.sink.onBytes(chunk) : this.inflate.write(chunk);
  }

  end(): void {
    if (this.isOver) return;
    if (this.inflate !== null) this.inflate.end();
    else this.endWhole();
  }

  fail(cause: unknown): void {
    if (this.isOver) return;
    this.finish();
    this.sink.onBroken(toUpstreamFault(cause));
  }

  private endWhole(): void {
    if (this.isOver) return;
    this.finish();
    this.sink.onEnd();
  }

  private beginInflating(encoding: string): boolean {
    const inflate = InflateReply.for(encoding, {
      onBytes: (chunk) => this.isOver || this.sink.onBytes(chunk),
      onEnd: () => this.endWhole(),
      onBroken: (cause) => this.breakOff(cause),
    });
    if (inflate === undefined) {
      this.breakOff(new Error('the upstream used a content encoding that was not asked for'));
      return false;
    }
    inflate?.onDrain(() => this.carrier?.resume());
    this.inflate = inflate;
    return true;
  }

  private breakOff(cause: unknown): void {
    this.fail(cause);
    this.carrier?.abort(new AbortedByGateway());
  }

  private finish(): void {
    this.isOver = true;
    this.inflate?.destroy();
    this.pool.active -= 1;
  }
}

/** Head of a reply that is inflated on the way: its encoding and length no longer hold. */
function withoutEncoding(headers: ReplyHeaders): ReplyHeaders {
  const { 'content-encoding': _encoding, 'content-length': _length, ...rest } = headers;
  return rest;
}

export interface InflateEvents {
  onBytes(chunk: Buffer): boolean;
  onEnd(): void;
  onBroken(cause: unknown): void;
}

/** Opens what undoes a coding, by the reply's first bytes. */
type Open = (head: Buffer) => Transform;

/** Decompresses a reply that arrived compressed although identity was requested, up to a cap. */
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
