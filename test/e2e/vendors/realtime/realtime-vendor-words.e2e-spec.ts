import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { ScriptedRealtime } from './scripted-realtime.js';

const KEY = 'sk-channel-0123456789abcdef';
const SAID = 'Account 4711: operation not allowed';
const SENTENCE = `${SAID} (key ${KEY})`;
const SHOWN = `${SAID} (key ***)`;
const HELLO = { type: 'session.created', session: { id: 'sess_1' } };

type Setting = Partial<Pick<ScriptedRealtime, 'refusesWith' | 'refusal' | 'hello' | 'goodbye'>>;

const handshake = (status: number, code: string | null = null): [string, Setting, string] => [
  `a handshake answered ${status}`,
  { refusesWith: status, refusal: JSON.stringify({ error: { message: SENTENCE, code } }) },
  `The provider answered ${status}: ${SHOWN}`,
];
const event = (code: string | null): [string, Setting, string] => [
  `a first event that is an error with the code ${code}`,
  { hello: { type: 'error', error: { type: 'x', code, message: SENTENCE } } },
  `The provider said: ${SHOWN}`,
];
const WAYS = [
  ...[400, 401, 402, 403, 404, 429, 500, 503].map((status) => handshake(status)),
  handshake(401, 'invalid_api_key'),
  [
    'the page of a proxy in place of the handshake',
    { refusesWith: 200, refusal: `<html><h1>${SENTENCE}</h1></html>` },
    `The provider answered 200: ${SHOWN}`,
  ],
  ...[null, 'invalid_api_key', 'insufficient_quota', 'invalid_model'].map(event),
  [
    'a session closed before it began',
    { goodbye: { code: 4001, reason: SENTENCE } },
    `The provider said: ${SHOWN}`,
  ],
] as [string, Setting, string][];

describe("a realtime upstream's own words", () => {
  let app: TestApp;
  let vendor: ScriptedRealtime;
  let admin: GatewayConsole;
  let token: string;
  const models = WAYS.map((_way, index) => `gpt-realtime-${index}`);

  beforeAll(async () => {
    vendor = await ScriptedRealtime.start();
    app = await startTestApp();
    admin = new GatewayConsole(app.url);
    await admin.setUp();
    await admin.setOptions({
      ...FX_PRICES(models),
      AutomaticDisableChannelEnabled: true,
      AutomaticDisableStatusCodes: '599',
    });
    token = (await admin.addToken()).key;
  });
  afterAll(async () => {
    await app?.close();
    await vendor?.close();
  });

  /** Refusal a caller gets in place of a session. */
  const refusalOf = async (model: string): Promise<string> => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/v1/realtime?model=${model}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    socket.on('error', () => undefined);
    const [, reply] = (await once(socket, 'unexpected-response')) as [unknown, AsyncIterable<Buffer>];
    const chunks: Buffer[] = [];
    for await (const chunk of reply) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  };

  it.each(WAYS.map((way, index) => [...way, models[index] as string] as const))(
    '%s: shows the operator the vendor’s message, and disables by a built-in phrase',
    async (_name, setting, sentence, model) => {
      Object.assign(vendor, { refusesWith: undefined, goodbye: undefined, hello: HELLO, ...setting });
      const id = await admin.addChannel({ base_url: vendor.url, key: KEY, models: [model] });
      const shown = await refusalOf(model);
      expect(shown).not.toContain(KEY);
      if (setting.refusesWith === undefined) expect(shown).not.toContain('Account 4711');
      const channel = () => admin.send<{ status: number; other_info: string }>('GET', `/api/channel/${id}`);
      const fallen = await admin.waitFor(channel, ({ status }) => status === 3);
      const { status_reason: reason } = JSON.parse(fallen.other_info) as { status_reason: string };
      expect(reason).toContain(sentence);
      const test = await admin.sendRaw<{ message: string }>('GET', `/api/channel/test/${id}?model=${model}`);
      expect(test.message).toBe(sentence);
      const lines = (path: string) => () =>
        admin.send<{ items: { other: string }[] }>('GET', `${path}?type=5&model_name=${model}`);
      const { items } = await admin.waitFor(lines('/api/log/'), (page) => page.items.length > 0);
      expect(items[0]?.other).toContain(sentence);
      const own = await lines('/api/log/self/')();
      expect(own.items[0]?.other).not.toContain(sentence);
      const audit = await admin.send<{ items: { target_id: string; detail: string }[] }>(
        'GET',
        '/api/audit?action=channel.auto-off',
      );
      expect(audit.items.find(({ target_id }) => target_id === String(id))?.detail).toContain(sentence);
    },
  );
});
