import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { beginStream, chunkOf, usageOf } from '../../../support/fake-upstream-behaviours.js';
import type { Behaviour } from '../../../support/fake-upstream-exchange.js';
import { FX_PRICES, GatewayConsole, missing } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { FX_MESSAGES, RelayClient, type RelayAnswer, type RelayAsk } from '../../../support/relay-client.js';

/** Every mechanism that can be switched off, and nothing switched off. */
const SWITCHES = ['RELAY_FAST_PATH', 'RELAY_HTTP1_POOL', 'BOOKING_THREAD', 'TRIM_NATIVE_HEAP'] as const;
const ALL_ON = 'everything on';

const chat = (model: string, extra: object = {}): RelayAsk => ({
  body: { model, messages: FX_MESSAGES, ...extra },
});
const stream = (model: string): RelayAsk => chat(model, { stream: true });

/** One call of every kind whose answer and charge are the same each time. */
const ASKS: Readonly<Record<string, RelayAsk>> = {
  whole: chat('fx-quick'),
  'whole, compressed upstream': chat('fx-gzip'),
  'whole, no usage reported': chat('fx-nousage'),
  'a price per call': chat('fx-price'),
  'tool calls': chat('fx-tools'),
  embeddings: { path: '/v1/embeddings', body: { model: 'fx-embed', input: 'Say tok 50 times' } },
  'a query in the address': { ...chat('fx-quick'), path: '/v1/chat/completions?beta=true' },
  'another API format': {
    path: '/v1/messages',
    body: { model: 'fx-quick', max_tokens: 60, messages: FX_MESSAGES },
  },
  streamed: stream('fx-std'),
  // With a cap above what comes: a stream that exceeds its bound is stopped at a chunk, wherever chunks end.
  'streamed, more than the sockets hold': chat('fx-wide', { stream: true, max_tokens: 600_000 }),
  'streamed, no usage reported': stream('fx-nousage'),
  'streamed, no end marker': stream('fx-nodone'),
  'streamed, broken off by the upstream': stream('fx-cut'),
  'streamed, an error in the middle': stream('fx-stream-error-middle'),
  'streamed, more after the end marker': stream('fx-after-done'),
  'the upstream refuses': chat('fx-error-400'),
  'the upstream limits the rate': chat('fx-error-429'),
  'the upstream fails': chat('fx-error-500'),
  'the upstream resets': chat('fx-reset'),
  'the upstream answers nothing': chat('fx-empty'),
  'the upstream answers broken JSON': chat('fx-broken-json'),
  'the upstream sends a redirect': chat('fx-redirect'),
  'the upstream sends too many headers': chat('fx-huge-header'),
  'an unknown model': chat('fx-nobody-has-it'),
  'an unknown key': { ...chat('fx-quick'), key: 'sk-unknown' },
  'broken JSON': { body: '{"model":' },
  'no JSON': { ...chat('fx-quick'), headers: { 'content-type': 'text/plain' } },
  'a body over the limit': chat('fx-quick', { user: 'x'.repeat(1_100_000) }),
  'an unknown address': { ...chat('fx-quick'), path: '/v1/unknown' },
};
/** Refused before key and model are known: these leave no line in the log, every other call leaves one. */
const UNLOGGED = ['an unknown key', 'broken JSON', 'no JSON', 'a body over the limit', 'an unknown address'];
const LOGGED = Object.keys(ASKS).filter((name) => !UNLOGGED.includes(name));

/** Four megabytes as fast as they are taken. */
const wide: Behaviour = async (exchange) => {
  beginStream(exchange);
  const piece = chunkOf(exchange, { content: 'x'.repeat(4_000) });
  for (let count = 0; count < 1_000; count += 1) await exchange.write(piece);
  exchange.response.end(chunkOf(exchange, {}, 'stop', { usage: usageOf(600_000) }) + 'data: [DONE]\n\n');
};

/** Removes the differences between two equal answers: ids and times. */
const timeless = (text: string, answer: RelayAnswer): string =>
  text
    .replaceAll(String(answer.headers['x-request-id']), 'REQUEST-ID')
    .replace(/"(id|created)": ?("[^"]*"|\d+)/g, '"$1":0')
    .replace(/127\.0\.0\.1:\d+/g, 'HOST');

const headersOf = (answer: RelayAnswer): Record<string, string> => {
  const { date: _, ...rest } = answer.headers;
  return Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, timeless(String(value), answer)]),
  );
};

