import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LogEntity } from '../../../../server/base/logs/log.entity.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { sendJson } from '../../../support/fake-upstream-behaviours.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { until } from '../../../support/until.js';

/** Reports about what budgets of other gateways count, tried here. */
let app: TestApp;
let upstream: FakeUpstream;
let admin: GatewayConsole;

const MODELS = ['fx-std', 'fx-error-400', 'fx-cached'];
const CACHED = { total: 10_000, read: 8_000, output: 50 };
const HELLO = [{ role: 'user', content: 'Hi' }];

beforeAll(async () => {
  upstream = await FakeUpstream.start({ isLenient: true });
  upstream.on('fx-cached', (exchange) =>
    sendJson(exchange, 200, {
      id: 'chatcmpl-cached',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'fx-cached',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: CACHED.total,
        completion_tokens: CACHED.output,
        total_tokens: CACHED.total + CACHED.output,
        prompt_tokens_details: { cached_tokens: CACHED.read },
      },
    }),
  );
  app = await startTestApp();
  admin = new GatewayConsole(app.url);
  await admin.setUp();
  await admin.setOptions({ ...FX_PRICES(MODELS), CacheRatio: { 'fx-cached': 0.1 } });
  await admin.addChannel({ base_url: upstream.url, models: MODELS });
});
afterAll(async () => {
  await app?.close();
  await upstream?.close();
});

/** A key with a limit whose period ends now, whatever the hour. */
async function limited(
  limit: Record<string, unknown>,
): Promise<{ key: string; id: number; tokenId: number }> {
  const { id: tokenId, key } = await admin.addToken();
  const id = await limitOn(tokenId, limit);
  return { key, id, tokenId };
}
const limitOn = (tokenId: number, limit: Record<string, unknown>): Promise<number> =>
  admin.send('POST', '/api/limits', {
    name: 'reported',
    scope: 'token',
    subject: String(tokenId),
    period: 'day',
    rolling: true,
    ...limit,
  });

async function call(key: string, more: object = {}, path = '/v1/chat/completions') {
  const reply = await fetch(app.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'fx-std', messages: HELLO, max_tokens: 60, ...more }),
  });
  return { status: reply.status, body: await reply.text() };
}

const useOf = async (id: number): Promise<{ used: number; held: number }> =>
  (await admin.send<{ use: { used: number; held: number } | null }>('GET', `/api/limits/${id}`)).use ??
  UNUSED;
const UNUSED = { used: 0, held: 0 };
/** Use of a limit once no call is held any more. */
const settledUse = (id: number): Promise<number> =>
  admin
    .waitFor(
      () => useOf(id),
      ({ used, held }) => used > 0 && held === 0,
    )
    .then(({ used }) => used);

/** Most quota that a call may cost, as the refusal of a limit below it names it. */
async function mostOf(body: object): Promise<number> {
  const { key } = await limited({ measure: 'quota', amount: 1 });
  const refused = JSON.parse((await call(key, body)).body) as { error: { limit: { needed: number } } };
  return Math.round(refused.error.limit.needed * 500_000);
}

