import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { fetchBounded } from '../../../../server/infra/http-client/fetch-bounded.js';
import { OutboundPolicy } from '../../../../server/infra/http-client/safe-url.js';
import { PooledHttpSender } from '../../../../server/infra/http-client/pooled-http-sender.js';
import type {
  UpstreamExchange,
  UpstreamFault,
  UpstreamRequest,
} from '../../../../server/relay-core/ports/http-sender.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { beginStream, PROMPT_TOKENS } from '../../../support/fake-upstream-behaviours.js';

interface Heard {
  status?: number;
  headers?: Readonly<Record<string, string | string[]>>;
  readonly chunks: Buffer[];
  ended: boolean;
  fault?: UpstreamFault;
}

let upstream: FakeUpstream;
let sender: PooledHttpSender;

const chatRequest = (
  model: string,
  extra: Partial<UpstreamRequest> = {},
  body: object = {},
): UpstreamRequest => ({
  method: 'POST',
  url: `${upstream.url}/v1/chat/completions`,
  headers: { 'content-type': 'application/json', authorization: 'Bearer upstream-key' },
  body: Buffer.from(JSON.stringify({ model, ...body })),
  ...extra,
});

/** Sends and listens to the end; `onChunk` may pause (false) or act on the exchange. */
function hear(
  request: UpstreamRequest,
  onChunk: (heard: Heard, exchange: UpstreamExchange) => boolean = () => true,
  using = sender,
): Promise<Heard> {
  return new Promise((resolve) => {
    const heard: Heard = { chunks: [], ended: false };
    const exchange = using.send(request, {
      onHead: (status, headers) => Object.assign(heard, { status, headers }),
      onBytes: (chunk) => {
        heard.chunks.push(chunk);
        return onChunk(heard, exchange);
      },
      onEnd: () => {
        heard.ended = true;
        resolve(heard);
      },
      onBroken: (fault) => {
        heard.fault = fault;
        resolve(heard);
      },
    });
  });
}

const sizeOf = (heard: Heard): number => heard.chunks.reduce((sum, chunk) => sum + chunk.length, 0);

