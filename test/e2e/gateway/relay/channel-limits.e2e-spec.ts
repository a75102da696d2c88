import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChannelLimits } from '../../../../server/relay-core/ports/channel-limits.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';

const LARGE = 'fx-std';
const SMALL = 'fx-json';

interface LogLine {
  readonly model_name: string;
  readonly channel: number;
  readonly other: string;
}

let app: TestApp;
let upstream: FakeUpstream;
let admin: GatewayConsole;
let first: number;
let second: number;

beforeAll(async () => {
  upstream = await FakeUpstream.start();
  app = await startTestApp();
  admin = new GatewayConsole(app.url);
  await admin.setUp();
  await admin.setOptions(FX_PRICES([LARGE, SMALL]));
  const channel = { base_url: upstream.url, models: [LARGE, SMALL] };
  first = await admin.addChannel({ ...channel, priority: 10 });
  second = await admin.addChannel({ ...channel, tag: 'spare' });
});
afterAll(async () => {
  await app?.close();
  await upstream?.close();
});

/** The period ends now, whatever the hour. */
const CHANNEL_LIMIT = {
  measure: 'requests',
  amount: 1,
  period: 'day',
  rolling: true,
  action: 'pass_over',
};

/** Makes a limit, and waits until this worker goes by it. */
async function addLimit(limit: Readonly<Record<string, unknown>>): Promise<number> {
  await admin.send('POST', '/api/limits', { name: `limit ${JSON.stringify(limit['subject'])}`, ...limit });
  const { items } = await admin.send<{ items: { id: number }[] }>('GET', '/api/limits?p=1&page_size=100');
  return Math.max(...items.map(({ id }) => id));
}

async function call(key: string, model = LARGE, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model, max_tokens: 20, messages: [{ role: 'user', content: 'hello' }] }),
  });
  const body = (await answer.json()) as { model?: string; error?: { code: string; message: string } };
  return { status: answer.status, headers: answer.headers, body };
}

const lineOf = (key: { readonly name: string }): Promise<LogLine> =>
  admin
    .waitFor(
      () =>
        admin.send<{ items: LogLine[] }>('GET', `/api/log/?p=1&page_size=10&type=2&token_name=${key.name}`),
      ({ items }) => items.length > 0,
    )
    .then(({ items }) => items[0] as LogLine);

async function addKey(): Promise<{ readonly id: number; readonly key: string; readonly name: string }> {
  const name = `key-${Math.random().toString(36).slice(2)}`;
  return { ...(await admin.addToken({ name })), name };
}

const isLimited = (channelId: number, channelTag?: string): boolean =>
  app.app
    .get(ChannelLimits, { strict: false })
    .concerns({ channelId, ...(channelTag === undefined ? {} : { channelTag }) }, LARGE);

describe('limits of channels', () => {
  it('pass over a full channel, and refuse with 503 when all are full, which disables nothing', async () => {
    await addLimit({ scope: 'channel', subject: String(first), ...CHANNEL_LIMIT });
    await admin.waitFor(async () => isLimited(first), Boolean);
    const { key } = await addKey();
    expect((await call(key)).status).toBe(200);
    const other = await addKey();
    expect((await call(other.key)).status).toBe(200);
    const line = await lineOf(other);
    expect(line.channel).toBe(second);
    expect(JSON.parse(line.other)).toMatchObject({
      admin_info: { attempts: [{ channel_id: first, failure: 'channels-full' }, { channel_id: second }] },
    });

    await addLimit({ scope: 'channel_tag', subject: 'spare', ...CHANNEL_LIMIT, amount: 0 });
    await admin.waitFor(async () => isLimited(second, 'spare'), Boolean);
    const { status, headers, body } = await call(key);
    expect([status, body.error?.code]).toEqual([503, 'channels_full']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(body.error?.message).not.toMatch(/limit|spare/);

    const channels = await admin.send<{ id: number; status: number }[]>(
      'GET',
      '/api/channel/?p=0&page_size=10',
    );
    expect(channels.map((channel) => channel.status)).toEqual([1, 1]);
  });

  it('refuse the test of a full channel, and leave it enabled', async () => {
    const answer = await admin.sendRaw<{ success: boolean; message: string }>(
      'GET',
      `/api/channel/test/${first}`,
    );
    expect(answer.success).toBe(false);
    const channel = await admin.send<{ status: number }>('GET', `/api/channel/${first}`);
    expect(channel.status).toBe(1);
  });
});

describe('a limit that names a cheaper model', () => {
  it('lets the call go on with that model, and the caller can refuse it', async () => {
    const spare = await admin.addChannel({ base_url: upstream.url, models: [LARGE, SMALL], priority: 20 });
    const limited = await addKey();
    const limit = {
      scope: 'token',
      subject: String(limited.id),
      measure: 'requests',
      amount: 0,
      period: 'day',
      action: 'cheaper_model',
    };
    await expect(addLimit({ ...limit, model: LARGE })).rejects.toThrow();
    await expect(addLimit({ ...limit, model: '', fallback_model: SMALL })).rejects.toThrow();
    await addLimit({ ...limit, model: LARGE, fallback_model: SMALL });
    const { status, headers, body } = await admin.waitFor(
      () => call(limited.key),
      (answer) => answer.headers.get('x-tollgate-warnings') !== null,
    );
    expect([status, headers.get('x-tollgate-warnings'), body.model]).toEqual([200, 'model', SMALL]);
    const line = await lineOf(limited);
    expect([line.model_name, line.channel]).toEqual([SMALL, spare]);
    expect(JSON.parse(line.other)).toMatchObject({ warnings: [{ setting: 'model' }] });

    const refused = await call(limited.key, LARGE, { 'x-tollgate-no-fallback': '1' });
    expect([refused.status, refused.body.error?.code]).toEqual([403, 'limit_below_call']);
  });
});
