import { containFaults } from '../../common/contain-faults.js';
import { isIP } from 'node:net';
import type { buildConnector } from 'undici';
import type { UpstreamRequest } from '../../relay-core/ports/http-sender.js';
import type { Exchange } from './exchange.js';
import type { PoolLimits, UpstreamPool } from './upstream-pool.js';
import { type ConnectionOwner, Http1Connection, type RequestHead } from './http1-connection.js';

/** Idle sockets are closed by us before common peers (60 s and more) close them under a request. */
const IDLE_SOCKET_MS = 15_000;
/** A peer that names its idle time is left this much earlier. */
const HINT_MARGIN_MS = 1_000;
const SWEEP_EVERY_MS = 5_000;

interface Waiting {
  readonly head: RequestHead;
  readonly body: Buffer | undefined;
  readonly exchange: Exchange;
}

/**
 * The connections to one origin, opened as they are needed and kept for a while. Our own, since a call spends more time in a
 * general client than in the rest of the gateway; opening them, TLS included, is undici's connector.
 */
export class Http1Pool implements UpstreamPool, ConnectionOwner {
  active = 0;
  private readonly idle: Http1Connection[] = [];
  private readonly all = new Set<Http1Connection>();
  private readonly waiting: Waiting[] = [];
  private connecting = 0;
  private isClosed = false;
  private sweep: NodeJS.Timeout | null = null;
  private readonly heads: HeadWriter;
  private readonly target: buildConnector.Options;

  constructor(
    url: URL,
    private readonly connect: buildConnector.connector,
    private readonly limits: PoolLimits,
  ) {
    const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
    this.heads = new HeadWriter(url.host);
    this.target = {
      hostname,
      host: url.host,
      protocol: url.protocol,
      port: url.port,
      ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    };
  }

  get connections(): number {
    return this.all.size + this.connecting;
  }

  /** Fails: throws TypeError for a header that cannot be sent. */
  dispatch(request: UpstreamRequest, path: string, exchange: Exchange): void {
    const head = this.heads.write(request, path);
    const connection = this.takeIdle();
    if (connection !== undefined) return connection.send(head, request.body, exchange);
    this.waiting.push({ head, body: request.body, exchange });
    this.openIfNeeded();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.sweep !== null) clearTimeout(this.sweep);
    for (const connection of [...this.all]) connection.destroy();
    for (const { exchange } of this.waiting.splice(0)) exchange.fail(new PoolClosed());
  }

  onIdle(connection: Http1Connection): void {
    const next = this.nextWaiting();
    if (next !== undefined) return connection.send(next.head, next.body, next.exchange);
    const hintMs = connection.keepAliveMs;
    const keptMs = hintMs === undefined ? IDLE_SOCKET_MS : Math.min(IDLE_SOCKET_MS, hintMs - HINT_MARGIN_MS);
    if (keptMs <= 0 || this.isClosed) return connection.destroy();
    connection.usableUntilMs = performance.now() + keptMs;
    this.idle.push(connection);
    this.sweep ??= setTimeout(() => this.closeStale(), SWEEP_EVERY_MS).unref();
  }

  onGone(connection: Http1Connection): void {
    this.all.delete(connection);
    const index = this.idle.indexOf(connection);
    if (index !== -1) this.idle.splice(index, 1);
    this.openIfNeeded();
  }

  /** The one used last: what is not needed grows old and goes. */
  private takeIdle(): Http1Connection | undefined {
    if (this.idle.length === 0) return undefined;
    const nowMs = performance.now();
    for (let connection = this.idle.pop(); connection !== undefined; connection = this.idle.pop()) {
      if (connection.isUsable && connection.usableUntilMs > nowMs) return connection;
      connection.destroy();
    }
    return undefined;
  }

  private nextWaiting(): Waiting | undefined {
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      if (!next.exchange.isOver) return next;
    }
    return undefined;
  }

  private openIfNeeded(): void {
    const hasRoom = this.all.size + this.connecting < this.limits.connections;
    if (hasRoom && this.waiting.length > this.connecting && !this.isClosed) this.open();
  }

  private open(): void {
    this.connecting += 1;
    const begin: buildConnector.Callback = (cause, socket) => {
      this.connecting -= 1;
      if (cause !== null || socket === null) {
        // The longest waiting exchange gets the error; the others have connection attempts of their own.
        this.nextWaiting()?.exchange.fail(cause ?? new PoolClosed());
        this.openIfNeeded();
        return;
      }
      if (this.isClosed) {
        socket.destroy();
        return;
      }
      const connection = new Http1Connection(socket, this, this.limits.maxHeaderBytes);
      this.all.add(connection);
      this.onIdle(connection);
    };
    this.connect(this.target, (...told) =>
      containFaults(
        () => begin(...told),
        () => told[1]?.destroy(),
      ),
    );
  }

  private closeStale(): void {
    this.sweep = null;
    const nowMs = performance.now();
    const stale = this.idle.filter((connection) => connection.usableUntilMs <= nowMs);
    for (const connection of stale) connection.destroy();
    if (this.idle.length > stale.length)
      this.sweep = setTimeout(() => this.closeStale(), SWEEP_EVERY_MS).unref();
  }
}

