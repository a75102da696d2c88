import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer, type Server, type Socket } from 'node:net';
import { Exchange } from '../../../../server/infra/http-client/exchange.js';
import { PooledHttpSender } from '../../../../server/infra/http-client/pooled-http-sender.js';
import { OutboundPolicy } from '../../../../server/infra/http-client/safe-url.js';
import { Http1Pool } from '../../../../server/infra/http-client/http1-pool.js';
import type { UpstreamFault, UpstreamRequest } from '../../../../server/relay-core/ports/http-sender.js';
import { until } from '../../../support/until.ts';

interface End {
  readonly status: number;
  readonly body: string;
  readonly fault: UpstreamFault['kind'] | undefined;
}

/** A server of raw bytes: `answer` writes what it likes for each request it has read whole. */
class RawUpstream {
  readonly sockets: Socket[] = [];
  readonly requests: string[] = [];
  private constructor(private readonly server: Server) {}

  static async start(
    answer: (socket: Socket, request: string, upstream: RawUpstream) => void,
  ): Promise<RawUpstream> {
    const server = createServer();
    const upstream = new RawUpstream(server);
    server.on('connection', (socket) => {
      upstream.sockets.push(socket);
      let text = '';
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        const head = text.indexOf('\r\n\r\n');
        const length = Number(/content-length: (\d+)/.exec(text)?.[1] ?? 0);
        if (head === -1 || text.length < head + 4 + length) return;
        const request = text.slice(0, head + 4 + length);
        text = text.slice(request.length);
        upstream.requests.push(request);
        answer(socket, request, upstream);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return upstream;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1/x?y=1`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function startUpstream(...given: Parameters<typeof RawUpstream.start>): Promise<RawUpstream> {
  const upstream = await RawUpstream.start(...given);
  closers.push(() => upstream.close());
  return upstream;
}

function openSender(): PooledHttpSender {
  const sender = new PooledHttpSender(new OutboundPolicy({ allowedPrivateHosts: [], isLoopback: true }));
  closers.push(() => sender.close());
  return sender;
}

const requestTo = (upstream: RawUpstream, extra: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
  method: 'POST',
  url: upstream.url,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{}'),
  ...extra,
});

function ask(sender: PooledHttpSender, request: UpstreamRequest): Promise<End> {
  return new Promise((resolve) => {
    let status = 0;
    let body = '';
    sender.send(request, {
      onHead: (given) => {
        status = given;
      },
      onBytes: (chunk) => {
        body += chunk.toString();
        return true;
      },
      onEnd: () => resolve({ status, body, fault: undefined }),
      onBroken: ({ kind }) => resolve({ status, body, fault: kind }),
    });
  });
}

/** Same as undici's connector. */
const openSocket: ConstructorParameters<typeof Http1Pool>[1] = ({ hostname, port }, callback) => {
  const socket = connectTo(Number(port), hostname).once('connect', () => callback(null, socket));
};

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

describe('connections to upstreams', () => {
  it('uses them again, one request at a time', async () => {
    const upstream = await startUpstream((socket) => socket.write(OK));
    const sender = openSender();
    for (let round = 0; round < 5; round += 1)
      expect(await ask(sender, requestTo(upstream))).toEqual({ status: 200, body: 'ok', fault: undefined });
    expect(upstream.sockets).toHaveLength(1);
    await Promise.all([ask(sender, requestTo(upstream)), ask(sender, requestTo(upstream))]);
    expect(upstream.sockets).toHaveLength(2);
    expect(upstream.requests).toHaveLength(7);
    expect(upstream.requests[0]).toBe(
      `POST /v1/x?y=1 HTTP/1.1\r\nhost: ${new URL(upstream.url).host}\r\nconnection: keep-alive\r\n` +
        'content-type: application/json\r\naccept-encoding: identity\r\ncontent-length: 2\r\n\r\n{}',
    );
  });

  it.each([
    ['the upstream says close', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok'],
    ['more came than the reply', `${OK}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`],
    ['it would be closed under the next call', `HTTP/1.1 200 OK\r\nkeep-alive: timeout=1\r\n${OK.slice(17)}`],
  ])('does not use them again when %s', async (_, text) => {
    const upstream = await startUpstream((socket) => socket.write(text));
    const sender = openSender();
    for (let round = 0; round < 3; round += 1)
      expect(await ask(sender, requestTo(upstream))).toMatchObject({ body: 'ok', fault: undefined });
    expect(upstream.sockets).toHaveLength(3);
  });

  it('reuses none that the upstream closes while idle', async () => {
    const upstream = await startUpstream((socket) => socket.write(OK));
    const sender = openSender();
    await ask(sender, requestTo(upstream));
    const [first] = upstream.sockets;
    first?.end();
    await once(first as Socket, 'close');
    expect(await ask(sender, requestTo(upstream))).toMatchObject({ body: 'ok' });
    expect(upstream.sockets).toHaveLength(2);
  });

  it('closes those that send unrequested bytes', async () => {
    const upstream = await startUpstream((socket) => socket.write(OK));
    const sender = openSender();
    await ask(sender, requestTo(upstream));
    const [first] = upstream.sockets;
    first?.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil');
    await once(first as Socket, 'close');
    expect(await ask(sender, requestTo(upstream))).toMatchObject({ body: 'ok' });
  });

  it('reuses none that answered before the request was read whole', async () => {
    const upstream = await RawUpstream.start(() => undefined);
    closers.push(() => upstream.close());
    const sender = openSender();
    const answered = ask(sender, requestTo(upstream, { body: Buffer.alloc(32 * 1024 * 1024, 'a') }));
    await until(() => upstream.sockets.length > 0);
    const [first] = upstream.sockets;
    first?.pause();
    first?.write('HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno');
    expect(await answered).toEqual({ status: 413, body: 'no', fault: undefined });
    const second = ask(sender, requestTo(upstream));
    await until(() => upstream.requests.length > 0);
    upstream.sockets[1]?.write(OK);
    expect(await second).toMatchObject({ status: 200 });
    expect(upstream.sockets).toHaveLength(2);
  });

  it.each([
    ['in the middle of a length', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', 'half'],
    ['in the middle of a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nhalf', 'half'],
    ['before the last chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n', 'half'],
    ['in the middle of the head', 'HTTP/1.1 200 OK\r\ncontent-le', ''],
    ['at once', '', ''],
  ])('reads those that end %s as broken replies', async (_, text, body) => {
    const upstream = await startUpstream((socket) => socket.end(text));
    expect(await ask(openSender(), requestTo(upstream))).toMatchObject({ body, fault: 'reset' });
  });

  it('ends a reply without a length well by their end', async () => {
    const upstream = await startUpstream((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'));
    expect(await ask(openSender(), requestTo(upstream))).toEqual({
      status: 200,
      body: 'all of it',
      fault: undefined,
    });
  });

  it('reads replies that are not HTTP as broken', async () => {
    const upstream = await startUpstream((socket) => socket.write('SSH-2.0-x\r\n\r\n'));
    expect(await ask(openSender(), requestTo(upstream))).toMatchObject({ status: 0, fault: 'reset' });
  });

  it('carries no header that would make two requests of one [RLY-01]', async () => {
    const upstream = await startUpstream((socket) => socket.write(OK));
    const sender = openSender();
    const bad: Record<string, string>[] = [
      { 'x-a': 'b\r\nx-c: d' },
      { 'x-a\r\nb': 'c' },
      { 'x-a': 'b\u0000' },
      { 'x-a': 'snow \u2603' },
      { 'transfer-encoding': 'chunked' },
      { connection: 'close' },
      { 'content-length': '3' },
    ];
    for (const headers of bad)
      expect(await ask(sender, requestTo(upstream, { headers }))).toMatchObject({ fault: 'reset' });
    expect(upstream.requests).toEqual([]);
    const signed = { host: 'signed.example', 'content-length': '2' };
    expect(await ask(sender, requestTo(upstream, { headers: signed }))).toMatchObject({ status: 200 });
    expect(upstream.requests[0]).toContain('\r\nhost: signed.example\r\n');
    expect(upstream.requests[0]?.match(/content-length/g)).toHaveLength(1);
  });

  it('carries the headers of each call, whatever the call before them carried', async () => {
    const upstream = await startUpstream((socket) => socket.write(OK));
    const sender = openSender();
    const sets: Record<string, string>[] = [
      { authorization: 'Bearer one', 'content-type': 'application/json' },
      { authorization: 'Bearer one', 'content-type': 'application/json' },
      { authorization: 'Bearer two', 'content-type': 'application/json' },
      { authorization: 'Bearer two' },
      { authorization: 'Bearer two', 'x-more': '1' },
      {},
      { 'accept-encoding': 'gzip' },
      { authorization: 'Bearer two', 'content-length': '2' },
      { authorization: 'Bearer two', 'content-length': '2' },
    ];
    for (const headers of sets) await ask(sender, requestTo(upstream, { headers }));
    const seen = upstream.requests.map((request) =>
      Object.fromEntries(
        request
          .split('\r\n')
          .slice(1, -2)
          .map((line) => line.split(': ')),
      ),
    );
    const fixed = { host: new URL(upstream.url).host, connection: 'keep-alive', 'content-length': '2' };
    expect(seen).toEqual(sets.map((headers) => ({ 'accept-encoding': 'identity', ...fixed, ...headers })));
  });

  it('bounds them: calls wait for one to become free, in order, and those given up are left out', async () => {
    const held: Socket[] = [];
    const upstream = await startUpstream((socket) => held.push(socket));
    const url = new URL(upstream.url);
    const pool = new Http1Pool(url, openSocket, {
      connectTimeoutMs: 1_000,
      maxHeaderBytes: 1_024,
      connections: 2,
    });
    closers.push(() => pool.close());
    const ended: number[] = [];
    const exchanges = [0, 1, 2, 3, 4].map((number) => {
      const exchange = new Exchange(
        {
          onHead: () => undefined,
          onBytes: () => true,
          onEnd: () => ended.push(number),
          onBroken: () => ended.push(-number),
        },
        pool,
      );
      pool.dispatch(requestTo(upstream), '/v1/x', exchange);
      return exchange;
    });
    expect(pool.active).toBe(5);
    exchanges[2]?.abort();
    for (let answered = 0; answered < 4; answered += 1) {
      await until(() => held.length > 0);
      held.shift()?.write(OK);
    }
    await until(() => ended.length >= 4);
    expect(new Set(ended)).toEqual(new Set([0, 1, 3, 4]));
    expect(ended.slice(2)).toEqual([3, 4]);
    expect(upstream.sockets).toHaveLength(2);
    expect(pool.active).toBe(0);
  });

  it('fails every call that waits when one cannot be opened', async () => {
    const upstream = await RawUpstream.start(() => undefined);
    const request = requestTo(upstream);
    await upstream.close();
    const sender = openSender();
    const ends = await Promise.all([1, 2, 3].map(() => ask(sender, request)));
    expect(ends.map(({ fault }) => fault)).toEqual(['unreachable', 'unreachable', 'unreachable']);
  });
});
