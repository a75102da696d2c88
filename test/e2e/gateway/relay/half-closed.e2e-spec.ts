import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Balancer } from '../../../chaos/rig/balancer.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { beginStream, chunkOf, usageOf } from '../../../support/fake-upstream-behaviours.js';
import { FX_PRICES, GatewayConsole, missing } from '../../../support/gateway-console.js';
import { installMissing } from '../../../support/programs.js';
import { FX_MESSAGES } from '../../../support/relay-client.js';
import { until } from '../../../support/until.js';
import { inOwnTongue } from '../../base/billing/same-format-vendor.js';

/** Fifty tokens each: of an upstream that is translated, of one with every dialect, and of Google. */
const TRANSLATED = 'fx-json';
const OWN = 'fx-half';
const GOOGLE = 'fx-half-google';
/** Takes a request and says nothing. */
const SILENT = 'fx-silent';
/** Three tokens of a stream, and the rest when the test says so. */
const PAUSED = 'fx-half-paused';
/** The first half of a file, and the second when the test says so. */
const SPEECH = 'fx-half-speech';
const HALF_FILE = Buffer.alloc(24_000, 'x');
const MODELS = [TRANSLATED, OWN, GOOGLE, SILENT, PAUSED, SPEECH];
const [GATEWAY_TYPE, GOOGLE_TYPE] = [60, 24];
const FULL_CHARGE = 110;
/** Maximum charge of three tokens and our own count of the prompt. */
const MOST_LEFT = 40;
const TEXT = FX_MESSAGES[0]?.content ?? '';
const INTERIM = 'HTTP/1.1 100 Continue\r\n\r\n';
/** The client is probed at once and each second; a busy machine takes its time. */
const NOTICED_MS = 5_000;

interface ClientRoute {
  readonly path: (stream: boolean) => string;
  readonly body: (stream: boolean) => object;
}

const chat = (model: string): ClientRoute => ({
  path: () => '/v1/chat/completions',
  body: (stream) => ({ model, messages: FX_MESSAGES, stream }),
});

