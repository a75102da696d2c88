import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { answer, BEHAVIOURS, beginStream, sendJson } from '../../../support/fake-upstream-behaviours.js';
import type { Behaviour, FakeExchange } from '../../../support/fake-upstream-exchange.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { RelayClient } from '../../../support/relay-client.js';

const fine = answer({ tokens: 50, gapMs: 0 });
const behaviour = (name: string): Behaviour => BEHAVIOURS[name] ?? fine;

/** Failures of a broken channel before the client has seen a token. */
const FAILURES: Readonly<Record<string, Behaviour>> = {
  'dead key': behaviour('fx-error-401'),
  'spent account': behaviour('fx-error-402'),
  'reset connection': behaviour('fx-reset'),
  'stream that dies before a token': answer({ tokens: 50, gapMs: 0, cutAfter: 0 }),
  'empty answer': behaviour('fx-empty'),
  'answer that is no JSON': behaviour('fx-html'),
  'error in a 200': behaviour('fx-error-200'),
  'status 500': behaviour('fx-error-500'),
};
const STREAM_FAILURES: Readonly<Record<string, Behaviour>> = {
  'stream whose first event is an error': behaviour('fx-stream-error-first'),
  'stream without an event': (exchange) => {
    beginStream(exchange);
    exchange.response.end();
  },
  'stream that says only that it is over': (exchange) => {
    beginStream(exchange);
    exchange.response.end('data: [DONE]\n\n');
  },
};

const slug = (name: string): string => `x-${name.replaceAll(' ', '-')}`;
const EXTRA_MODELS = ['ring', 'session', 'dressed', 'mapped-client', 'lonely', 'sluggish', 'down'];
const MODELS = [...Object.keys(FAILURES), ...Object.keys(STREAM_FAILURES)].map(slug).concat(EXTRA_MODELS);
/** 10 prompt tokens and 50 of output at twice the price, for each of which one unit is charged. */
const PRICE_OF_AN_ANSWER = 110;

let gateway: GatewayProcess;
let admin: GatewayConsole;
let broken: FakeUpstream;
let healthy: FakeUpstream;
let client: RelayClient;

interface ChannelView {
  readonly status: number;
  readonly other_info: string;
  readonly key: string;
  readonly response_time: number;
  readonly channel_info: { readonly is_multi_key: boolean; readonly multi_key_off: number };
}
interface KeyList {
  readonly keys: readonly {
    readonly index: number;
    readonly status: number;
    readonly reason: string;
    readonly hint: string;
  }[];
  readonly enabled_count: number;
  readonly auto_disabled_count: number;
}

beforeAll(async () => {
  broken = await FakeUpstream.start();
  healthy = await FakeUpstream.start();
  for (const model of MODELS) healthy.on(model, fine);
  for (const [name, act] of Object.entries({ ...FAILURES, ...STREAM_FAILURES })) broken.on(slug(name), act);
  gateway = await GatewayProcess.start();
  admin = new GatewayConsole(gateway.url);
  await admin.setUp();
  await admin.setOptions({ ...FX_PRICES(MODELS), RetryTimes: 2 });
  client = new RelayClient(gateway.url, (await admin.addToken()).key);
});

afterAll(async () => {
  client?.close();
  await gateway?.stop();
  await Promise.all([broken?.close(), healthy?.close()]);
});

const usedQuota = async (): Promise<number> =>
  (await admin.send<{ used_quota: number }>('GET', '/api/user/self')).used_quota;
const channel = (id: number): Promise<ChannelView> => admin.send<ChannelView>('GET', `/api/channel/${id}`);
const keysOf = (id: number): Promise<KeyList> =>
  admin.send<KeyList>('POST', '/api/channel/multi_key/manage', { channel_id: id, action: 'get_key_status' });

const booked = (): Promise<unknown> =>
  admin.waitFor(
    () => gateway.checkMoney(),
    ({ exitCode }) => exitCode === 0,
    20_000,
  );
const roundIsOver = (): Promise<unknown> =>
  admin.waitFor(
    () => admin.send<{ running: boolean }>('GET', '/api/channel/job/test'),
    ({ running }) => !running,
    20_000,
  );

