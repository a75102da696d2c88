import type { Socket } from 'node:net';
import { interceptReads, JOINED_BYTES, OutBytes } from '../sockets/socket-buffers.js';
import { containFaults, contained } from '../../common/contain-faults.js';
import type { Carrier, Exchange } from './exchange.js';
import { type ReplyHeaders, ReplyReader, type ReplyReaderSink } from './reply-reader.js';

const HEAD_END = '\r\n';
const OUT = new OutBytes();

/** The head of a request, its length not written yet: the rest of it is the same for many. */
export interface RequestHead {
  /** Request line and fields, each with its line end; Latin-1. */
  readonly start: Buffer;
  /** Undefined = the request has no body. */
  readonly bodyBytes: number | undefined;
}

/** Callbacks of a connection to its pool. */
export interface ConnectionOwner {
  /** It may carry another request. */
  onIdle(connection: Http1Connection): void;
  /** It is gone. Once. */
  onGone(connection: Http1Connection): void;
}

/** One connection to an upstream: HTTP/1.1, one request at a time, kept open between them. */
export class Http1Connection implements Carrier, ReplyReaderSink {
  /** Monotonic time after which it must not carry another request; meant for the pool. */
  usableUntilMs = 0;
  private readonly reader: ReplyReader;
  private exchange: Exchange | null = null;
  private hasEnded = false;

  constructor(
    private readonly socket: Socket,
    private readonly owner: ConnectionOwner,
    maxHeadBytes: number,
  ) {
    this.reader = new ReplyReader(this, maxHeadBytes);
    interceptReads(socket, (chunk) => this.onData(chunk));
    const cut = (): void => {
      socket.destroy();
    };
    const leave = (): void => {
      this.break(new UpstreamClosed());
      this.owner.onGone(this);
    };
    socket.on(
      'end',
      contained(() => this.onEnd(), cut),
    );
    socket.on(
      'error',
      contained((cause: Error) => this.break(cause), cut),
    );
    socket.on('close', contained(leave));
  }

  get isUsable(): boolean {
    return this.socket.writable && !this.hasEnded;
  }

  get keepAliveMs(): number | undefined {
    return this.reader.keepAliveMs;
  }

  send(head: RequestHead, body: Buffer | undefined, exchange: Exchange): void {
    const { socket } = this;
    this.exchange = exchange;
    this.reader.begin();
    exchange.attach(this);
    if (exchange.isOver) return;
    OUT.raw(head.start);
    if (head.bodyBytes !== undefined) OUT.ascii('content-length: ').number(head.bodyBytes).ascii(HEAD_END);
    OUT.ascii(HEAD_END);
    const isJoined = body !== undefined && body.length <= JOINED_BYTES;
    if (isJoined) OUT.raw(body);
    if (body === undefined || isJoined) {
      OUT.sendTo(socket);
      return;
    }
    socket.cork();
    OUT.sendTo(socket, true);
    socket.write(body);
    socket.uncork();
  }

  destroy(): void {
    this.socket.destroy();
  }

  resume(): void {
    if (this.exchange === null) return;
    this.guarded(() => {
      if (!this.reader.proceed()) return;
      this.socket.resume();
      if (this.hasEnded) this.finishAtEnd();
    });
  }

  abort(): void {
    this.exchange = null;
    this.reader.stop();
    this.socket.destroy();
  }

  onReplyHead(status: number, headers: ReplyHeaders): void {
    this.exchange?.head(status, headers);
  }

  onReplyBytes(chunk: Buffer): boolean {
    return this.exchange?.data(chunk) ?? true;
  }

  onReplyEnd(): void {
    const { exchange, socket } = this;
    this.exchange = null;
    // A reply before the request was read whole: what is left of it would stand in the way of the next.
    if (this.reader.isReusable && socket.writableLength === 0 && this.isUsable) this.owner.onIdle(this);
    else socket.destroy();
    exchange?.end();
  }

  /** @returns false when reading is to pause */
  private onData(chunk: Buffer): boolean {
    try {
      return this.reader.push(chunk);
    } catch (cause) {
      this.break(cause);
      return false;
    }
  }

  private onEnd(): void {
    this.hasEnded = true;
    this.guarded(() => this.finishAtEnd());
  }

  /** The peer closed: that is the end of a reply without a length, and a broken one of every other. */
  private finishAtEnd(): void {
    if (this.exchange === null || this.reader.close()) this.socket.destroy();
    else if (!this.socket.isPaused()) this.break(new UpstreamClosed());
  }

  private guarded(work: () => void): void {
    try {
      work();
    } catch (cause) {
      this.break(cause);
    }
  }

  /** Reports the break to the reply's sink; an error thrown there is a bug of the sink and must not spread. */
  private break(cause: unknown): void {
    const { exchange } = this;
    this.abort();
    if (exchange === null) return;
    containFaults(
      () => exchange.fail(cause),
      () => undefined,
    );
  }
}

/** The upstream closed the connection before its reply was whole. */
class UpstreamClosed extends Error {
  readonly code = 'ECONNRESET';
}