const CLIENT_ROUTES: Readonly<Record<string, ClientRoute>> = {
  chat: chat(TRANSLATED),
  'chat, by way of the framework': { ...chat(TRANSLATED), path: () => '/v1/chat/completions/' },
  completions: {
    path: () => '/v1/completions',
    body: (stream) => ({ model: OWN, prompt: TEXT, stream, max_tokens: 200 }),
  },
  Responses: { path: () => '/v1/responses', body: (stream) => ({ model: OWN, input: TEXT, stream }) },
  Anthropic: {
    path: () => '/v1/messages',
    body: (stream) => ({ model: OWN, max_tokens: 200, messages: FX_MESSAGES, stream }),
  },
  'Anthropic, translated': {
    path: () => '/v1/messages',
    body: (stream) => ({ model: TRANSLATED, max_tokens: 200, messages: FX_MESSAGES, stream }),
  },
  Gemini: {
    path: (stream) =>
      `/v1beta/models/${GOOGLE}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: () => ({ contents: [{ role: 'user', parts: [{ text: TEXT }] }] }),
  },
};

/** Forms of one request's bytes on the wire. */
const FRAMINGS = {
  'HTTP/1.1': (head: string, body: string) =>
    `POST ${head}HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  'HTTP/1.1 that closes': (head: string, body: string) =>
    `POST ${head}HTTP/1.1\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  'HTTP/1.1 in chunks': (head: string, body: string) =>
    `POST ${head}HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  'HTTP/1.0': (head: string, body: string) =>
    `POST ${head}HTTP/1.0\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
} as const;
type Framing = keyof typeof FRAMINGS;

describe.each([
  ['on the fast path', {}],
  ['without the fast path', { RELAY_FAST_PATH: 'false' }],
])('a client that has closed only its sending half, %s', (_, env: Record<string, string>) => {
  let database: TestDatabase;
  let app: TestApp;
  let upstream: FakeUpstream;
  let key: string;
  let goOn: () => void;

  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
    upstream = await FakeUpstream.start();
    app = await startTestApp({ env: { DATABASE_URL: database.url, ...env } });
    const admin = new GatewayConsole(app.url);
    await admin.setUp();
    await admin.setOptions(FX_PRICES(MODELS));
    upstream.on(OWN, inOwnTongue);
    // Gemini's model stands in the address.
    upstream.on('', inOwnTongue);
    upstream.on(PAUSED, async (exchange) => {
      beginStream(exchange);
      for (let index = 0; index < 3; index += 1) await exchange.write(chunkOf(exchange, { content: ' tok' }));
      await new Promise<void>((resolve) => (goOn = resolve));
      exchange.response.end(chunkOf(exchange, {}, 'stop', { usage: usageOf(50) }) + 'data: [DONE]\n\n');
    });
    upstream.on(SPEECH, async ({ response }) => {
      response.writeHead(200, { 'content-type': 'audio/pcm' });
      response.write(HALF_FILE);
      await new Promise<void>((resolve) => (goOn = resolve));
      response.end(HALF_FILE);
    });
    await admin.addChannel({ type: GATEWAY_TYPE, base_url: upstream.url, models: [OWN] });
    await admin.addChannel({ base_url: upstream.url, models: [TRANSLATED, SILENT, PAUSED, SPEECH] });
    await admin.addChannel({ type: GOOGLE_TYPE, base_url: upstream.url, models: [GOOGLE] });
    ({ key } = await admin.addToken());
  });
  afterAll(async () => {
    await app?.close();
    await upstream?.close();
    await database?.drop();
  });

  const write = (framing: Framing, clientRoute: ClientRoute, stream: boolean): string => {
    const fields = ['Host: localhost', `Authorization: Bearer ${key}`, 'Content-Type: application/json'];
    const text = FRAMINGS[framing](`${clientRoute.path(stream)} `, JSON.stringify(clientRoute.body(stream)));
    return text.replace('\r\n', `\r\n${fields.join('\r\n')}\r\n`);
  };

  interface Ask {
    readonly socket: Socket;
    readonly heard: () => string;
    readonly over: Promise<unknown>;
  }

  /** Sends all of it, and then FIN when `ends`. */
  function send(bytes: string, ends: boolean, url = app.url): Ask {
    const { hostname, port } = new URL(url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    let heard = '';
    socket.on('data', (part: Buffer) => (heard += part.toString())).on('error', () => undefined);
    const over = new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
    if (ends) socket.end(bytes);
    else socket.write(bytes);
    return { socket, heard: () => heard, over };
  }

  /** Interim replies do not count. @returns what came until the gateway ended the connection */
  async function allOf({ heard, over }: Ask): Promise<string> {
    await over;
    return heard().replaceAll(INTERIM, '');
  }

  interface Charge {
    readonly charged: number;
    readonly outcome: string;
  }

  const charges = async (): Promise<Charge[]> => {
    const rows: Record<string, unknown>[] = await app.dataSource.query(
      'SELECT charged, outcome FROM settlements ORDER BY request_id',
    );
    return rows.map((row) => ({ charged: Number(row['charged']), outcome: String(row['outcome']) }));
  };

  /** Runs calls that reach the upstream. @returns what they were charged */
  async function chargesOf(calls: number, run: () => Promise<void>): Promise<Charge[]> {
    const before = (await charges()).length;
    await run();
    let after: Charge[] = [];
    await until(async () => (after = await charges()).length >= before + calls);
    return after.slice(before);
  }

  /** The upstream answers only after the sending half was closed, and after the client was probed. */
  async function askAndEnd(bytes: string, calls = 1): Promise<string> {
    let all = '';
    const charged = await chargesOf(calls, async () => {
      const release = upstream.holdAnswers();
      const ask = send(bytes, true);
      await Promise.race([until(() => ask.heard().startsWith(INTERIM)), ask.over]);
      release();
      all = await allOf(ask);
    });
    expect(charged).toEqual(Array.from({ length: calls }, () => ({ charged: FULL_CHARGE, outcome: 'ok' })));
    return all;
  }

  const newer = (Object.keys(FRAMINGS) as Framing[]).filter((framing) => framing !== 'HTTP/1.0');

  describe.each(Object.entries(CLIENT_ROUTES))(
    'gets its answer by the route %s and pays for it',
    (_name, clientRoute) => {
      it.each(newer)('whole, %s', async (framing) => {
        const heard = await askAndEnd(write(framing, clientRoute, false));
        expect(heard).toMatch(/^HTTP\/1\.1 200 /);
        expect(heard.match(/\btok\b/g)).toHaveLength(50);
      });

      it.each(newer)('gives it as a stream, %s', async (framing) => {
        const heard = await askAndEnd(write(framing, clientRoute, true));
        expect(heard).toMatch(/^HTTP\/1\.1 200 /);
        expect(heard.match(/\btok\b/g)?.length).toBeGreaterThanOrEqual(50);
      });
    },
  );

  it.each(newer)('receives a refusal, %s', async (framing) => {
    const unknown: ClientRoute = {
      path: () => '/v1/chat/completions',
      body: () => ({ model: 'fx-unknown' }),
    };
    expect(await allOf(send(write(framing, unknown, false), true))).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  it('gets answers to all its requests', async () => {
    const plain = write('HTTP/1.1', chat(TRANSLATED), false);
    const inChunks = write('HTTP/1.1 in chunks', chat(TRANSLATED), false);
    for (const requests of [
      [plain, plain, plain],
      [plain, inChunks],
      [inChunks, plain],
    ]) {
      const heard = await askAndEnd(requests.join(''), requests.length);
      expect(heard.split('HTTP/1.1 200 ')).toHaveLength(requests.length + 1);
    }
  });

  it('gets no answer to a request that it has not sent whole', async () => {
    const plain = write('HTTP/1.1', chat(TRANSLATED), false);
    const before = upstream.journal.length;
    expect(await allOf(send(plain.slice(0, -5), true))).not.toContain('HTTP/1.1 200 ');
    expect(upstream.journal).toHaveLength(before);
  });

  it.each(['HTTP/1.1', 'HTTP/1.1 in chunks'] as const)(
    'probes it by pings between events while the vendor is silent in a stream, %s',
    async (framing) => {
      const [charge] = await chargesOf(1, async () => {
        const ask = send(write(framing, chat(PAUSED), true), true);
        await until(() => ask.heard().includes(': PING\n\n'));
        goOn();
        const heard = await allOf(ask);
        expect(heard.match(/\btok\b/g)).toHaveLength(3);
        expect(heard).toContain('data: [DONE]');
      });
      expect(charge).toMatchObject({ outcome: 'ok' });
    },
  );

  const speech: ClientRoute = {
    path: () => '/v1/audio/speech',
    body: () => ({ model: SPEECH, voice: 'alloy', input: 'one', response_format: 'pcm' }),
  };

  it('gets a file that begins after it had ended, untouched', async () => {
    const [charge] = await chargesOf(1, async () => {
      const ask = send(write('HTTP/1.1 that closes', speech, false), true);
      await until(() => ask.heard().includes('xxx'));
      goOn();
      const heard = await allOf(ask);
      expect(heard.match(/x{3,}/g)?.join('')).toHaveLength(2 * HALF_FILE.length);
    });
    expect(charge).toMatchObject({ outcome: 'ok' });
  });

  it('counts as gone when it ends in the middle of a file, where nothing may be written', async () => {
    const [charge] = await chargesOf(1, async () => {
      const ask = send(write('HTTP/1.1', speech, false), false);
      await until(() => ask.heard().includes('xxx'));
      ask.socket.end();
      await ask.over;
    });
    expect(charge).toMatchObject({ outcome: 'client_abort' });
  });

  it.each([false, true])('counts as gone when it speaks HTTP/1.0 (stream: %s)', async (stream) => {
    const [charge = missing()] = await chargesOf(1, async () => {
      const asked = upstream.journal.length;
      const ask = send(write('HTTP/1.0', chat(SILENT), stream), false);
      await upstream.waitUntil(({ journal }) => journal.length > asked);
      ask.socket.end();
      expect(await allOf(ask)).toBe('');
    });
    expect(charge).toMatchObject({ outcome: 'client_abort' });
  });

  const LEAVES: Readonly<Record<string, (ask: Ask) => Promise<void>>> = {
    'by closing all at once': async ({ socket }) => void socket.destroy(),
    'by a reset': async ({ socket }) => void socket.resetAndDestroy(),
    'after it had closed its sending half': async ({ socket, heard }) => {
      const length = heard().length;
      socket.end();
      await until(() => heard().length > length);
      socket.destroy();
    },
    'by a reset, after it had closed its sending half': async ({ socket, heard }) => {
      const length = heard().length;
      socket.end();
      await until(() => heard().length > length);
      socket.resetAndDestroy();
    },
  };

  describe.each(Object.entries(LEAVES))(
    'is noticed to leave %s, while the vendor is silent',
    (_name, leave) => {
      it.each([
        ['before a whole answer', SILENT, false, 'HTTP/1.1'],
        ['before a stream', SILENT, true, 'HTTP/1.1'],
        ['in a stream', PAUSED, true, 'HTTP/1.1'],
        ['before a whole answer to chunks', SILENT, false, 'HTTP/1.1 in chunks'],
        ['in a stream to chunks', PAUSED, true, 'HTTP/1.1 in chunks'],
      ] as const)('%s', async (_when, model, stream, framing) => {
        const [charge = missing()] = await chargesOf(1, async () => {
          const asked = upstream.journal.length;
          const ask = send(write(framing, chat(model), stream), false);
          await upstream.waitUntil(({ journal }) => journal.length > asked);
          if (model === PAUSED) await until(() => ask.heard().split('" tok').length === 4);
          await leave(ask);
          const leftAtMs = Date.now();
          const entry = upstream.journal[asked] ?? missing();
          await upstream.waitUntil(() => entry.ending === 'cancelled');
          expect((entry.endedAtMs ?? missing()) - leftAtMs).toBeLessThan(NOTICED_MS);
        });
        expect(charge.outcome).toBe('client_abort');
        expect(charge.charged).toBeLessThanOrEqual(MOST_LEFT);
      });
    },
  );

  describe('behind the balancer of docker/nginx.conf', () => {
    let folder: string;
    let balancer: Balancer;
    beforeAll(async () => {
      installMissing(['nginx'], () => undefined);
      folder = mkdtempSync(join(tmpdir(), 'tollgate-half-closed-'));
      const port = Number(new URL(app.url).port);
      balancer = await Balancer.start(folder, [port, port]);
    });
    afterAll(async () => {
      await balancer?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    // nginx takes a client that sends no more for one that has left, and leaves the gateway.
    it.each([
      ['closes its sending half', (socket: Socket) => socket.end()],
      ['leaves', (socket: Socket) => socket.destroy()],
      ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ])('counts a client as gone when it %s', async (_what, leave) => {
      for (const [model, stream] of [
        [SILENT, false],
        [SILENT, true],
        [PAUSED, true],
      ] as const) {
        const [charge = missing()] = await chargesOf(1, async () => {
          const asked = upstream.journal.length;
          const ask = send(write('HTTP/1.1', chat(model), stream), false, balancer.url);
          await upstream.waitUntil(({ journal }) => journal.length > asked);
          if (model === PAUSED) await until(() => ask.heard().split('" tok').length === 4);
          leave(ask.socket);
          const entry = upstream.journal[asked] ?? missing();
          await upstream.waitUntil(() => entry.ending === 'cancelled');
        });
        expect(charge.outcome).toBe('client_abort');
        expect(charge.charged).toBeLessThanOrEqual(MOST_LEFT);
      }
    });
  });
});
