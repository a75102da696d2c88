import { contained } from '../../../common/contain-faults.js';
import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientAddressOf, type ProxyTrust } from '../../../common/api/client-address.js';
import type { OwnHosts } from '../../../common/api/own-hosts.js';
import { LinkedList } from '../../../common/linked-list.js';
import type { Ids } from '../../../common/ids.js';
import type { RelayRequest, RelayRoute } from '../call-runner.js';
import { type FastPathOwner, type FastPathCall, FastPathConnection } from './fast-path-connection.js';
import type { FastPathReply } from './fast-path-reply.js';
import type { RequestHead } from '../../http/request-head.js';
import { normalisePath } from '../../http/relay-paths.js';
import type { RelayHandler } from '../relay-handler.js';

export interface FastPathParts {
  readonly relay: RelayHandler;
  readonly ids: Ids;
  /** Null = no proxy stands before us. */
  readonly trust: ProxyTrust | null;
  readonly hosts: OwnHosts;
  /** Path prefix of the gateway; empty, or such as `/gateway`. */
  readonly basePath: string;
  readonly routes: readonly RelayRoute[];
}

/** Interval of checks for connections that wait for something. */
const SWEEP_EVERY_MS = 5_000;
/** Node publishes every complete answer on this channel; so does the fast path. */
const FINISHED = channel('http.server.response.finish');
/** Emitted when the server is closing: from then on every answer is the last one of its connection (leave-connections.ts). */
export const CLOSING_EVENT = 'closing-after-answers';

/**
 * Calls to the relay's fixed addresses go straight to its handler; everything else, and everything odd, goes the framework's way and
 * reaches the same handler from there. Plain requests do without Node's server too: its request and reply objects cost as much as all
 * the rest of a call's HTTP. The first request of a connection that is not plain gives the connection to Node's server for good.
 */
export function openFastPath(server: Server, parts: FastPathParts): void {
  const routes = new Map(
    parts.routes.filter(({ path }) => !path.includes(':')).map((route) => [route.path, route]),
  );
  takeRequests(server, parts, routes);
  new FastPathConnections(server, parts, routes).open();
}

/** Takes over calls of the relay that Node's server has read. */
function takeRequests(
  server: Server,
  { relay, ids, trust }: FastPathParts,
  routes: ReadonlyMap<string, RelayRoute>,
): void {
  const otherwise = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const take = (raw: IncomingMessage, response: ServerResponse): void => {
    const url = raw.url ?? '';
    const route = raw.method === 'POST' ? routes.get(withoutQuery(url)) : undefined;
    if (route === undefined) {
      for (const listener of otherwise) listener.call(server, raw, response);
      return;
    }
    const { headers } = raw;
    const clientAddress = clientAddressOf(trust, raw.socket.remoteAddress ?? '', headers);
    const request = { callId: ids.callId(), url, pathModel: undefined, headers, clientAddress };
    relay.take(route, request, raw, response);
  };
  server.on(
    'request',
    contained(take, ({ socket }) => socket.destroy()),
  );
}

/** A call of the fast path, as the relay sees it and as its connection does. */
class PlainCall implements RelayRequest, FastPathCall {
  readonly callId: string;
  readonly url: string;
  readonly headers: RelayRequest['headers'];
  readonly clientAddress: string;
  readonly pathModel: undefined;
  wantsBody = false;

  constructor(
    private readonly relay: RelayHandler,
    private readonly route: RelayRoute,
    private readonly reply: FastPathReply,
    { callId, url, headers, clientAddress }: Omit<RelayRequest, 'pathModel'>,
  ) {
    this.callId = callId;
    this.url = url;
    this.headers = headers;
    this.clientAddress = clientAddress;
  }

  keep(bytes: number): boolean {
    return this.relay.keep(this.route, this, bytes, this.reply);
  }

  giveBack(bytes: number): void {
    this.relay.giveBack(bytes);
  }

  start(body: Buffer): void {
    this.relay.start(this.route, this, body, this.reply);
  }
}

/** The connections that have only brought plain calls so far. */
class FastPathConnections implements FastPathOwner {
  isClosing = false;
  private readonly connections = new LinkedList<FastPathConnection>();
  private readonly toNode: readonly ((socket: Socket) => void)[];
  private sweep: NodeJS.Timeout | undefined;

