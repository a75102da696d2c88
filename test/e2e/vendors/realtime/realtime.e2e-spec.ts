import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { WebSocket } from 'ws';
import { GatewayConsole } from '../../../support/gateway-console.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { MEDIA_PRICES } from '../media/media.fixture.js';
import { CHARGE, respond, say, ScriptedRealtime, USAGE } from './scripted-realtime.js';

/** Realtime sessions through the gateway, with the official client and with bare WebSockets. */
const MODEL = 'gpt-realtime';

let app: TestApp;
let admin: GatewayConsole;
let vendor: ScriptedRealtime;
let second: ScriptedRealtime;
let key: string;
let port: number;

beforeAll(async () => {
  vendor = await ScriptedRealtime.start();
  second = await ScriptedRealtime.start();
  app = await startTestApp();
  port = Number(new URL(app.url).port);
  admin = new GatewayConsole(app.url);
  await admin.setUp();
  await admin.setOptions({
    ...MEDIA_PRICES,
    ModelRatio: { ...MEDIA_PRICES.ModelRatio, 'gpt-4o-realtime-preview': 1, azure: 1, both: 1 },
    RetryTimes: 2,
  });
  await admin.addChannel({ base_url: vendor.url, models: [MODEL, 'gpt-4o-realtime-preview'] });
  await admin.addChannel({ type: 3, base_url: vendor.url, models: ['azure'], other: '2025-04-01-preview' });
  await admin.addChannel({ name: 'first', base_url: vendor.url, models: ['both'], priority: 10 });
  await admin.addChannel({ name: 'second', base_url: second.url, models: ['both'], priority: 1 });
  ({ key } = await admin.addToken());
});

beforeEach(() => {
  for (const one of [vendor, second]) {
    one.refusesWith = undefined;
    one.hello = { type: 'session.created', session: { id: 'sess_1' } };
    one.script = (session, frame) => {
      if (frame.type === 'response.create') respond(session, USAGE);
    };
  }
});

afterAll(async () => {
  await app?.close();
  await vendor?.close();
  await second?.close();
});

const address = (model: string): string => `ws://127.0.0.1:${port}/v1/realtime?model=${model}`;

/** A bare client whose frames can be waited for. */
class Client {
  readonly frames: string[] = [];
  closed: { code: number; reason: string } | undefined;
  private readonly watchers = new Set<() => void>();

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.frames.push(data.toString('utf8'));
      this.tell();
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
      this.tell();
    });
    socket.on('error', () => this.tell());
  }

  static async open(model = MODEL, token = key): Promise<Client> {
    const socket = new WebSocket(address(model), { headers: { authorization: `Bearer ${token}` } });
    const client = new Client(socket);
    await once(socket, 'open');
    await client.until(() => client.frames.length > 0);
    return client;
  }

  get types(): string[] {
    return this.frames.map((frame) => (JSON.parse(frame) as { type: string }).type);
  }

  send(event: unknown): void {
    this.socket.send(JSON.stringify(event));
  }

  async until(isTrue: () => boolean, timeoutMs = 10_000): Promise<void> {
    if (isTrue()) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`not seen: ${this.types.join(' ')}`)), timeoutMs);
      this.watchers.add(() => {
        if (!isTrue()) return;
        clearTimeout(timer);
        resolve();
      });
    });
  }

  private tell(): void {
    for (const watcher of this.watchers) watcher();
  }
}

async function chargeOf(call: () => Promise<unknown>, account = admin): Promise<number> {
  const before = await account.balance();
  await call();
  const after = await account.waitFor(
    () => account.balance(),
    (balance) => balance !== before,
  );
  return before - after;
}

/** Answer to a refused handshake. */
async function refusalOf(url: string, headers: Record<string, string> = {}, protocols: string[] = []) {
  const socket = new WebSocket(url, protocols, { headers });
  socket.on('error', () => undefined);
  const [, reply] = (await once(socket, 'unexpected-response')) as [
    unknown,
    import('node:http').IncomingMessage,
  ];
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    status: reply.statusCode,
    headers: reply.headers,
    error: (JSON.parse(text) as { error: { message: string } }).error,
  };
}