interface LogLine {
  readonly request_id: string;
  readonly type: number;
  readonly quota: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

const chargeOf = ({ type, quota, prompt_tokens, completion_tokens }: LogLine) => ({
  type,
  quota,
  prompt_tokens,
  completion_tokens,
});

/** Observations of one gateway. */
interface Seen {
  readonly answers: Readonly<Record<string, unknown>>;
  readonly charges: Readonly<Record<string, unknown>>;
  readonly balanceSpent: number;
  readonly areConnectionsKept: boolean;
  readonly left: { readonly upstream: string; readonly isCharged: boolean };
  readonly outOfQuota: unknown;
  readonly moneyCheck: number;
  /** Names of the threads of the process; empty when the system does not report them. */
  readonly threads: readonly string[];
  /** Names of the answer's headers as they were sent. */
  readonly sentNames: readonly string[];
}

const threadsOf = (pid: number): string[] =>
  process.platform === 'linux'
    ? readdirSync(`/proc/${pid}/task`).map((id) =>
        readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').trim(),
      )
    : [];

async function lookAt(env: Readonly<Record<string, string>>): Promise<Seen> {
  const upstream = await FakeUpstream.start();
  upstream.on('fx-wide', wide);
  const gateway = await GatewayProcess.start({ env: { MAX_REQUEST_BODY_MB: '1', ...env } });
  const admin = new GatewayConsole(gateway.url);
  const models = [...new Set(Object.values(ASKS).map(({ body }) => (body as { model?: string }).model ?? ''))]
    .concat('fx-long')
    .filter((model) => model !== '' && model !== 'fx-nobody-has-it');
  await admin.setUp();
  await admin.setOptions({ ...FX_PRICES(models), RetryTimes: 0, AutomaticDisableChannelEnabled: false });
  await admin.addChannel({ base_url: upstream.url, models });
  const { key } = await admin.addToken();
  const { key: poorKey } = await admin.addToken({ unlimited_quota: false, remain_quota: 1 });
  const client = new RelayClient(gateway.url, key);
  try {
    const before = await admin.balance();
    const ids = new Map<string, string>();
    const answers: Record<string, unknown> = {};
    for (const [name, ask] of Object.entries(ASKS)) {
      const answer = await client.ask(ask);
      ids.set(String(answer.headers['x-request-id']), name);
      answers[name] = {
        status: answer.status,
        isCut: answer.isCut,
        headers: headersOf(answer),
        text: timeless(answer.text, answer),
      };
    }
    const linesOf = async () =>
      (await admin.send<{ items: LogLine[] }>('GET', '/api/log/?p=1&page_size=100&type=0')).items.filter(
        (line) => ids.has(line.request_id),
      );
    // Charges and refusals are written by different writers, each in its own time.
    const lines = await admin.waitFor(linesOf, (found) => found.length >= LOGGED.length);
    const charges = Object.fromEntries(
      lines
        .map((line) => [ids.get(line.request_id) ?? missing(), chargeOf(line)] as const)
        .sort(([one], [other]) => one.localeCompare(other)),
    );
    const spent = lines.reduce((sum, { quota }) => sum + quota, 0);
    await admin.waitFor(
      () => admin.balance(),
      (balance) => before - balance === spent,
    );
    const poor = await client.ask({ ...chat('fx-quick'), key: poorKey });
    // On a connection of its own: one that brought anything odd belongs to Node's server for good.
    const plain = new RelayClient(gateway.url, key);
    await plain.ask(chat('fx-quick'));
    const { request } = plain.open(chat('fx-quick'));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    plain.close();
    const threads = threadsOf(gateway.pid);
    const leaving = await client.openStream('fx-long');
    await leaving.readEvents(3);
    const id = String(leaving.response.headers['x-request-id']);
    leaving.leave();
    await upstream.waitUntil((one) => one.single('fx-long').ending !== 'open');
    const [charged] = await admin.waitFor(
      async () =>
        (await admin.send<{ items: LogLine[] }>('GET', '/api/log/?p=1&page_size=100&type=0')).items.filter(
          (line) => line.request_id === id,
        ),
      (found) => found.length === 1,
    );
    client.close();
    await gateway.stop({ keepData: true });
    return {
      answers,
      charges,
      threads,
      sentNames: response.rawHeaders.filter((_, index) => index % 2 === 0),
      balanceSpent: spent,
      areConnectionsKept: request.reusedSocket,
      left: { upstream: upstream.single('fx-long').ending, isCharged: (charged?.quota ?? 0) > 10 },
      outOfQuota: { status: poor.status, text: timeless(poor.text, poor) },
      moneyCheck: (await gateway.checkMoney()).exitCode,
    };
  } finally {
    client.close();
    if (gateway.isRunning) await gateway.stop({ keepData: true });
    gateway.removeData();
    await upstream.close();
  }
}

describe('calls with a mechanism switched off', () => {
  const seen = new Map<string, Seen>();
  const of = (name: string): Seen => seen.get(name) ?? missing();

  beforeAll(async () => {
    seen.set(ALL_ON, await lookAt({}));
    for (const name of SWITCHES) seen.set(name, await lookAt({ [name]: 'false' }));
  }, 300_000);
  afterAll(() => seen.clear());

  it('answers and charges them at all when everything is on', () => {
    const { answers, charges, balanceSpent, areConnectionsKept, left, outOfQuota, moneyCheck } = of(ALL_ON);
    expect(answers['whole']).toMatchObject({ status: 200, isCut: false });
    expect(answers['streamed']).toMatchObject({ status: 200, text: expect.stringContaining('[DONE]') });
    expect(answers['a body over the limit']).toMatchObject({ status: 413 });
    expect(Object.keys(charges).sort()).toEqual(LOGGED.toSorted());
    expect(charges['whole']).toMatchObject({ type: 2, quota: 110 });
    expect(balanceSpent).toBeGreaterThan(1_000);
    expect(areConnectionsKept).toBe(true);
    expect(left).toEqual({ upstream: 'cancelled', isCharged: true });
    expect(outOfQuota).toMatchObject({ status: 403 });
    expect(moneyCheck).toBe(0);
  });

  it.each(SWITCHES)('%s=false: the same answers, charges and books', (name) => {
    const { threads: _, sentNames: names, ...plain } = of(name);
    const { threads: __, sentNames: usualNames, ...usual } = of(ALL_ON);
    expect(plain).toEqual(usual);
    const folded = (list: readonly string[]) => list.map((one) => one.toLowerCase()).sort();
    expect(folded(names)).toEqual(folded(usualNames));
  });

  it("RELAY_FAST_PATH=false: Node's server writes the heads", () => {
    expect(of(ALL_ON).sentNames).toContain('keep-alive');
    expect(of('RELAY_FAST_PATH').sentNames).toContain('Keep-Alive');
  });

  it('BOOKING_THREAD=false: no thread books', () => {
    if (process.platform !== 'linux') return;
    expect(of(ALL_ON).threads).toContain('booking');
    expect(of('BOOKING_THREAD').threads).not.toContain('booking');
  });
});
