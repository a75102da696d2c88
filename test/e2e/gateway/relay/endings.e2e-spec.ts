import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { BEHAVIOURS } from '../../../support/fake-upstream-behaviours.js';
import { FX_PRICES, GatewayConsole, missing } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import {
  deltasOf,
  errorOf,
  FX_MESSAGES,
  RelayClient,
  type RelayAnswer,
} from '../../../support/relay-client.js';

/** Every way a call can end, and what it costs. Ratio 1, completion ratio 2: prompt 10 + 2 per output token. */
const MODELS = Object.keys(BEHAVIOURS).filter((name) => name.startsWith('fx-'));

let gateway: GatewayProcess;
let admin: GatewayConsole;
let upstream: FakeUpstream;
let second: FakeUpstream;
let client: RelayClient;

beforeAll(async () => {
  upstream = await FakeUpstream.start();
  second = await FakeUpstream.start();
  gateway = await GatewayProcess.start();
  admin = new GatewayConsole(gateway.url);
  await admin.setUp();
  await admin.setOptions({ ...FX_PRICES([...MODELS, 'both']), RetryTimes: 2 });
  await admin.addChannel({
    name: 'first',
    base_url: upstream.url,
    models: [...MODELS, 'both'],
    priority: 10,
    model_mapping: '{"both":"fx-reset"}',
  });
  await admin.addChannel({
    name: 'second',
    base_url: second.url,
    models: ['both'],
    priority: 1,
    model_mapping: '{"both":"fx-std"}',
  });
  client = new RelayClient(gateway.url, (await admin.addToken()).key);
});

afterAll(async () => {
  client?.close();
  await gateway?.stop();
  await upstream?.close();
  await second?.close();
});

interface LogLine {
  readonly type: number;
  readonly quota: number;
  readonly completion_tokens: number;
  readonly content: string;
  readonly other: string;
}

const linesOf = async (answer: RelayAnswer): Promise<LogLine[]> => {
  const id = String(answer.headers['x-request-id']);
  const { items } = await admin.send<{ items: (LogLine & { request_id: string })[] }>(
    'GET',
    '/api/log/?p=1&page_size=100&type=0',
  );
  return items.filter((line) => line.request_id === id);
};
const lineOf = async (answer: RelayAnswer): Promise<LogLine> => {
  const lines = await admin.waitFor(
    () => linesOf(answer),
    (found) => found.length > 0,
  );
  return lines.at(0) ?? missing();
};

describe('answers that are no answers', () => {
  it.each([
    ['fx-error-400', 400],
    ['fx-error-500', 500],
    ['fx-error-503', 503],
    ['fx-error-429', 429],
    ['fx-reset', 502],
    ['fx-empty', 502],
    ['fx-error-200', 500],
    ['fx-broken-json', 502],
    ['fx-redirect', 502],
    ['fx-huge-header', 502],
    ['fx-gzip-bomb', 502],
    ['fx-huge-json', 502],
  ])('%s costs nothing and is reported in the OpenAI shape', async (model, status) => {
    const before = await admin.balance();
    const answer = await client.chat(model);
    const error = errorOf(answer);
    expect(error.message).toContain(String(answer.headers['x-request-id']));
    expect(error.message).not.toMatch(/127\.0\.0\.1|upstream-key|ECONN|at .*\.js/);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    // A status the upstream gave is kept; one of ours is in the 5xx range.
    if (status < 500) expect(answer.status).toBe(status);
    else expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(await lineOf(answer)).toMatchObject({ type: 5, quota: 0 });
    expect(await admin.balance()).toBe(before);
  });

  it('keeps the channel key and inner addresses out of an error [UP-06]', async () => {
    const answer = await client.chat('fx-echo-key');
    expect(answer.text).not.toContain('upstream-key');
    expect(answer.text).not.toContain('10.0.0.7');
    expect((await lineOf(answer)).content).not.toContain('upstream-key');
  });

  it('follows no redirect [UP-02]', async () => {
    expect(upstream.journal.some((entry) => entry.path.includes('stolen'))).toBe(false);
  });

  it('an error as the first event of a stream becomes a plain error', async () => {
    const answer = await client.chat('fx-stream-error-first', { stream: true });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(errorOf(answer).message).toContain('early failure');
  });
});

