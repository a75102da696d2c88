import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { BEHAVIOURS } from '../../../support/fake-upstream-behaviours.js';
import type { Behaviour } from '../../../support/fake-upstream-exchange.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { errorOf, RelayClient } from '../../../support/relay-client.js';

const TICK_MS = 10;
let gateway: GatewayProcess;
let upstream: FakeUpstream;
let client: RelayClient;
let key: string;

/** Form of names at OpenAI-compatible providers and at vendors of many models. */
const SLASHED = 'vendor/fx-name:free';

beforeAll(async () => {
  upstream = await FakeUpstream.start();
  upstream.on(SLASHED, BEHAVIOURS['fx-quick'] as Behaviour);
  gateway = await GatewayProcess.start({ env: { MAX_REQUEST_BODY_MB: '2' } });
  const admin = new GatewayConsole(gateway.url);
  await admin.setUp();
  await admin.setOptions(FX_PRICES(['fx-quick', SLASHED]));
  await admin.addChannel({ base_url: upstream.url, models: ['fx-quick', SLASHED] });
  ({ key } = await admin.addToken());
  client = new RelayClient(gateway.url, key);
});

afterAll(async () => {
  client?.close();
  await gateway?.stop();
  await upstream?.close();
});

const good = { model: 'fx-quick', messages: [{ role: 'user', content: 'hi' }] };

/** CPU time of the gateway in milliseconds, as the kernel counts it: a busy machine does not change it. */
function cpuMs(): number {
  const [, fields = ''] = readFileSync(`/proc/${gateway.pid}/stat`, 'latin1').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * TICK_MS;
}

describe('addresses', () => {
  it.each([
    '/v1/unknown',
    '/v1',
    '/v1/chat',
    '/v1beta/openai/unknown',
    '/v1/chat/completions/more',
    '/pg/unknown',
    '/openai',
    '/openai/v1/unknown',
    '/v2/chat',
  ])('%s is unknown, in the OpenAI shape, and never forwarded', async (path) => {
    const count = upstream.journal.length;
    for (const method of ['GET', 'POST']) {
      const answer = await client.ask({ path, method, body: method === 'POST' ? good : undefined });
      expect(answer.status).toBe(404);
      expect(errorOf(answer)).toMatchObject({ type: 'invalid_request_error' });
      expect(errorOf(answer).message).toContain(method);
    }
    expect(upstream.journal).toHaveLength(count);
  });

  it.each([
    ['/v1beta', { error: { code: 404, status: 'NOT_FOUND' } }],
    ['/v1beta/models/x:unknownVerb', { error: { code: 404, status: 'NOT_FOUND' } }],
    ['/anthropic/v1/unknown', { type: 'error', error: { type: 'not_found_error' } }],
    ['/v1/chat/completion', { error: { message: expect.stringContaining('Use /v1/chat/completions.') } }],
    [
      '/api/v1/chat/completions',
      { error: { message: expect.stringContaining('Use /v1/chat/completions.') } },
    ],
    ['/v1/messages/unknown', { type: 'error', error: { type: 'not_found_error' } }],
    ['/mj', { code: 4, description: expect.stringContaining('Invalid URL (POST /mj)') }],
    ['/mj-fast/mj/unknown', { code: 4 }],
    ['/suno/', { message: expect.stringContaining('Invalid URL (POST /suno)'), data: null }],
  ])('%s is unknown, in the shape of its dialect', async (path, shape) => {
    const answer = await client.ask({ path, body: good });
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text)).toMatchObject(shape);
  });

  it.each([
    '/v1/files',
    '/v1/files/x/content',
    '/v1/edits',
    '/v1/assistants',
    '/v1/batches',
    '/v1/responses/resp_1',
  ])('%s is known but not offered', async (path) => {
    const answer = await client.ask({ path, body: {} });
    expect(answer.status).toBe(501);
    expect(errorOf(answer).code).toBe('api_not_implemented');
  });

  it('answers other methods 405 and names the right one [HTTP-07]', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await client.ask({ method });
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toBe('POST');
      expect(errorOf(answer).message).toContain(method);
    }
    expect((await client.ask({ path: '/v1/models', body: {} })).status).toBe(405);
  });

  it('answers a WebSocket of Codex 426, so that it sends requests at once', async () => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket' };
    const answer = await client.ask({ path: '/v1/responses', method: 'GET', headers });
    expect([answer.status, errorOf(answer).code]).toEqual([426, 'upgrade_required']);
    expect((await client.ask({ path: '/v1/responses', method: 'GET' })).status).toBe(405);
  });

  it.each([
    '/openai/v1/chat/completions',
    '/v1beta/openai/chat/completions',
    '/v1/v1/chat/completions',
    '/v1/chat/completions/v1/chat/completions',
    '/chat/completions',
  ])('%s is the address a client makes of another base address', async (path) => {
    const ways: readonly Readonly<Record<string, string>>[] = [{}, { te: 'trailers' }];
    for (const headers of ways) expect((await client.ask({ path, body: good, headers })).status).toBe(200);
    expect((await client.ask({ path, method: 'GET' })).status).toBe(405);
  });

  it('serves the other addresses of OpenAI, Anthropic and Google in such spellings too', async () => {
    expect((await client.ask({ path: '/openai/v1/models', method: 'GET' })).status).toBe(200);
    expect((await client.ask({ path: '/openai/v1/files', body: {} })).status).toBe(501);
    for (const path of ['/anthropic/v1/messages', '/v1/v1/messages', '/v1/messages/v1/messages']) {
      const answer = await client.ask({ path, body: { ...good, max_tokens: 9 } });
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        200,
        expect.objectContaining({ type: 'message' }),
      ]);
    }
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
    const answer = await client.ask({ path: '/v1alpha/models/fx-quick:generateContent', body: { contents } });
    expect(answer.status).toBe(200);
  });

  it.each(['vendor/fx-name:free', 'vendor%2Ffx-name%3Afree', 'vendor/fx-name%3Afree'])(
    'models/%s is one model for every verb of Google',
    async (name) => {
      const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
      for (const verb of ['generateContent', 'streamGenerateContent?alt=sse', 'countTokens'])
        for (const version of ['v1beta', 'v1', 'v1alpha']) {
          const path = `/${version}/models/${name}:${verb}`;
          expect([path, (await client.ask({ path, body: { contents } })).status]).toEqual([path, 200]);
        }
    },
  );

  it('serves both spellings of a slash', async () => {
    expect((await client.ask({ path: '/v1/chat/completions/', body: good })).status).toBe(200);
    expect((await client.ask({ path: '/v1/models/', method: 'GET' })).status).toBe(200);
  });
});