/** The answer of one call, and what it cost once everything is booked. */
async function costOf(call: () => ReturnType<RelayClient['chat']>) {
  await booked();
  const before = await usedQuota();
  const reply = await call();
  // The booking follows the answer.
  if (reply.status === 200) await admin.waitFor(usedQuota, (used) => used > before, 20_000);
  await booked();
  return { reply, cost: (await usedQuota()) - before };
}

describe('a channel that fails before the first token', () => {
  beforeAll(async () => {
    for (const name of [...Object.keys(FAILURES), ...Object.keys(STREAM_FAILURES)]) {
      await admin.addChannel({ base_url: broken.url, models: [slug(name)], priority: 9 });
      await admin.addChannel({ base_url: healthy.url, models: [slug(name)] });
    }
  });

  for (const name of Object.keys(FAILURES)) {
    it(`${name}: the next channel gets the call, and only its answer is charged`, async () => {
      const { reply, cost } = await costOf(() => client.chat(slug(name)));
      expect(reply.status).toBe(200);
      expect(reply.text).toContain('tok tok');
      expect(broken.entriesOf(slug(name)).length).toBeGreaterThan(0);
      expect(cost).toBe(PRICE_OF_AN_ANSWER);
    });
  }

  for (const name of [...Object.keys(FAILURES), ...Object.keys(STREAM_FAILURES)]) {
    it(`${name}, streamed: the client sees one whole stream`, async () => {
      const reply = await client.chat(slug(name), { stream: true });
      expect([reply.status, reply.isCut]).toEqual([200, false]);
      expect(reply.text.match(/ tok/g)).toHaveLength(50);
      expect(reply.text.match(/\[DONE\]/g)).toHaveLength(1);
      expect(reply.text).not.toContain('"error"');
    });
  }
});

describe('a model whose every channel fails', () => {
  it('answers with the failure, costs nothing, and its only channel is not called again and again', async () => {
    broken.on('lonely', behaviour('fx-error-500'));
    await admin.addChannel({ base_url: broken.url, models: ['lonely'] });
    const { reply, cost } = await costOf(() => client.chat('lonely'));
    expect(reply.status).toBeGreaterThanOrEqual(500);
    expect(cost).toBe(0);
    expect(broken.entriesOf('lonely').length).toBeLessThanOrEqual(2);
  });
});

