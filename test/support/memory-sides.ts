import type { RelayError } from '../../server/relay-core/model/relay-error.js';
import type { ClientReply } from '../../server/relay-core/ports/client-reply.js';
import {
  HttpSender,
  type UpstreamExchange,
  type UpstreamFault,
  type UpstreamRequest,
  type UpstreamSink,
} from '../../server/relay-core/ports/http-sender.js';

/** One request that reached the upstream, and the hands to answer it. */
export class MemoryExchange implements UpstreamExchange {
  isAborted = false;
  /** The sink refused the last chunk and has not resumed. */
  isPaused = false;

  constructor(
    readonly request: UpstreamRequest,
    private readonly sink: UpstreamSink,
  ) {}

  get body(): Record<string, unknown> {
    return JSON.parse(this.request.body?.toString('utf8') ?? '{}') as Record<string, unknown>;
  }

  resume(): void {
    this.isPaused = false;
  }

  abort(): void {
    this.isAborted = true;
  }

  head(
    status = 200,
    headers: Readonly<Record<string, string>> = { 'content-type': 'text/event-stream' },
  ): this {
    if (!this.isAborted) this.sink.onHead(status, headers);
    return this;
  }

  bytes(chunk: Buffer | string): this {
    if (!this.isAborted) this.isPaused = !this.sink.onBytes(Buffer.from(chunk));
    return this;
  }

  /** Server-sent events with these data. */
  events(...data: readonly string[]): this {
    for (const text of data) this.bytes(`data: ${text}\n\n`);
    return this;
  }

  end(): this {
    if (!this.isAborted) this.sink.onEnd();
    return this;
  }

  breakWith(fault: UpstreamFault): this {
    if (!this.isAborted) this.sink.onBroken(fault);
    return this;
  }

  json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): this {
    return this.head(status, { 'content-type': 'application/json', ...headers })
      .bytes(JSON.stringify(body))
      .end();
  }
}

/** Upstreams as scripts: what each request gets, in order. Without a script the request waits to be answered by hand. */
export class MemorySender extends HttpSender {
  readonly exchanges: MemoryExchange[] = [];
  scripts: ((exchange: MemoryExchange) => void)[] = [];
  private waiting: ((exchange: MemoryExchange) => void)[] = [];

  override send(request: UpstreamRequest, sink: UpstreamSink): UpstreamExchange {
    const exchange = new MemoryExchange(request, sink);
    this.exchanges.push(exchange);
    const script = this.scripts.shift();
    if (script !== undefined) queueMicrotask(() => script(exchange));
    this.waiting.shift()?.(exchange);
    return exchange;
  }

  /** The next request that arrives. */
  next(): Promise<MemoryExchange> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

/** Reply as a client sees it. */
export class MemoryReply implements ClientReply {
  status = 0;
  headers: Readonly<Record<string, string>> = {};
  text = '';
  isCommitted = false;
  isClosed = false;
  isEnded = false;
  isCut = false;
  /** Set to make the client slow. */
  takes = true;
  readonly ended: Promise<void>;
  private tellEnded: () => void = () => undefined;
  private drained: () => void = () => undefined;
  private gone: (ended?: RelayError) => void = () => undefined;

  constructor() {
    this.ended = new Promise((resolve) => {
      this.tellEnded = resolve;
    });
  }

  writeHead(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.isCommitted) throw new Error('the head was written twice');
    this.isCommitted = true;
    this.status = status;
    this.headers = headers;
  }

  write(bytes: Buffer | string): boolean {
    this.take(bytes);
    return this.takes;
  }

  end(bytes?: Buffer | string): void {
    if (bytes !== undefined) this.take(bytes);
    this.isEnded = true;
    this.isClosed = true;
    this.tellEnded();
  }

  abort(): void {
    this.isCut = true;
    this.isClosed = true;
    this.tellEnded();
  }

  onDrain(listener: () => void): void {
    this.drained = listener;
  }

  onClientGone(listener: (ended?: RelayError) => void): void {
    this.gone = listener;
  }

  /** Never sends less than all. */
  onProbe(): void {}

  /** The client hangs up. @param ended  why the gateway ended the reply instead */
  leave(ended?: RelayError): void {
    this.isClosed = true;
    this.gone(ended);
  }

  drain(): void {
    this.takes = true;
    this.drained();
  }

  get json(): unknown {
    return JSON.parse(this.text);
  }

  private take(bytes: Buffer | string): void {
    if (!this.isCommitted) throw new Error('bytes before the head');
    if (this.isEnded) throw new Error('bytes after the end');
    this.text += bytes.toString();
  }
}