const NOTHING = Buffer.alloc(0);
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const NO_FIELD_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
/** Written by the gateway alone: a caller that could set them could make two requests of one. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
]);

type Fields = UpstreamRequest['headers'];

/** Writes heads to one origin. Calls to a channel carry the same fields one after the other: those are looked at once. */
class HeadWriter {
  private known: Fields = {};
  private knownCount = -1;
  private knownText = '';
  private knownMethod = '';
  private knownPath = '';
  private knownStart = NOTHING;

  /** @param host  of the address; a signed request may name its own */
  constructor(private readonly host: string) {}

  write({ method, headers, body }: UpstreamRequest, path: string): RequestHead {
    const isKnown = this.isKnown(headers);
    if (!isKnown || method !== this.knownMethod || path !== this.knownPath) {
      const text = isKnown ? this.knownText : this.writeFields(headers, body);
      const start = Buffer.from(`${method} ${path} HTTP/1.1\r\n${text}`, 'latin1');
      if (text !== this.knownText) return { start, bodyBytes: body?.length };
      this.knownMethod = method;
      this.knownPath = path;
      this.knownStart = start;
    }
    return { start: this.knownStart, bodyBytes: body?.length };
  }

  private isKnown(headers: Fields): boolean {
    let count = 0;
    for (const name in headers) {
      if (this.known[name] !== headers[name]) return false;
      count += 1;
    }
    return count === this.knownCount;
  }

  private writeFields(headers: Fields, body: Buffer | undefined): string {
    let host = this.host;
    let fields = '';
    let count = 0;
    let hasEncoding = false;
    let hasLength = false;
    for (const name in headers) {
      const value = headers[name] as string;
      const folded = name.toLowerCase();
      if (!FIELD_NAME.test(name) || OWN_FIELDS.has(folded) || NO_FIELD_VALUE.test(value))
        throw new UnsendableHeader(`the header ${name.slice(0, 64)} cannot be sent`);
      count += 1;
      if (folded === 'host') host = value;
      else if (folded === 'content-length') {
        assertLength(value, body);
        hasLength = true;
      } else {
        if (folded === 'accept-encoding') hasEncoding = true;
        fields += `${name}: ${value}\r\n`;
      }
    }
    if (!hasEncoding) fields += 'accept-encoding: identity\r\n';
    const text = `host: ${host}\r\nconnection: keep-alive\r\n${fields}`;
    // A length belongs to one body, so such fields are looked at every time.
    if (!hasLength) {
      this.known = { ...headers };
      this.knownCount = count;
      this.knownText = text;
      // Drops the prefix written with the earlier fields.
      this.knownPath = '';
    }
    return text;
  }
}

function assertLength(value: string, body: Buffer | undefined): void {
  if (value !== String(body?.length ?? 0))
    throw new UnsendableHeader('the length told is not that of the body');
}

class UnsendableHeader extends TypeError {
  readonly code = 'ERR_UNSENDABLE_HEADER';
}

class PoolClosed extends Error {
  readonly code = 'UND_ERR_CLOSED';
}