describe('several keys in one channel', () => {
  const dead = new Set(['Bearer ring-key-aaaa-0001', 'Bearer ring-key-cccc-0003']);
  const byKey = (exchange: FakeExchange): void | Promise<void> =>
    (dead.has(exchange.entry.headers.authorization ?? '') ? behaviour('fx-error-401') : fine)(exchange);
  let id: number;

  beforeAll(async () => {
    healthy.on('ring', byKey);
    await admin.setOptions({
      AutomaticDisableChannelEnabled: true,
      AutomaticEnableChannelEnabled: true,
      ChannelDisableThreshold: 0,
    });
    id = await admin.addChannel({
      base_url: healthy.url,
      models: ['ring'],
      key: 'ring-key-aaaa-0001\nring-key-bbbb-0002\nring-key-cccc-0003',
      mode: 'multi_to_single',
      multi_key_mode: 'polling',
    });
  });

  it('a dead key does not kill the channel: the call is served, the key is switched off with its reason', async () => {
    expect((await channel(id)).channel_info.is_multi_key).toBe(true);
    expect((await client.chat('ring')).status).toBe(200);
    const first = await admin.waitFor(
      () => keysOf(id),
      (list) => list.auto_disabled_count === 1,
    );
    expect(first.keys[0]).toMatchObject({ index: 0, status: 3, hint: '…0001' });
    expect(first.keys[0]?.reason).toContain('401');
    expect((await client.chat('ring')).status).toBe(200);
    await admin.waitFor(
      () => keysOf(id),
      (list) => list.auto_disabled_count === 2,
    );
    expect((await channel(id)).status).toBe(1);
  });

  it('shows a key to no role [CH-01]', async () => {
    const shown = JSON.stringify([await keysOf(id), await channel(id)]);
    expect(shown).not.toContain('ring-key');
  });

  it('a test run brings back the key that works again, and leaves the other', async () => {
    dead.delete('Bearer ring-key-aaaa-0001');
    await admin.send('GET', '/api/channel/test');
    const list = await admin.waitFor(
      () => keysOf(id),
      ({ auto_disabled_count: off }) => off === 1,
      20_000,
    );
    expect(list.keys.map(({ status }) => status)).toEqual([1, 1, 3]);
    await roundIsOver();
  });

  it('keys are disabled, enabled, added and deleted one by one', async () => {
    const act = (action: string, keyIndex?: number) =>
      admin.send<KeyList>('POST', '/api/channel/multi_key/manage', {
        channel_id: id,
        action,
        ...(keyIndex === undefined ? {} : { key_index: keyIndex }),
      });
    expect((await act('disable_key', 1)).keys[1]?.status).toBe(2);
    const before = healthy.entriesOf('ring').length;
    for (let call = 0; call < 4; call += 1) expect((await client.chat('ring')).status).toBe(200);
    const used = healthy
      .entriesOf('ring')
      .slice(before)
      .map(({ headers }) => headers.authorization);
    expect(new Set(used)).toEqual(new Set(['Bearer ring-key-aaaa-0001']));
    expect((await act('enable_key', 1)).keys[1]?.status).toBe(1);
    expect((await act('delete_disabled_keys')).keys.map(({ hint }) => hint)).toEqual(['…0001', '…0002']);
    await admin.send('PUT', '/api/channel/', { id, key: 'ring-key-dddd-0004', key_mode: 'append' });
    expect((await keysOf(id)).keys.map(({ hint }) => hint)).toEqual(['…0001', '…0002', '…0004']);
    expect((await act('delete_key', 0)).keys.map(({ hint }) => hint)).toEqual(['…0002', '…0004']);
    const refused = await admin.sendRaw<{ success: boolean }>('POST', '/api/channel/multi_key/manage', {
      channel_id: id,
      action: 'enable_key',
      key_index: 9,
    });
    expect(refused.success).toBe(false);
  });

  it('the channel follows when its last key falls, and comes back with the first that works', async () => {
    for (const key of ['ring-key-bbbb-0002', 'ring-key-dddd-0004']) dead.add(`Bearer ${key}`);
    await admin.waitFor(
      async () => {
        await client.chat('ring');
        return channel(id);
      },
      ({ status }) => status === 3,
      20_000,
    );
    expect(JSON.parse((await channel(id)).other_info)).toMatchObject({
      status_reason: expect.stringMatching(/^All keys are off; the last one: The provider answered 401: /),
    });
    dead.delete('Bearer ring-key-dddd-0004');
    await admin.send('GET', '/api/channel/test');
    const back = await admin.waitFor(
      () => channel(id),
      ({ status }) => status === 1,
      20_000,
    );
    expect(back.channel_info.multi_key_off).toBe(1);
  });
});

describe('conversations', () => {
  it('keeps one channel; another one takes over for good when it fails', async () => {
    await admin.setOptions({
      'channel_affinity_setting.rules': [
        {
          name: 'sessions',
          key_sources: [
            { type: 'request_header', key: 'x-session' },
            { type: 'gjson', path: 'metadata.session' },
          ],
        },
      ],
    });
    broken.on('session', fine);
    for (const upstream of [broken, healthy])
      await admin.addChannel({ base_url: upstream.url, models: ['session'] });
    const say = (session: string) =>
      client.ask({
        headers: { 'x-session': session },
        body: { model: 'session', messages: [{ role: 'user', content: session }] },
      });
    const countOn = (upstream: FakeUpstream, session: string): number =>
      upstream.entriesOf('session').filter(({ body }) => JSON.stringify(body['messages']).includes(session))
        .length;
    for (let session = 0; session < 8; session += 1)
      for (let turn = 0; turn < 6; turn += 1) expect((await say(`talk-${session}`)).status).toBe(200);
    const places = Array.from({ length: 8 }, (_none, session) => countOn(broken, `talk-${session}`));
    // All turns of a session on one side; eight sessions all on the same side happen once in 128 times, and prove as much.
    expect(places).toEqual(places.map((count) => (count === 0 ? 0 : 6)));
    const moved = places.findIndex((count) => count === 6);
    if (moved === -1) return;
    broken.on('session', behaviour('fx-error-500'));
    expect((await say(`talk-${moved}`)).status).toBe(200);
    broken.on('session', fine);
    const before = countOn(broken, `talk-${moved}`);
    for (let turn = 0; turn < 4; turn += 1) await say(`talk-${moved}`);
    expect(countOn(broken, `talk-${moved}`)).toBe(before);
  });
});

