/** Connections whose handling fails, for a process of its own (failing-connections-program.ts). */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as listenRaw,
  type Server as RawServer,
  type Socket,
} from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { boundConnections } from '../../server/http/connection-limits.js';
import { interceptReads } from '../../server/infra/sockets/socket-buffers.js';
import { OwnHosts } from '../../server/common/api/own-hosts.js';
import { finishRefusals } from '../../server/http/finish-refusals.js';
import { guardHeads } from '../../server/http/request-head-guard.js';
import { WsRealtimeSocket } from '../../server/infra/http-client/ws-realtime-socket.js';
import { tunnelThrough } from '../../server/infra/http-client/socket-tunnel.js';
import { openScrapeServer } from '../../server/infra/observability/scrape-server.js';
import { openFastPath } from '../../server/gateway/relay/fast-path/fast-path.js';
import { Upgrades } from '../../server/gateway/relay/realtime/upgrades.js';

const FAULT = new Error('a fault of ours');
const fail = (): never => {
  throw FAULT;
};

const hosts = new OwnHosts({ isLoopback: false, trust: null, addresses: () => [] });
const hostsThatFail = { answers: fail } as unknown as OwnHosts;
const edgeThatFails = { admit: fail, take: fail, giveBack: () => undefined } as never;
const FAST_ROUTE = { method: 'POST', path: '/call' } as never;
const parts = {
  relay: edgeThatFails,
  ids: { callId: () => 'c' } as never,
  trust: null,
  hosts,
  basePath: '',
  routes: [FAST_ROUTE],
};

/** Failing handlers of a server, and the bytes a client sends. */
const AT_SERVERS: readonly (readonly [string, (server: Server) => void, string])[] = [
  [
    'a listener of connections',
    (server) => {
      server.removeAllListeners('connection').on('connection', fail);
      boundConnections(server, 10, () => undefined);
    },
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  ],
  [
    'a count of refused connections',
    (server) => boundConnections(server, 0, fail),
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  ],
  [
    'a listener of requests',
    (server) => {
      server.removeAllListeners('request').on('request', fail);
      guardHeads(server, hosts, { relay: 100, other: 10 });
    },
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  ],
  [
    'a judge of heads',
    (server) => guardHeads(server, hostsThatFail, { relay: 100, other: 10 }),
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  ],
  [
    'a judge of those that wait for a 100',
    (server) => guardHeads(server, hostsThatFail, { relay: 100, other: 10 }),
    'POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n',
  ],
  [
    'the relay behind the fast path',
    (server) => openFastPath(server, parts),
    'POST /call HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}',
  ],
  [
    'the relay behind the framework',
    (server) => openFastPath(server, parts),
    'POST /call HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  ],
  [
    'a router of upgrades',
    (server) => void new Upgrades(server, fail),
    'GET /v1/realtime HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  ],
  [
    'a reader of its bytes',
    (server) => {
      finishRefusals(server);
      server
        .removeAllListeners('connection')
        .on('connection', (socket: Socket) => interceptReads(socket, fail));
    },
    'x',
  ],
];

async function failAtServer(stand: (server: Server) => void, said: string): Promise<void> {
  const server = createServer((_request, response) => response.end('served'));
  stand(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  socket.write(said);
  await once(socket, 'close');
  server.close();
  server.closeAllConnections();
}

async function failAtWebSocket(): Promise<void> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  server.on('connection', (webSocket) => {
    new WsRealtimeSocket(webSocket, true).listen({
      onFrame: fail,
      onControl: fail,
      onClosed: () => undefined,
      onFull: () => undefined,
    });
  });
  for (const strike of [
    (client: WebSocket) => client.send('{}'),
    (client: WebSocket) => client.pong(),
    (client: WebSocket) => client.ping(),
  ]) {
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    client.on('error', () => undefined);
    await once(client, 'open');
    strike(client);
    await once(client, 'close');
  }
  server.close();
}

async function failAtScrape(): Promise<void> {
  const server = await openScrapeServer({
    host: '127.0.0.1',
    port: 0,
    token: undefined,
    read: fail,
    onFault: fail,
  });
  const answered = await fetch(`http://127.0.0.1:${server.port}/metrics`).then(
    () => true,
    () => false,
  );
  await server.close();
  if (answered) throw new Error('the scrape was answered');
}

/** @param answer  a proxy's reaction to a request for a tunnel */
async function failAtProxy(answer: (socket: Socket) => void): Promise<void> {
  const proxy: RawServer = listenRaw((socket) => {
    socket.on('error', () => undefined).once('data', () => answer(socket));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const target = {
    host: 'upstream.example',
    port: 443,
    timeoutMs: 5_000,
    signal: new AbortController().signal,
  };
  const lookup = (
    _name: string,
    _options: unknown,
    give: (error: null, address: string, family: number) => void,
  ): void => give(null, '127.0.0.1', 4);
  const tunnel = await tunnelThrough(new URL(`http://127.0.0.1:${port}`), {
    ...target,
    lookup: lookup as never,
  }).catch(() => undefined);
  if (tunnel?.destroyed === false)
    await new Promise<void>((resolve) => void tunnel.resume().once('close', () => resolve()));
  proxy.close();
}

/** Failing cases: one connection each, whose end is awaited. */
export const REPORTED: Readonly<Record<string, () => Promise<void>>> = {
  ...Object.fromEntries(AT_SERVERS.map(([name, stand, said]) => [name, () => failAtServer(stand, said)])),
  'a scrape of metrics': failAtScrape,
};

/** Cases in which nothing of ours failed, or the fault is the peer's. */
export const UNREPORTED: Readonly<Record<string, () => Promise<void>>> = {
  'a WebSocket whose listener fails': failAtWebSocket,
  'a proxy that resets': () => failAtProxy((socket) => void socket.resetAndDestroy()),
  'a proxy that answers and resets': () =>
    failAtProxy((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      setImmediate(() => socket.resetAndDestroy());
    }),
  'a proxy that answers nonsense': () => failAtProxy((socket) => void socket.end('\0'.repeat(20_000))),
};