describe('a realtime session', () => {
  it('passes frames untouched both ways, and is charged once by the figures of all its responses', async () => {
    const charge = await chargeOf(async () => {
      const openai = new OpenAI({ apiKey: key, baseURL: `https://127.0.0.1:${port}/v1` });
      // The client insists on wss; the connection below it is a plain one.
      const realtime = new OpenAIRealtimeWS(
        { model: MODEL, options: { createConnection: () => connect(port, '127.0.0.1') } as never },
        openai,
      );
      await once(realtime.socket, 'open');
      const done = Promise.withResolvers<void>();
      let responses = 0;
      const words: string[] = [];
      realtime.on('response.output_audio_transcript.delta', (event) => words.push(event.delta));
      realtime.on('error', (fault) => done.reject(fault));
      realtime.on('response.done', (event) => {
        expect(event.response.usage?.total_tokens).toBe(130);
        responses += 1;
        if (responses === 2) done.resolve();
        else realtime.send({ type: 'response.create' });
      });
      realtime.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(480).toString('base64') });
      realtime.send({ type: 'response.create' });
      await done.promise;
      expect(words).toEqual(['Hello there.', 'Hello there.']);
      realtime.close();
      await vendor.until(() => vendor.last.closed !== undefined);
    });
    expect(charge).toBe(2 * CHARGE);
    const { headers, url, frames } = vendor.last;
    expect(url).toBe(`/v1/realtime?model=${MODEL}`);
    expect(headers.authorization).toBe('Bearer upstream-key');
    expect(headers['openai-beta']).toBeUndefined();
    expect(frames.map((frame) => (JSON.parse(frame) as { type: string }).type)).toEqual([
      'input_audio_buffer.append',
      'response.create',
      'response.create',
    ]);
    const lines = await admin.waitFor(
      () =>
        admin.send<{ items: { quota: number; other: string }[] }>('GET', '/api/log/?p=1&page_size=10&type=2'),
      ({ items }) => items.length > 0,
    );
    expect(lines.items[0]).toMatchObject({ quota: 2 * CHARGE });
  });

  it('takes the key of a browser as a subprotocol, hands its own on that way and never gives one back', async () => {
    const socket = new WebSocket(address('gpt-4o-realtime-preview'), [
      'realtime',
      `openai-insecure-api-key.${key}`,
      'openai-beta.realtime-v1',
    ]);
    const client = new Client(socket);
    await client.until(() => client.frames.length > 0);
    expect(socket.protocol).toBe('realtime');
    expect(vendor.last.headers['sec-websocket-protocol']).toBe(
      'realtime,openai-insecure-api-key.upstream-key,openai-beta.realtime-v1',
    );
    expect(vendor.last.headers.authorization).toBeUndefined();
    socket.close();
    await vendor.until(() => vendor.last.closed !== undefined);
  });

  it('uses Azure’s own handshake', async () => {
    const client = await Client.open('azure');
    expect(vendor.last.url).toBe('/openai/realtime?api-version=2025-04-01-preview&deployment=azure');
    expect(vendor.last.headers['api-key']).toBe('upstream-key');
    client.socket.close();
  });

  it('counts by itself what the vendor does not report', async () => {
    vendor.script = (session, frame) => {
      if (frame.type === 'response.create') respond(session, undefined);
    };
    const charge = await chargeOf(async () => {
      const client = await Client.open();
      // 0.6 s of input (28,800 bytes of PCM) = 17 tokens; 0.1 s of output = 2 tokens; "Hello there." = 3 tokens.
      client.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(28_800).toString('base64') });
      client.send({ type: 'response.create' });
      await client.until(() => client.types.includes('response.done'));
      client.socket.close();
    });
    expect(charge).toBe(17 * 8 + 2 * 16 + 3 * 4);
  });

  it('costs nothing without a response', async () => {
    const before = await admin.balance();
    const client = await Client.open();
    client.socket.close();
    await vendor.until(() => vendor.last.closed !== undefined);
    expect(await admin.balance()).toBe(before);
  });

  it('charges the received part when the client cuts it in the middle of a response', async () => {
    vendor.script = (session) => {
      say(session, { type: 'response.created', response: {} });
      say(session, { type: 'response.output_text.delta', delta: 'One two three' });
    };
    const charge = await chargeOf(async () => {
      const client = await Client.open();
      client.send({ type: 'response.create' });
      await client.until(() => client.types.includes('response.output_text.delta'));
      client.socket.terminate();
      await vendor.until(() => vendor.last.closed !== undefined);
    });
    expect(charge).toBe(3 * 4);
  });

  it('ends with an error event when the upstream breaks it off', async () => {
    vendor.script = (session) => {
      respond(session, USAGE);
      session.socket.terminate();
    };
    const client = await Client.open();
    const charge = await chargeOf(async () => {
      client.send({ type: 'response.create' });
      await client.until(() => client.closed !== undefined);
    });
    expect(charge).toBe(CHARGE);
    const error = JSON.parse(client.frames.at(-1) ?? '') as {
      type: string;
      event_id: string;
      error: { code: string };
    };
    expect(error).toMatchObject({ type: 'error', error: { type: 'upstream_error' } });
    expect(error.event_id).toMatch(/^evt_/);
    expect(client.closed?.code).toBe(1011);
  });

  it('passes large frames and stops a client whose frames are too large', async () => {
    const client = await Client.open();
    const sound = Buffer.alloc(6 * 1024 * 1024, 1).toString('base64');
    client.send({ type: 'input_audio_buffer.append', audio: sound });
    await vendor.until(() => vendor.last.frames.length > 0);
    expect(vendor.last.frames[0]).toHaveLength(
      sound.length + '{"type":"input_audio_buffer.append","audio":""}'.length,
    );
    client.send({
      type: 'input_audio_buffer.append',
      audio: Buffer.alloc(13 * 1024 * 1024).toString('base64'),
    });
    await client.until(() => client.closed !== undefined);
    expect(client.closed?.code).toBe(1009);
    await vendor.until(() => vendor.last.closed !== undefined);
  });
});