describe('endings after the first byte', () => {
  it('ends a broken-off stream with an error event, without an end marker, charged for the received part [F-20]', async () => {
    const answer = await client.chat('fx-cut', { stream: true });
    expect(answer.status).toBe(200);
    expect(deltasOf(answer.text)).toBe(' tok'.repeat(20));
    expect(answer.text).toContain('"error"');
    expect(answer.text).not.toContain('[DONE]');
    const line = await lineOf(answer);
    // 10 + 2 × 20 by our own count; the prompt estimate may differ by a few tokens.
    expect(line.quota).toBeGreaterThanOrEqual(40);
    expect(line.quota).toBeLessThanOrEqual(60);
    expect(upstream.entriesOf('fx-cut')).toHaveLength(1);
  });

  it('an error event in the middle stops the stream', async () => {
    const answer = await client.chat('fx-stream-error-middle', { stream: true });
    expect(answer.text).toContain('late failure');
    expect(answer.text).not.toContain('never shown');
    expect(answer.text).not.toContain('[DONE]');
  });

  it('nothing after the end marker is forwarded or billed [UP-05]', async () => {
    const answer = await client.chat('fx-after-done', { stream: true });
    expect(answer.text).not.toContain('smuggled');
    expect(answer.text.match(/\[DONE\]/g)).toHaveLength(1);
    expect(await lineOf(answer)).toMatchObject({ quota: 12 });
  });

  it('adds the end marker an upstream forgot', async () => {
    const answer = await client.chat('fx-nodone', { stream: true });
    expect(answer.text).toMatch(/data: \[DONE\]\n\n$/);
    expect(await lineOf(answer)).toMatchObject({ quota: 110 });
  });

  it('ends a stream whose line never ends [UP-04]', async () => {
    const answer = await client.chat('fx-huge-line', { stream: true });
    expect(answer.text.length).toBeLessThan(10 * 1024 * 1024);
    expect(answer.text).not.toContain('[DONE]');
  });

  it('cancels the upstream within a second when the client leaves, and charges the produced part [F-14]', async () => {
    const before = await admin.balance();
    const stream = await client.openStream('fx-long');
    await stream.readEvents(20);
    const leftAtMs = Date.now();
    stream.leave();
    await upstream.waitUntil((one) => one.entriesOf('fx-long').at(-1)?.ending === 'cancelled', 2_000);
    const entry = upstream.entriesOf('fx-long').at(-1) ?? missing();
    expect((entry.endedAtMs ?? Infinity) - leftAtMs).toBeLessThan(1_000);
    const charge =
      before -
      (await admin.waitFor(
        () => admin.balance(),
        (balance) => balance !== before,
      ));
    expect(Math.abs(charge - (10 + 2 * entry.chunksSent))).toBeLessThanOrEqual(2 * 3 + 8);
  });

  it('a client that leaves before the first byte frees its hold [F-14]', async () => {
    // A balance of 130: one call holds 110 (10 + 2 × 50), so a second one fits only when the first gave its hold back.
    const { key } = await (await admin.addUser('leaver', 130)).addToken();
    const poor = new RelayClient(gateway.url, key);
    const { request } = poor.open({
      body: { model: 'fx-silent', stream: true, max_tokens: 50, messages: FX_MESSAGES },
    });
    await upstream.waitUntil((one) => one.entriesOf('fx-silent').length > 0);
    request.destroy();
    await upstream.waitUntil((one) => one.entriesOf('fx-silent').at(-1)?.ending === 'cancelled', 2_000);
    const answer = await admin.waitFor(
      async () => (await poor.openStream('fx-std', { max_tokens: 50 })).readAll(),
      ({ status }) => status === 200,
    );
    expect(answer.text).toContain('data: [DONE]');
    poor.close();
  });

  it('a client that does not read pauses the upstream, in bounded memory [F-47]', async () => {
    const stream = await client.openStream('fx-firehose');
    stream.response.pause();
    const entry = upstream.single('fx-firehose');
    let last = -1;
    await admin.waitFor(
      async () => entry.bytesSent,
      (bytes) => {
        const isStill = bytes > 0 && bytes === last;
        last = bytes;
        return isStill;
      },
    );
    expect(entry.bytesSent).toBeLessThan(24 * 1024 * 1024);
    stream.leave();
    await upstream.waitUntil((one) => one.single('fx-firehose').ending === 'cancelled', 2_000);
  });
});

