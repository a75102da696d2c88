import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
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
import { boundConnections } from '../../../server/http/connection-limits.js';
import { takeReads } from '../../../server/infra/sockets/shared-read-buffer.js';
import { OwnHosts } from '../../../server/common/api/own-hosts.js';
import { finishRefusals } from '../../../server/http/finish-refusals.js';
import { guardHeads } from '../../../server/http/request-head-guard.js';
import { WsRealtimeSocket } from '../../../server/infra/http-client/ws-realtime-socket.js';
import { tunnelThrough } from '../../../server/infra/http-client/socket-tunnel.js';
import { openScrapeServer } from '../../../server/infra/observability/scrape-server.js';
import { openFastPath } from '../../../server/modules/relay/fast-path/fast-path.js';
import { Upgrades } from '../../../server/modules/relay/realtime/upgrades.js';

const FAULT = new Error('a fault of ours');
const fail = (): never => {
  throw FAULT;
};

/** Faults that reached the process: each of them would have ended it. */
const escaped: unknown[] = [];
/** Faults that were told as bugs. */
const told: unknown[] = [];
const onEscaped = (fault: unknown): void => void escaped.push(fault);
const onTold = (fault: unknown): void => void told.push(fault);
let others: {
  uncaughtException: NodeJS.UncaughtExceptionListener[];
  unhandledRejection: NodeJS.UnhandledRejectionListener[];
};

beforeEach(() => {
  escaped.length = 0;
  told.length = 0;
  others = {
    uncaughtException: process.listeners('uncaughtException'),
    unhandledRejection: process.listeners('unhandledRejection'),
  };
  process.removeAllListeners('uncaughtException').removeAllListeners('unhandledRejection');
  process.on('uncaughtException', onEscaped).on('unhandledRejection', onTold);
});
afterEach(() => {
  process.removeAllListeners('uncaughtException').removeAllListeners('unhandledRejection');
  for (const listener of others.uncaughtException) process.on('uncaughtException', listener);
  for (const listener of others.unhandledRejection) process.on('unhandledRejection', listener);
});

const hosts = new OwnHosts({ isLoopback: false, trust: null, addresses: () => [] });
const hostsThatFail = { answers: fail } as unknown as OwnHosts;
const edgeThatFails = { admit: fail, take: fail, giveBack: () => undefined } as never;
const LANE = { method: 'POST', path: '/call' } as never;
const parts = {
  relay: edgeThatFails,
  ids: { callId: () => 'c' } as never,
  trust: null,
  hosts,
  basePath: '',
  routes: [LANE],
};

/** Whoever stands at a server and fails. */
const AT_SERVERS: readonly (readonly [string, (server: Server) => void, string])[] = [
  [
    'whoever takes its connections',
    (server) => {
      server.removeAllListeners('connection').on('connection', fail);
      boundConnections(server, 10, () => undefined);
    },
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  ],
  [
    'whoever counts those it refuses',
    (server) => boundConnections(server, 0, fail),
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  ],
  [
    'whoever takes its requests',
    (server) => {
      server.removeAllListeners('request').on('request', fail);
      guardHeads(server, hosts, { relay: 100, other: 10 });
    },
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  ],
  [
    'whoever judges heads',
    (server) => guardHeads(server, hostsThatFail, { relay: 100, other: 10 }),
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  ],
  [
    'whoever judges who waits for a 100',
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
    'whoever routes upgrades',
    (server) => void new Upgrades(server, fail),
    'GET /v1/realtime HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  ],
  [
    'whoever reads its bytes',
    (server) => {
      finishRefusals(server);
      server.removeAllListeners('connection').on('connection', (socket: Socket) => takeReads(socket, fail));
    },
    'x',
  ],
];

describe('a fault in the handling of a connection', () => {
  it.each(AT_SERVERS)(
    'ends by %s that connection, tells a bug, and ends nothing else',
    async (_who, stand, said) => {
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
      expect(escaped).toEqual([]);
      expect(told).toContain(FAULT);
    },
  );

  it('ends the one WebSocket', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    server.on('connection', (webSocket) => {
      new WsRealtimeSocket(webSocket).listen({ onFrame: fail, onControl: fail, onClosed: () => undefined });
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
    expect(escaped).toEqual([]);
  });

  it('ends the one scrape', async () => {
    const server = await openScrapeServer({
      host: '127.0.0.1',
      port: 0,
      token: undefined,
      read: fail,
      onFault: fail,
    });
    await expect(fetch(`http://127.0.0.1:${server.port}/metrics`)).rejects.toThrow(/fetch failed/);
    await server.close();
    expect(escaped).toEqual([]);
    expect(told).toContain(FAULT);
  });

  it.each([
    ['resets it', (socket: Socket) => void socket.resetAndDestroy()],
    [
      'answers and resets it',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        setImmediate(() => socket.resetAndDestroy());
      },
    ],
    ['answers nonsense', (socket: Socket) => void socket.end('\0'.repeat(20_000))],
  ])('tells one by a proxy that %s as a failed tunnel, or hears of its end', async (_what, answer) => {
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
    expect(escaped).toEqual([]);
  });
});