  constructor(
    private readonly server: Server,
    private readonly parts: FastPathParts,
    private readonly routes: ReadonlyMap<string, RelayRoute>,
  ) {
    this.toNode = server.listeners('connection') as ((socket: Socket) => void)[];
  }

  get maxRequests(): number {
    return this.server.maxRequestsPerSocket ?? 0;
  }

  get keepAliveFields(): string {
    const { maxRequests } = this;
    const most = maxRequests > 0 ? `, max=${maxRequests}` : '';
    return `connection: keep-alive\r\nkeep-alive: timeout=${Math.floor(this.server.keepAliveTimeout / 1000)}${most}\r\n`;
  }

  open(): void {
    const { server } = this;
    server.removeAllListeners('connection');
    const take = (socket: Socket): void => {
      this.connections.add(new FastPathConnection(socket, this));
      this.sweep ??= setInterval(
        contained(() => this.look()),
        SWEEP_EVERY_MS,
      ).unref();
    };
    const close = (isClosing: boolean): void => {
      this.isClosing = isClosing;
    };
    server.on(
      'connection',
      contained(take, (socket) => socket.destroy()),
    );
    server.on(CLOSING_EVENT, contained(close));
    const closeIdle = server.closeIdleConnections.bind(server);
    const closeAll = server.closeAllConnections.bind(server);
    server.closeAllConnections = () => {
      closeAll();
      for (const connection of this.connections.toArray()) connection.destroy();
    };
    server.closeIdleConnections = () => {
      closeIdle();
      for (const connection of this.connections.toArray())
        if (connection.isIdle && connection.isFlushed) connection.destroy();
    };
  }

  nowMs(): number {
    return performance.now();
  }

  receive(head: RequestHead, peer: string, reply: FastPathReply): FastPathCall | null {
    const { relay, ids, trust, basePath, hosts } = this.parts;
    const { headers, bodyBytes } = head;
    // Node's server refuses it in the words of its prefix.
    if (!hosts.answers(headers['host'], peer)) return null;
    const known = this.routes.get(withoutQuery(head.url));
    const url = known === undefined ? normalisePath(head.url, basePath) : head.url;
    const route = known ?? this.routes.get(withoutQuery(url));
    if (route === undefined) return null;
    const clientAddress = clientAddressOf(trust, peer, headers);
    const call = new PlainCall(relay, route, reply, { callId: ids.callId(), url, headers, clientAddress });
    call.wantsBody = relay.admit(route, call, bodyBytes, reply);
    return call;
  }

  handOver(connection: FastPathConnection, bytes: Buffer): void {
    const { server } = this;
    this.connections.remove(connection);
    const socket = connection.detachSocket();
    for (const listener of this.toNode) listener.call(server, socket);
    // Bytes read here are read once more, by Node's parser.
    if (bytes.length > 0) socket.emit('data', bytes);
    if (socket.readableEnded) socket.emit('end');
  }

  onReplyEnd({ socket }: FastPathConnection): void {
    if (FINISHED.hasSubscribers) FINISHED.publish({ server: this.server, socket });
  }

  onGone(connection: FastPathConnection): void {
    this.connections.remove(connection);
  }

  private look(): void {
    const nowMs = this.nowMs();
    const { headersTimeout, keepAliveTimeout, requestTimeout } = this.server;
    for (const connection of this.connections.toArray()) {
      const waitedMs = nowMs - connection.waitingSinceMs;
      if (connection.isReading) {
        if (requestTimeout > 0 && waitedMs > requestTimeout) this.refuseSlow(connection);
      } else if (!connection.isIdle) continue;
      else if (connection.hasServed) {
        if (keepAliveTimeout > 0 && waitedMs > keepAliveTimeout) connection.destroy();
      } else if (headersTimeout > 0 && waitedMs > headersTimeout) this.refuseSlow(connection);
    }
  }

  /** Same answer as Node's server. */
  private refuseSlow(connection: FastPathConnection): void {
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    if (!this.server.emit('clientError', error, connection.socket)) connection.destroy();
  }
}

function withoutQuery(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