describe('what a channel changes on a request', () => {
  it('headers and parameters, never what was priced', async () => {
    await admin.addChannel({
      base_url: healthy.url,
      models: ['dressed'],
      header_override: { 'X-Team': 'blue', 'X-Key': 'k={api_key}', 'X-Trace': '{client_header:X-Trace}' },
      param_override: {
        operations: [
          { mode: 'set', path: 'temperature', value: 0 },
          { mode: 'append', path: 'messages.0.content', value: '!' },
          { mode: 'delete', path: 'user', conditions: [{ path: 'original_model', value: 'dressed' }] },
          {
            mode: 'return_error',
            value: { message: 'No vip here.', status_code: 403 },
            conditions: [{ path: 'metadata.tier', value: 'vip' }],
          },
        ],
      },
    });
    const reply = await client.ask({
      headers: { 'x-trace': 'trace-7', 'x-team': 'red' },
      body: { model: 'dressed', messages: [{ role: 'user', content: 'hi' }], user: 'u', temperature: 1 },
    });
    expect(reply.status).toBe(200);
    const { headers, body } = healthy.single('dressed');
    expect(headers).toMatchObject({ 'x-team': 'blue', 'x-key': 'k=upstream-key', 'x-trace': 'trace-7' });
    expect(body).toEqual({ model: 'dressed', messages: [{ role: 'user', content: 'hi!' }], temperature: 0 });
    const { reply: refused, cost } = await costOf(() =>
      client.chat('dressed', { metadata: { tier: 'vip' } }),
    );
    expect([refused.status, cost]).toEqual([403, 0]);
    expect(refused.text).toContain('No vip here.');
    expect(healthy.entriesOf('dressed')).toHaveLength(1);
  });

  it('model names by a chain, and statuses', async () => {
    await admin.addChannel({
      base_url: healthy.url,
      models: ['mapped-client'],
      model_mapping: { 'mapped-client': 'middle', middle: 'mapped-upstream' },
    });
    healthy.on('mapped-upstream', fine);
    expect((await client.chat('mapped-client')).status).toBe(200);
    expect(healthy.single('mapped-upstream').body['model']).toBe('mapped-upstream');
    const loop = await admin.sendRaw<{ success: boolean; message: string }>('POST', '/api/channel/', {
      type: 1,
      name: 'loop',
      key: 'k',
      models: 'a',
      model_mapping: { a: 'b', b: 'a' },
    });
    expect(loop.success).toBe(false);
    broken.on('down', behaviour('fx-error-500'));
    await admin.addChannel({ base_url: broken.url, models: ['down'], status_code_mapping: { '500': 422 } });
    expect((await client.chat('down')).status).toBe(422);
    expect(broken.entriesOf('down')).toHaveLength(1);
  });
});

describe('a channel slower than the limit', () => {
  it('switches a slow channel off by a test run with the two times, and on again when it is quick', async () => {
    let isSlow = true;
    healthy.on('sluggish', async (exchange) => {
      if (isSlow) await new Promise((resolve) => setTimeout(resolve, 250));
      sendJson(exchange, 200, {
        choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      });
    });
    const id = await admin.addChannel({ base_url: healthy.url, models: ['sluggish'] });
    await admin.setOptions({ ChannelDisableThreshold: 0.1 });
    await admin.send('GET', '/api/channel/test');
    const off = await admin.waitFor(
      () => channel(id),
      ({ status }) => status === 3,
      20_000,
    );
    expect(off.other_info).toContain('the limit is 0.1 s');
    await roundIsOver();
    isSlow = false;
    await admin.setOptions({ ChannelDisableThreshold: 5 });
    await admin.send('GET', '/api/channel/test');
    const on = await admin.waitFor(
      () => channel(id),
      ({ status }) => status === 1,
      20_000,
    );
    expect([on.other_info, on.response_time > 0]).toEqual(['', true]);
  });
});

describe('afterwards', () => {
  it('the books are right', async () => {
    await booked();
  });
});