describe('bodies', () => {
  const PACKERS: readonly (readonly [string, (text: string) => Buffer])[] = [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ];
  /** Calls with plain heads take the fast path, others go through Node’s server. */
  const WAYS = [
    ['the fast path', {}],
    ['Node’s server', { te: 'trailers' }],
  ] as const;
  const CLIENT_ROUTES = [
    ['/v1/chat/completions', good],
    ['/openai/v1/chat/completions', good],
    ['/v1/messages', { ...good, max_tokens: 5 }],
    ['/v1beta/models/fx-quick:generateContent', { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }],
  ] as const;
  const packed = PACKERS.flatMap(([encoding, pack]) =>
    WAYS.map(([way, fields]) => [encoding, way, pack, fields] as const),
  );

  it.each(packed)('packed as %s are read on every address, by %s', async (encoding, _way, pack, fields) => {
    for (const [path, body] of CLIENT_ROUTES) {
      const headers = { 'content-encoding': encoding, ...fields };
      const answer = await client.ask({ path, body: pack(JSON.stringify(body)), headers });
      expect([path, answer.status]).toEqual([path, 200]);
    }
  });

  it.each(packed)(
    'packed as %s do not get past the limit, nor past the key, by %s',
    async (encoding, _way, pack, fields) => {
      const headers = { 'content-encoding': encoding, ...fields };
      const bomb = pack(JSON.stringify({ ...good, padding: ' '.repeat(8 * 1024 * 1024) }));
      expect((await client.ask({ body: bomb, headers })).status).toBe(413);
      expect((await client.ask({ body: bomb, headers, key: 'sk-unknown' })).status).toBe(401);
      expect((await client.ask({ body: JSON.stringify(good), headers })).status).toBe(400);
    },
  );

  it.each(['compress', 'gzip, br', 'exi'])('packed as %s are refused with 415', async (encoding) => {
    const answer = await client.ask({ body: good, headers: { 'content-encoding': encoding } });
    expect(answer.status).toBe(415);
    expect(errorOf(answer).message).toContain('gzip, deflate, br, zstd');
  });

  it.each(['application/json\tx', 'text/plain', 'application/x-www-form-urlencoded'])(
    'refuses content type %j [HTTP-06]',
    async (type) => {
      expect((await client.ask({ body: good, headers: { 'content-type': type } })).status).toBe(415);
    },
  );

  it('takes JSON in any spelling of its type', async () => {
    expect(
      (await client.ask({ body: good, headers: { 'content-type': 'Application/JSON; charset=utf-8' } }))
        .status,
    ).toBe(200);
  });

  it('refuses a body over the limit before reading it when its length is known, and while reading when not [F-49]', async () => {
    const huge = { ...good, padding: 'x'.repeat(3 * 1024 * 1024) };
    const told = await client.ask({ body: huge });
    expect(told.status).toBe(413);
    const { request } = client.open({
      body: undefined,
      headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
    });
    request.destroy();
    const untold = await chunkedBody(Buffer.from(JSON.stringify(huge)));
    expect(untold).toContain(' 413 ');
    // More than all bodies together may take: still no matter of how busy it is.
    const enormous = await raw(
      'POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1073741824\r\n' +
        `Authorization: Bearer ${key}\r\n\r\n{`,
    );
    expect(enormous).toContain(' 413 ');
  });

  it.each([
    ['nothing', ''],
    ['not JSON', '{"model":'],
    ['text after the end', `${JSON.stringify(good)} x`],
    ['an array', '[]'],
    ['a number', '1'],
    ['null', 'null'],
    ['no model', JSON.stringify({ messages: good.messages })],
    ['a numeric model', JSON.stringify({ ...good, model: 7 })],
    ['no messages', JSON.stringify({ model: 'fx-quick' })],
    ['messages that are text', JSON.stringify({ model: 'fx-quick', messages: 'hi' })],
    ['no messages in the list', JSON.stringify({ model: 'fx-quick', messages: [] })],
    [
      'F-50 100,000 nested arrays',
      `{"model":"fx-quick","messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    ],
    [
      'F-50 a million keys',
      `{"model":"fx-quick","messages":[{}],${Array.from({ length: 150_000 }, (_, i) => `"k${i}":0`).join(',')}}`,
    ],
  ])('refuses %s with 400 for less than 200 ms of CPU [F-50]', async (_, body) => {
    const startedAtMs = cpuMs();
    const answer = await client.ask({ body: Buffer.from(body) });
    expect(answer.status).toBe(400);
    expect(errorOf(answer).type).toBe('invalid_request_error');
    expect(cpuMs() - startedAtMs).toBeLessThan(200);
  });

  it.each([
    ['a lone continuation byte', Buffer.from([0x80])],
    ['an overlong slash', Buffer.from([0xc0, 0xaf])],
    ['a surrogate', Buffer.from([0xed, 0xa0, 0x80])],
    ['a byte too many', Buffer.from([0xf5, 0x80, 0x80, 0x80])],
  ])('refuses %s [HTTP-04, F-51]', async (_, bad) => {
    const [before = '', after = ''] = JSON.stringify({
      ...good,
      messages: [{ role: 'user', content: '#' }],
    }).split('#');
    const answer = await client.ask({ body: Buffer.concat([Buffer.from(before), bad, Buffer.from(after)]) });
    expect(answer.status).toBe(400);
  });

  it('refuses UTF-16 [F-51]', async () => {
    expect((await client.ask({ body: Buffer.from(JSON.stringify(good), 'utf16le') })).status).toBe(400);
  });
});

describe('keys', () => {
  it.each([
    ['none', {}],
    ['another scheme', { authorization: 'Basic abc' }],
    ['an empty one', { authorization: 'Bearer ' }],
    ['a made-up one', { authorization: `Bearer sk-${'a'.repeat(48)}` }],
    ['SQL', { authorization: "Bearer sk-' OR 1=1 --" }],
  ])('refuses %s [TOK-02]', async (_, headers: Record<string, string>) => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(good),
    });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_api_key' } });
  });

  it('refuses two Authorization headers [TOK-02]', async () => {
    const body = JSON.stringify(good);
    const reply = await raw(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
        `Authorization: Bearer sk-other\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n${body}`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 40[01] /);
  });

  it('ignores cookies on the relay [AUTH-06]', async () => {
    const response = await fetch(`${gateway.url}/v1/models`, {
      headers: { cookie: 'session=anything', 'new-api-user': '1' },
    });
    expect(response.status).toBe(401);
  });
});

describe('browsers', () => {
  it('answers a preflight for any origin, without credentials [AUTH-06]', async () => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://anywhere.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-stainless-lang',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toContain('authorization');
    expect(response.headers.has('access-control-allow-credentials')).toBe(false);
  });

  it('lets any origin read an answer, refusals included [AUTH-06]', async () => {
    const answered = await client.ask({ body: good, headers: { origin: 'https://anywhere.example' } });
    expect(answered.headers['access-control-allow-origin']).toBe('*');
    const refused = await client.ask({
      body: good,
      key: 'sk-wrong',
      headers: { origin: 'https://anywhere.example' },
    });
    expect(refused.headers['access-control-allow-origin']).toBe('*');
    expect(refused.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('RLY-08', () => {
  it('answers a prompt of 100,000 unbroken letters in under half a second of CPU', async () => {
    const startedAtMs = cpuMs();
    const answer = await client.ask({
      body: { model: 'fx-quick', messages: [{ role: 'user', content: 'a'.repeat(100_000) }] },
    });
    expect(answer.status).toBe(200);
    expect(cpuMs() - startedAtMs).toBeLessThan(500);
  });
});

/** Sends bytes as they are and returns what comes back until the connection ends. */
async function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.on('error', () => socket.destroy());
  socket.write(text);
  await once(socket, 'close');
  return Buffer.concat(parts).toString();
}

function chunkedBody(body: Buffer): Promise<string> {
  return raw(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n` +
      `Authorization: Bearer ${key}\r\nConnection: close\r\n\r\n${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n0\r\n\r\n`,
  );
}