describe('hostile figures and headers', () => {
  it.each(['fx-usage-negative', 'fx-usage-huge', 'fx-usage-text', 'fx-usage-null', 'fx-nousage'])(
    '%s is charged by our own count, whole and streamed [UP-01, F-27]',
    async (model) => {
      for (const stream of [false, true]) {
        const answer = await client.chat(model, { stream });
        expect(answer.status).toBe(200);
        const line = await lineOf(answer);
        expect(line.completion_tokens).toBe(50);
        expect(line.quota).toBeGreaterThanOrEqual(105);
        expect(line.quota).toBeLessThanOrEqual(125);
      }
    },
  );

  it('lets no hostile header through [UP-03]', async () => {
    const answer = await client.chat('fx-hostile-headers');
    expect(answer.status).toBe(200);
    for (const name of [
      'set-cookie',
      'access-control-allow-credentials',
      'clear-site-data',
      'location',
      'x-internal-host',
      'proxy-authenticate',
    ]) {
      expect(answer.headers).not.toHaveProperty(name);
    }
    expect(answer.headers['x-request-id']).not.toBe('upstream-id');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });
});

describe('other channels', () => {
  it('takes the next channel before the first byte, charges once and names the way [F-21]', async () => {
    for (const stream of [false, true]) {
      const answer = await client.chat('both', { stream });
      expect(answer.status).toBe(200);
      const line = await lineOf(answer);
      expect(line).toMatchObject({ type: 2, quota: 110 });
      const { admin_info: way } = JSON.parse(line.other) as { admin_info: { use_channel: string[] } };
      expect(way.use_channel).toHaveLength(2);
    }
    expect(upstream.entriesOf('fx-reset').length).toBeGreaterThanOrEqual(1);
    expect(second.entriesOf('fx-std')).toHaveLength(2);
  });
});

describe('what leaves for the upstream', () => {
  it('carries nothing of the client but the body [RLY-01, RLY-02]', async () => {
    await client.ask({
      headers: {
        cookie: 'session=x',
        'x-forwarded-for': '1.2.3.4',
        'x-api-base': 'http://thief/',
        'openai-organization': 'org-thief',
        'x-custom': 'y',
        te: 'trailers',
      },
      path: '/v1/chat/completions?api_base=http://thief/&key=1',
      body: { model: 'fx-quick', messages: [{ role: 'user', content: 'hi' }] },
    });
    const entry = upstream.entriesOf('fx-quick').at(-1) ?? missing();
    expect(entry.path).toBe('/v1/chat/completions');
    expect(entry.headers.authorization).toBe('Bearer upstream-key');
    for (const name of ['cookie', 'x-forwarded-for', 'x-api-base', 'openai-organization', 'x-custom', 'te']) {
      expect(entry.headers).not.toHaveProperty(name);
    }
  });

  it.each([
    ['a duplicate key', '{"model":"fx-free","messages":[{"role":"user","content":"x"}],"model":"fx-quick"}'],
    ['an escaped key', '{"messages":[{"role":"user","content":"x"}],"mod\\u0065l":"fx-quick"}'],
    ['an escaped value', '{"messages":[{"role":"user","content":"x"}],"model":"fx-\\u0071uick"}'],
    [
      'both spellings',
      '{"model":"fx-free","messages":[{"role":"user","content":"x"}],"mod\\u0065l":"fx-quick"}',
    ],
  ])('bills the model that was served: %s [RLY-03]', async (_, body) => {
    const count = upstream.journal.length;
    const answer = await client.ask({ body });
    if (answer.status !== 200) {
      expect(answer.status).toBe(400);
      expect(upstream.journal).toHaveLength(count);
      return;
    }
    const served = (upstream.journal.at(-1) ?? missing()).model;
    expect(await lineOf(answer)).toMatchObject({ model_name: served });
  });

  it.each([
    { max_tokens: -1 },
    { max_tokens: 1.5 },
    { max_tokens: '50' },
    { max_tokens: 1e12 },
    { n: 0 },
    { n: -1 },
    { n: 'x' },
    { stream: 'yes' },
  ])('refuses %j and names the field [RLY-04]', async (fields) => {
    const answer = await client.chat('fx-quick', fields);
    expect(answer.status).toBe(400);
    expect(errorOf(answer).param).toBe(Object.keys(fields)[0]);
  });
});

describe('afterwards', () => {
  it('the books are right', async () => {
    const check = await admin.waitFor(
      () => gateway.checkMoney(),
      ({ exitCode }) => exitCode === 0,
      20_000,
    );
    expect(check.output).toContain('right');
  });

  it('nothing went wrong unseen', () => {
    expect(gateway.isRunning).toBe(true);
    expect(gateway.log).not.toMatch(/unhandled|upstream-key/i);
  });
});
