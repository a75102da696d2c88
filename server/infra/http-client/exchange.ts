import type { UpstreamExchange, UpstreamSink } from '../../relay-core/ports/http-sender.js';
import { InflateReply } from './inflate-reply.js';
import type { ReplyHeaders } from './reply-reader.js';
import { toUpstreamFault } from './upstream-fault.js';

/** What carries one reply: a connection of ours, or undici's request. */
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

/** One request under way, between whatever carries it and its sink: undoes a compression nobody asked for, tells the end once. */
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