describe('the handshake', () => {
  const bearer = () => ({ authorization: `Bearer ${key}` });

  it('refuses in the shape of the API, before a session exists', async () => {
    const asked = vendor.sessions.length;
    expect(await refusalOf(address(MODEL))).toMatchObject({ status: 401 });
    expect(await refusalOf(address(MODEL), { authorization: 'Bearer sk-wrong' })).toMatchObject({
      status: 401,
    });
    expect(await refusalOf(address('unknown-model'), bearer())).toMatchObject({ status: 404 });
    const unnamed = await refusalOf(`ws://127.0.0.1:${port}/v1/realtime`, bearer());
    expect(unnamed.status).toBe(400);
    expect(unnamed.error.message).toContain(String(unnamed.headers['x-request-id']));
    expect(vendor.sessions).toHaveLength(asked);
  });

  it('answers a plain request with a message', async () => {
    const answer = await fetch(`${app.url}/v1/realtime?model=${MODEL}`, { headers: bearer() });
    expect(answer.status).toBe(426);
    const other = await fetch(`${app.url}/v1/realtime`, { method: 'POST', headers: bearer() });
    expect(other.status).toBe(405);
  });

  it('elsewhere is no handshake at all: calls that offer another protocol are served', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n\r\n',
    );
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    expect(bytes.toString('latin1')).toContain('200 OK');
    socket.destroy();
  });

  it.each([
    ['refuses the handshake', () => (vendor.refusesWith = 401)],
    ['begins with an error', () => (vendor.hello = { type: 'error', error: { message: 'no' } })],
  ])('continues with the next channel when the first %s', async (_name, prepare) => {
    prepare();
    const client = await Client.open('both');
    expect(client.types[0]).toBe('session.created');
    expect(second.last.closed).toBeUndefined();
    client.socket.close();
    await second.until(() => second.last.closed !== undefined);
  });

  it('refuses one that no channel answers with its failure, and holds nothing', async () => {
    vendor.refusesWith = 500;
    second.refusesWith = 500;
    const before = await admin.balance();
    expect((await refusalOf(address('both'), bearer())).status).toBe(502);
    expect(await admin.balance()).toBe(before);
  });
});

describe('a session ends', () => {
  it('ends when its key is revoked', async () => {
    const token = await admin.addToken();
    const client = await Client.open(MODEL, token.key);
    await admin.send('DELETE', `/api/token/${token.id}`);
    await client.until(() => client.closed !== undefined);
    expect(JSON.parse(client.frames.at(-1) ?? '')).toMatchObject({ type: 'error' });
    expect(client.closed?.code).toBe(1008);
    await vendor.until(() => vendor.last.closed !== undefined);
  });

  it('refuses a response the quota does not cover, and continues: nothing beyond it is given away', async () => {
    const poor = await admin.addUser('poor', 100_000);
    const token = await poor.addToken();
    const client = await Client.open(MODEL, token.key);
    const dear = {
      ...USAGE,
      input_tokens: 30_000,
      input_token_details: { text_tokens: 30_000 },
      output_tokens: 900,
      output_token_details: { text_tokens: 900 },
    };
    vendor.script = (session, frame) => {
      if (frame.type === 'response.create') respond(session, dear);
    };
    const text = 'word '.repeat(30_000);
    client.send({ type: 'conversation.item.create', item: { content: [{ type: 'input_text', text }] } });
    client.send({ type: 'response.create' });
    await client.until(() => client.types.includes('response.done'));
    // Another 31,000 of context and an answer of 32,000 beside the 33,600 that are spent: that still fits, and a third one does not.
    client.send({ type: 'response.create' });
    await client.until(() => client.types.filter((type) => type === 'response.done').length === 2);
    client.send({ type: 'response.create' });
    await client.until(() => client.types.includes('error'));
    const error = JSON.parse(client.frames.at(-1) ?? '') as { error: { code: string } };
    expect(error.error.code).toBe('insufficient_user_quota');
    expect(client.closed).toBeUndefined();
    client.socket.close();
    await poor.waitFor(
      () => poor.balance(),
      (balance) => balance === 100_000 - 2 * (30_000 + 900 * 4),
    );
  });
});