describe.each([
  ['its own HTTP/1.1 pool', true],
  ['undici', false],
])('PooledHttpSender over %s', (_, usesHttp1Pool) => {
  beforeAll(async () => {
    upstream = await FakeUpstream.start();
    sender = new PooledHttpSender(
      new OutboundPolicy({ allowedPrivateHosts: [], isLoopback: true }),
      'channel',
      usesHttp1Pool,
    );
  });
  afterAll(async () => {
    await sender.close();
    await upstream.close();
  });

  it('distinguishes a refused connection from a reset one and never names addresses in the kind', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    const refused = await hear(
      chatRequest('fx-json', { url: `http://127.0.0.1:${port}/v1/chat/completions` }),
    );
    expect(refused.fault?.kind).toBe('unreachable');
    expect((await hear(chatRequest('fx-reset'))).fault?.kind).toBe('reset');
  });

  it('refuses a private address without opening a connection [NET-03]', async () => {
    const strict = new PooledHttpSender(
      new OutboundPolicy({ allowedPrivateHosts: [], isLoopback: false }),
      'channel',
      usesHttp1Pool,
    );
    const before = upstream.journal.length;
    for (const url of [`${upstream.url}/v1/x`, upstream.url.replace('127.0.0.1', 'localhost')]) {
      expect((await hear(chatRequest('fx-json', { url }), () => true, strict)).fault?.kind).toBe(
        'refused-by-policy',
      );
    }
    expect(upstream.journal).toHaveLength(before);
    await strict.close();
  });

  it('hands a redirect over as it is and does not follow it [UP-02]', async () => {
    const heard = await hear(chatRequest('fx-redirect'));
    expect(heard.status).toBe(302);
    expect(upstream.journal.filter((entry) => entry.path.includes('stolen'))).toHaveLength(0);
  });

  it('stops at 32 KiB of headers [UP-04]', async () => {
    expect((await hear(chatRequest('fx-huge-header'))).fault?.kind).toBe('too-large');
  });

  it('stops inflating at 64 MiB [UP-04, F-26]', async () => {
    const heard = await hear(chatRequest('fx-gzip-bomb'));
    expect(heard.fault?.kind).toBe('too-large');
    expect(sizeOf(heard)).toBeLessThanOrEqual(64 * 1024 * 1024);
  });

  it('requests identity, and undoes a compression that comes anyway', async () => {
    const heard = await hear(chatRequest('fx-gzip'));
    expect(upstream.single('fx-gzip').headers['accept-encoding']).toBe('identity');
    expect(heard.headers).not.toHaveProperty('content-encoding');
    expect(heard.headers).not.toHaveProperty('content-length');
    expect(JSON.parse(Buffer.concat(heard.chunks).toString())).toMatchObject({
      usage: { prompt_tokens: PROMPT_TOKENS },
    });
  });

  it('sends exactly the bytes and headers it was given', async () => {
    const heard = await hear(chatRequest('fx-json', {}, { user: '\u00fc\u0000' }));
    const entry = upstream.entriesOf('fx-json').at(-1);
    expect(entry?.rawBody.toString()).toBe('{"model":"fx-json","user":"ü\\u0000"}');
    expect(Object.keys(entry?.headers ?? {}).sort()).toEqual(
      ['accept-encoding', 'authorization', 'connection', 'content-length', 'content-type', 'host'].sort(),
    );
    expect(heard.ended).toBe(true);
    expect(heard.fault).toBeUndefined();
  });

  it('closes the upstream connection within a second when aborted, and reports nothing more', async () => {
    let chunksAfter = 0;
    const heard: Heard = { chunks: [], ended: false };
    const exchange = sender.send(chatRequest('fx-long', {}, { stream: true }), {
      onHead: () => undefined,
      onBytes: (chunk) => {
        if (heard.ended) chunksAfter += 1;
        heard.chunks.push(chunk);
        if (heard.chunks.length === 3) {
          heard.ended = true;
          exchange.abort();
        }
        return true;
      },
      onEnd: () => (chunksAfter += 1),
      onBroken: () => (chunksAfter += 1),
    });
    await upstream.waitUntil((one) => one.entriesOf('fx-long').at(-1)?.ending === 'cancelled', 1_000);
    expect(chunksAfter).toBe(0);
  });

  it('aborts a request whose connection is not there yet', async () => {
    const before = upstream.journal.length;
    const exchange = sender.send(chatRequest('fx-silent', { url: `${upstream.url}/early` }), {
      onHead: () => undefined,
      onBytes: () => true,
      onEnd: () => undefined,
      onBroken: () => undefined,
    });
    exchange.abort();
    await hear(chatRequest('fx-json'));
    expect(
      upstream.journal.slice(before).filter((entry) => entry.path === '/early' && entry.ending === 'open'),
    ).toEqual([]);
  });

  it('pauses the upstream while the sink does not take more, and goes on where it stopped [F-47]', async () => {
    const stopped: { exchange?: UpstreamExchange } = {};
    const result = hear(chatRequest('fx-firehose', {}, { stream: true }), (heard, exchange) => {
      if (heard.chunks.length !== 1) return true;
      stopped.exchange = exchange;
      return false;
    });
    // The upstream fills both kernel buffers and then waits: nothing moves while we do not read.
    await upstream.waitUntil((one) => (one.entriesOf('fx-firehose')[0]?.chunksSent ?? 0) > 0);
    const entry = upstream.single('fx-firehose');
    let last = -1;
    while (entry.bytesSent !== last) {
      last = entry.bytesSent;
      await hear(chatRequest('fx-json'));
    }
    expect(last).toBeLessThan(16 * 1024 * 1024);
    stopped.exchange?.resume();
    const heard = await result;
    expect(heard.ended).toBe(true);
    expect(sizeOf(heard)).toBe(entry.bytesSent + 'data: [DONE]\n\n'.length);
  });

  it.each<[string, (goOn: () => void) => void]>([
    ['in the same turn', (goOn) => queueMicrotask(goOn)],
    ['on the next tick', (goOn) => process.nextTick(goOn)],
    ['in the next turn', (goOn) => setImmediate(goOn)],
  ])('continues after each pause when resumed %s', async (_when, later) => {
    const model = 'fx-wide';
    upstream.on(model, async (exchange) => {
      beginStream(exchange);
      for (let part = 0; part < 64; part += 1) await exchange.write('x'.repeat(65_536));
      exchange.response.end();
    });
    const heard = await hear(chatRequest(model, {}, { stream: true }), (_heard, exchange) => {
      later(() => exchange.resume());
      return false;
    });
    expect(heard.ended).toBe(true);
    expect(sizeOf(heard)).toBe(64 * 65_536);
  });

  it('bounds small fetches in time and size', async () => {
    const late = await fetchBounded(sender, chatRequest('fx-silent'), { timeoutMs: 50, maxBytes: 1_000 });
    expect(late).toEqual({ ok: false, error: { kind: 'timeout' } });
    const large = await fetchBounded(sender, chatRequest('fx-huge-json'), {
      timeoutMs: 5_000,
      maxBytes: 1_000,
    });
    expect(large).toEqual({ ok: false, error: { kind: 'too-large' } });
    const right = await fetchBounded(
      sender,
      { ...chatRequest(''), method: 'GET', url: `${upstream.url}/v1/models`, body: undefined },
      { timeoutMs: 5_000, maxBytes: 10_000 },
    );
    expect(right.ok && right.value.status).toBe(200);
  });
});

