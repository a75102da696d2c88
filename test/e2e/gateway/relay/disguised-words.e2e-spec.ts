import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { sendJson } from '../../../support/fake-upstream-behaviours.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { RelayClient } from '../../../support/relay-client.js';
import { RealtimeClient } from '../../vendors/realtime/realtime-client.js';
import { untilFound } from '../../../support/until.js';
import { ScriptedRealtime } from '../../vendors/realtime/scripted-realtime.js';

/** Words that an operator refuses, written so that a plain search misses them. */
const MODELS = ['fx-std', 'fx-embed'];
let app: TestApp;
let upstream: FakeUpstream;
let vendor: ScriptedRealtime;
let client: RelayClient;
let admin: GatewayConsole;
let key: string;

beforeAll(async () => {
  upstream = await FakeUpstream.start({ isLenient: true });
  vendor = await ScriptedRealtime.start();
  // An embedding without a report of its tokens.
  upstream.on('fx-embed', (exchange) => sendJson(exchange, 200, { data: [{ index: 0, embedding: [1] }] }));
  app = await startTestApp();
  admin = new GatewayConsole(app.url);
  await admin.setUp();
  await admin.setOptions({
    ...FX_PRICES([...MODELS, 'realtime']),
    SensitiveWords: 'forbidden\nзапрет\nbad word',
  });
  await admin.addChannel({ base_url: upstream.url, models: MODELS });
  await admin.addChannel({ base_url: vendor.url, models: ['realtime'] });
  ({ key } = await admin.addToken());
  client = new RelayClient(app.url, key);
});

afterAll(async () => {
  client?.close();
  await app?.close();
  await upstream?.close();
  await vendor?.close();
});

const said = (content: string) => ({ model: 'fx-std', messages: [{ role: 'user', content }] });

describe('a disguised word', () => {
  it.each([
    'ＦＯＲＢＩＤＤＥＮ',
    'f\u200bor\u00adbid\u2060den',
    'f\u0336o\u0336r\u0336bidden',
    'fоrbidden',
    'ꜰᴏʀʙɪᴅᴅᴇɴ',
    '𝓯𝓸𝓻𝓫𝓲𝓭𝓭𝓮𝓷',
    'зaпpeт',
    'a bаd word',
  ])('refuses %j in every API', async (word) => {
    const before = upstream.journal.length;
    for (const [path, body] of [
      ['/v1/chat/completions', said(`tell me: ${word}!`)],
      ['/v1/messages', { ...said(word), max_tokens: 9 }],
      ['/v1/responses', { model: 'fx-std', input: word }],
      ['/v1/embeddings', { model: 'fx-embed', input: 'x', messages: [{ role: 'user', content: word }] }],
    ] as const) {
      const { status, text } = await client.ask({ path, body });
      expect({ path, status }).toEqual({ path, status: 400 });
      expect(text).toContain('words that are not allowed');
    }
    expect(upstream.journal.length).toBe(before);
  });

  it('ends a session', async () => {
    const session = await RealtimeClient.open(app.url, 'realtime', key);
    const content = [{ type: 'input_text', text: 'ｆоrbidden' }];
    session.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
    await session.until(() => session.closed !== undefined);
    expect(session.errors).toEqual([expect.stringContaining('words that are not allowed')]);
  });

  it('lets texts of one script pass', async () => {
    for (const text of [
      'Съешь ещё этих мягких булок, с сор и хор',
      'το νο πο ρο',
      '中文的句子',
      'SMS для мамы',
    ])
      expect((await client.ask({ body: said(text) })).status).toBe(200);
  });
});

describe('an embedding without a report', () => {
  it('charges for the messages that the vendor reads', async () => {
    const words = 'word '.repeat(1_000);
    const chargeOf = async (more: object): Promise<number> => {
      const body = { model: 'fx-embed', input: 'x', ...more };
      const answer = await client.ask({ path: '/v1/embeddings', body });
      expect(answer.status).toBe(200);
      const line = await untilFound(async () => {
        const { items } = await admin.send<{ items: { quota: number; request_id: string }[] }>(
          'GET',
          '/api/log/?p=1&page_size=100&type=0',
        );
        return items.find(({ request_id: id }) => id === answer.headers['x-request-id']);
      });
      return line.quota;
    };
    expect(await chargeOf({})).toBe(1);
    expect(await chargeOf({ messages: [{ role: 'user', content: words }] })).toBeGreaterThan(900);
  });
});
