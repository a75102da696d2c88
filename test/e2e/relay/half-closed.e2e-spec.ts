import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { startTestApp, type TestApp } from '../../support/build-test-app.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { FakeUpstream } from '../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../support/gateway-console.js';
import { FX_MESSAGES } from '../../support/relay-client.js';
import { inOwnTongue } from '../money/own-tongue.js';

/** Fifty tokens each: of an upstream that is translated, of one that speaks every dialect, and of Google. */
const TRANSLATED = 'fx-json';
const MODEL = 'fx-half';
const GOOGLE_MODEL = 'fx-half-google';
const [GATEWAY_TYPE, GOOGLE_TYPE] = [60, 24];
const TEXT = FX_MESSAGES[0]?.content ?? '';

interface Door {
  readonly path: (stream: boolean) => string;
  readonly body: (stream: boolean) => object;
}

const CHAT: Door = {
  path: () => '/v1/chat/completions',
  body: (stream) => ({ model: TRANSLATED, messages: FX_MESSAGES, stream }),
};

const DOORS: Readonly<Record<string, Door>> = {
  chat: CHAT,
  'chat, by way of the framework': { ...CHAT, path: () => '/v1/chat/completions/' },
  completions: {
    path: () => '/v1/completions',
    body: (stream) => ({ model: MODEL, prompt: TEXT, stream, max_tokens: 200 }),
  },
  Responses: { path: () => '/v1/responses', body: (stream) => ({ model: MODEL, input: TEXT, stream }) },
  Anthropic: {
    path: () => '/v1/messages',
    body: (stream) => ({ model: MODEL, max_tokens: 200, messages: FX_MESSAGES, stream }),
  },
  'Anthropic, translated': {
    path: () => '/v1/messages',
    body: (stream) => ({ model: TRANSLATED, max_tokens: 200, messages: FX_MESSAGES, stream }),
  },
  Gemini: {
    path: (stream) =>
      `/v1beta/models/${GOOGLE_MODEL}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: () => ({ contents: [{ role: 'user', parts: [{ text: TEXT }] }] }),
  },
};

/** How the bytes of one request can stand on the wire. */
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

describe('a client that has closed only its sending half gets its answer', () => {
  let database: TestDatabase;
  let app: TestApp;
  let upstream: FakeUpstream;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
    upstream = await FakeUpstream.start();
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    const admin = new GatewayConsole(app.url);
    await admin.setUp();
    await admin.setOptions(FX_PRICES([TRANSLATED, MODEL, GOOGLE_MODEL]));
    upstream.on(MODEL, inOwnTongue);
    // Gemini's model stands in the address.
    upstream.on('', inOwnTongue);
    await admin.addChannel({ type: GATEWAY_TYPE, base_url: upstream.url, models: [MODEL] });
    await admin.addChannel({ base_url: upstream.url, models: [TRANSLATED] });
    await admin.addChannel({ type: GOOGLE_TYPE, base_url: upstream.url, models: [GOOGLE_MODEL] });
    ({ key } = await admin.addToken());
  });
  afterAll(async () => {
    await app?.close();
    await upstream?.close();
    await database?.drop();
  });

  const write = (framing: Framing, door: Door, stream: boolean): string => {
    const fields = ['Host: localhost', `Authorization: Bearer ${key}`, 'Content-Type: application/json'];
    const text = FRAMINGS[framing](`${door.path(stream)} `, JSON.stringify(door.body(stream)));
    return text.replace('\r\n', `\r\n${fields.join('\r\n')}\r\n`);
  };

  /** Sends all of it and then FIN. @returns what came until the gateway ended the connection */
  async function sendAndEnd(bytes: string, isSent: () => Promise<void> = async () => undefined) {
    const { hostname, port } = new URL(app.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    let heard = '';
    socket.on('data', (part: Buffer) => (heard += part.toString()));
    const over = once(socket, 'end');
    socket.end(bytes);
    await once(socket, 'finish');
    await isSent();
    await over;
    return heard;
  }

  /** The upstream answers only after the sending half was closed. */
  async function askAndEnd(bytes: string, calls = 1): Promise<string> {
    const release = upstream.holdAnswers();
    const before = upstream.journal.length;
    const heard = await sendAndEnd(bytes, async () => {
      await upstream.waitUntil(({ journal }) => journal.length > before);
      release();
    });
    expect(upstream.journal).toHaveLength(before + calls);
    expect(upstream.journal.slice(before).map(({ ending }) => ending)).not.toContain('cancelled');
    return heard;
  }

  const framings = Object.keys(FRAMINGS) as Framing[];

  describe.each(Object.entries(DOORS))('%s', (_, door) => {
    it.each(framings)('whole, %s', async (framing) => {
      const heard = await askAndEnd(write(framing, door, false));
      expect(heard).toMatch(/^HTTP\/1\.1 200 /);
      expect(heard.match(/\btok\b/g)).toHaveLength(50);
    });

    it.each(framings)('as a stream, %s', async (framing) => {
      const heard = await askAndEnd(write(framing, door, true));
      expect(heard).toMatch(/^HTTP\/1\.1 200 /);
      expect(heard.match(/\btok\b/g)?.length).toBeGreaterThanOrEqual(50);
    });
  });

  it.each(framings)('of a refusal, %s', async (framing) => {
    const door: Door = { path: () => '/v1/chat/completions', body: () => ({ model: 'fx-unknown' }) };
    expect(await sendAndEnd(write(framing, door, false))).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  it.each(['HTTP/1.0', 'HTTP/1.1'])('of a page of the console, %s', async (version) => {
    const heard = await sendAndEnd(`GET /api/status ${version}\r\nHost: localhost\r\n\r\n`);
    expect(heard).toMatch(/^HTTP\/1\.1 200 /);
    expect(heard).toContain('"success":true');
  });

  it('to everything it had asked', async () => {
    const chat = write('HTTP/1.1', CHAT, false);
    const inChunks = write('HTTP/1.1 in chunks', CHAT, false);
    for (const requests of [
      [chat, chat, chat],
      [chat, inChunks],
      [inChunks, chat],
    ]) {
      const heard = await askAndEnd(requests.join(''), requests.length);
      expect(heard.split('HTTP/1.1 200 ')).toHaveLength(requests.length + 1);
    }
  });

  it('and the last answer says that it is the last', async () => {
    const chat = write('HTTP/1.1', CHAT, false);
    const answers = (await askAndEnd(chat + chat, 2)).split('HTTP/1.1 200 ').slice(1);
    expect(answers.map((answer) => /\r\nconnection: close\r\n/i.test(answer))).toEqual([false, true]);
  });

  it('but not to a request that it has not sent whole', async () => {
    const chat = write('HTTP/1.1', CHAT, false);
    const before = upstream.journal.length;
    expect(await sendAndEnd(chat.slice(0, -5))).not.toContain('HTTP/1.1 200 ');
    expect(upstream.journal).toHaveLength(before);
    for (const missing of [5, chat.length - 40]) {
      const heard = await askAndEnd(chat + chat.slice(0, -missing), 1);
      expect(heard.split('HTTP/1.1 200 ')).toHaveLength(2);
    }
  });
});