describe('PooledHttpSender through a proxy', () => {
  beforeAll(async () => {
    upstream = await FakeUpstream.start();
    sender = new PooledHttpSender(new OutboundPolicy({ allowedPrivateHosts: [], isLoopback: true }));
  });
  afterAll(async () => {
    await sender.close();
    await upstream.close();
  });

  let proxy: Server;
  let proxied: string[];

  beforeAll(async () => {
    proxied = [];
    proxy = createHttpServer((incoming, outgoing) => {
      proxied.push(`${incoming.method} ${incoming.url} ${incoming.headers['proxy-authorization'] ?? ''}`);
      const onward = httpRequest(
        incoming.url ?? '',
        { method: incoming.method, headers: incoming.headers },
        (reply) => {
          outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
          reply.pipe(outgoing);
        },
      );
      incoming.pipe(onward);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
  });
  afterAll(async () => {
    proxy.close();
    await once(proxy, 'close');
  });

  it('connects through the http proxy of a channel with its credentials', async () => {
    const { port } = proxy.address() as AddressInfo;
    const heard = await hear(chatRequest('fx-json', { proxy: `http://user:pass%21@127.0.0.1:${port}` }));
    expect(heard.status).toBe(200);
    expect(proxied).toEqual([
      `POST ${upstream.url}/v1/chat/completions Basic ${Buffer.from('user:pass!').toString('base64')}`,
    ]);
  });

  it('connects through the socks5 proxy of a channel', async () => {
    const socks = createServer((client: Socket) => void serveSocks(client)).listen(0, '127.0.0.1');
    await once(socks, 'listening');
    const { port } = socks.address() as AddressInfo;
    const own = new PooledHttpSender(new OutboundPolicy({ allowedPrivateHosts: [], isLoopback: true }));
    const heard = await hear(
      chatRequest('fx-json', { proxy: `socks5://127.0.0.1:${port}` }),
      () => true,
      own,
    );
    expect(heard.status).toBe(200);
    await own.close();
    socks.close();
    await once(socks, 'close');
  });

  it('refuses a proxy of another kind or on a refused address', async () => {
    expect((await hear(chatRequest('fx-json', { proxy: 'ftp://127.0.0.1:1' }))).fault?.kind).toBe(
      'refused-by-policy',
    );
    expect((await hear(chatRequest('fx-json', { proxy: 'http://169.254.169.254:80' }))).fault?.kind).toBe(
      'refused-by-policy',
    );
  });
});

/** The smallest SOCKS5 server: no authentication, CONNECT to an IPv4 address or a name. */
async function serveSocks(client: Socket): Promise<void> {
  client.on('error', () => client.destroy());
  await once(client, 'data');
  client.write(Buffer.from([5, 0]));
  const [ask] = (await once(client, 'data')) as [Buffer];
  const isName = ask[3] === 3;
  const end = isName ? 5 + (ask[4] ?? 0) : 8;
  const host = isName ? ask.subarray(5, end).toString() : [...ask.subarray(4, 8)].join('.');
  const onward = connect(ask.readUInt16BE(end), host);
  onward.on('error', () => client.destroy());
  await once(onward, 'connect');
  client.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
  client.pipe(onward).pipe(client);
}