describe('reports about what other gateways count', () => {
  // BerriAI/litellm 36592: reservations of calls that succeeded stayed, the key was refused at 0.4 % of its budget.
  it('refuses no key whose calls hold much and cost little', async () => {
    const body = { max_tokens: 5_000 };
    const { key, id } = await limited({ measure: 'quota', amount: (await mostOf(body)) + 1_500 });
    for (let index = 0; index < 12; index += 1) {
      expect((await call(key, body)).status).toBe(200);
      await settledUse(id);
    }
    expect(await settledUse(id)).toBeLessThan(1_500);
  });

  // BerriAI/litellm 21312: requests that failed did not count.
  it('counts requests that the upstream refused', async () => {
    const { key } = await limited({ measure: 'requests', amount: 2, period: 'minute' });
    const failing = { model: 'fx-error-400' };
    const statuses = [await call(key, failing), await call(key, failing), await call(key, failing)];
    expect(statuses.map(({ status }) => status)).toEqual([400, 400, 429]);
  });

  // wso2/api-platform 3253: GET /v1/models took one token of the budget.
  it('counts nothing for the list of models and for counted tokens', async () => {
    const { key, tokenId, id } = await limited({ measure: 'requests', amount: 1 });
    const tokens = await limitOn(tokenId, { measure: 'tokens', amount: 1_000 });
    for (let index = 0; index < 5; index += 1) {
      const list = await fetch(`${app.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
      await list.text();
      expect(list.status).toBe(200);
      await call(key, {}, '/v1/messages/count_tokens');
    }
    expect([await useOf(id), await useOf(tokens)]).toMatchObject([UNUSED, UNUSED]);
    expect((await call(key)).status).toBe(200);
    expect((await call(key)).status).toBe(403);
  });

  // wso2/gateway-controllers 260: the Messages API names no total, so each call counted 1 token.
  it.each(['/v1/messages', '/v1/chat/completions', '/v1/responses'])(
    'counts input and output of %s',
    async (path) => {
      const { key, id } = await limited({ measure: 'tokens', amount: 10_000 });
      expect((await call(key, { input: 'Hi' }, path)).status).toBe(200);
      expect(await settledUse(id)).toBe(60);
    },
  );

  // headroomlabs-ai/headroom 3347, langwatch/tasks 772: tokens a minute were accepted and enforced nowhere.
  it('refuses 5,000 tokens against a limit of 1 a minute, and sends nothing', async () => {
    const { key } = await limited({ measure: 'tokens', amount: 1, period: 'minute' });
    const before = upstream.journal.length;
    const { status, body } = await call(key, {
      messages: [{ role: 'user', content: 'word '.repeat(5_000) }],
    });
    expect([status, body.includes('limit_below_call')]).toEqual([403, true]);
    expect(upstream.journal).toHaveLength(before);
  });

  // BerriAI/litellm 27001: calls at once without messages passed a full limit of tokens.
  it.each(['/v1/responses', '/v1/chat/completions'])(
    'admits no more tokens at once than the limit at %s',
    async (path) => {
      const amount = 400;
      const { key, id } = await limited({ measure: 'tokens', amount, period: 'minute' });
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => call(key, { input: 'Hi', max_output_tokens: 60 }, path)),
      );
      const statuses = new Set(answers.map(({ status }) => status));
      expect(statuses).toEqual(new Set([200, 429]));
      expect(await settledUse(id)).toBeLessThanOrEqual(amount);
    },
  );

  // askalf/dario 1378: with no call to take an average of, a burst on a fresh key went beyond the budget.
  it('admits as many calls of a burst on a fresh key as there is money for', async () => {
    const most = await mostOf({});
    const { key, id } = await limited({ measure: 'quota', amount: 2 * most });
    const release = upstream.holdAnswers();
    const before = upstream.journal.length;
    const answers = Array.from({ length: 10 }, () => call(key));
    await until(() => upstream.journal.length === before + 2);
    const refused: number[] = [];
    for (const answer of answers) void answer.then(({ status }) => refused.push(status));
    await until(() => refused.length === 8);
    expect(new Set(refused)).toEqual(new Set([403]));
    release();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect(await settledUse(id)).toBeLessThanOrEqual(2 * most);
  });

  // BerriAI/litellm 18728, aws-solutions-library-samples/guidance-for-claude-code-with-amazon-bedrock 263: a limit of tokens counts cached
  // ones whole; a limit of money counts them at their price.
  it('counts cached tokens whole as tokens, and at their price as money', async () => {
    const { key, id, tokenId } = await limited({ measure: 'tokens', amount: 1_000_000 });
    const input = await limitOn(tokenId, { measure: 'input_tokens', amount: 1_000_000 });
    const money = await limitOn(tokenId, { measure: 'quota', amount: 1_000_000 });
    expect((await call(key, { model: 'fx-cached' })).status).toBe(200);
    expect(await settledUse(id)).toBe(CACHED.total + CACHED.output);
    expect(await settledUse(input)).toBe(CACHED.total);
    const uncached = CACHED.total - CACHED.read;
    expect(await settledUse(money)).toBe(uncached + CACHED.read * 0.1 + 2 * CACHED.output);
  });

  // tashfeenahmed/freellmapi 1159: deleted request logs opened a spent budget again.
  it('stays full after the usage log was deleted', async () => {
    const { key, id, tokenId } = await limited({ measure: 'requests', amount: 1 });
    expect((await call(key)).status).toBe(200);
    await settledUse(id);
    const logs = app.dataSource.getRepository(LogEntity);
    await until(async () => (await logs.countBy({ tokenId })) === 1);
    const now = Math.floor(Date.now() / 1_000);
    await logs.update({ tokenId }, { createdAt: now - 100 });
    await admin.send('DELETE', `/api/log?target_timestamp=${now - 50}`);
    expect(await logs.countBy({ tokenId })).toBe(0);
    expect((await call(key)).status).toBe(403);
    expect(await settledUse(id)).toBe(1);
  });
});
