import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { ShiftedClock } from '../../../support/shifted-clock.js';

/** Reports about budgets of customers, tags and keys in other gateways, tried here. */
const MODELS = ['fx-std', 'fx-json'];
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let app: TestApp;
let clock: ShiftedClock;
let upstream: FakeUpstream;
let admin: GatewayConsole;

beforeAll(async () => {
  upstream = await FakeUpstream.start();
  clock = new ShiftedClock();
  app = await startTestApp({ clock });
  // Noon in UTC: no hour ends before a test makes it end.
  clock.advance(DAY_MS / 2 - (clock.nowMs() % DAY_MS));
  admin = new GatewayConsole(app.url);
  await admin.setUp();
  await admin.setOptions(FX_PRICES(MODELS));
  await admin.addChannel({ base_url: upstream.url, models: MODELS });
});
afterAll(async () => {
  await app?.close();
  await upstream?.close();
});

const limit = (fields: Record<string, unknown>): Promise<number> =>
  admin.send('POST', '/api/limits', {
    name: 'reported',
    measure: 'requests',
    amount: 1,
    period: 'day',
    ...fields,
  });

async function call(
  key: string,
  body: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const reply = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      model: 'fx-std',
      messages: [{ role: 'user', content: 'Hi' }],
      max_tokens: 50,
      ...body,
    }),
  });
  return { status: reply.status, text: await reply.text() };
}
const statusOf = async (...asked: Parameters<typeof call>): Promise<number> => (await call(...asked)).status;

/** A limit for the time of one test. */
async function during<T>(id: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await admin.send('DELETE', `/api/limits/${id}`);
  }
}

describe('reports about limits of customers and tags', () => {
  // BerriAI/litellm 15967: the default budget of customers was not enforced for those that calls created.
  // BerriAI/litellm 11083: nor for those that a header named.
  it('limits a customer from its first call, whatever names it', async () => {
    const { key } = await admin.addToken();
    const each = await limit({ scope: 'end_user', each: true });
    await during(each, async () => {
      expect([await statusOf(key, { user: 'new' }), await statusOf(key, { user: 'new' })]).toEqual([
        200, 403,
      ]);
      const headers = { 'x-litellm-end-user-id': 'new' };
      expect(await statusOf(key, {}, headers)).toBe(403);
      expect(await statusOf(key, { user: 'other' })).toBe(200);
    });
  });

  // BerriAI/litellm 24675, 5651, 7129: the use of customers was never set back.
  // BerriAI/litellm 27481: nor that of tags.
  it.each(['end_user', 'tag'])('starts the use of each %s anew when the hour ends', async (scope) => {
    const { key } = await admin.addToken();
    const headers = { 'x-tollgate-tags': `by-${scope}`, 'x-tollgate-end-user': `by-${scope}` };
    await during(await limit({ scope, each: true, period: 'hour' }), async () => {
      expect([await statusOf(key, {}, headers), await statusOf(key, {}, headers)]).toEqual([200, 429]);
      clock.advance(HOUR_MS);
      expect([await statusOf(key, {}, headers), await statusOf(key, {}, headers)]).toEqual([200, 429]);
    });
  });

  // BerriAI/litellm 31842: a customer's budget of one model was stored and not enforced.
  it('limits one model of a customer and leaves the others', async () => {
    const { key } = await admin.addToken();
    await during(await limit({ scope: 'end_user', subject: 'model-user', model: 'fx-std' }), async () => {
      const user = 'model-user';
      expect([await statusOf(key, { user }), await statusOf(key, { user })]).toEqual([200, 403]);
      expect(await statusOf(key, { user, model: 'fx-json' })).toBe(200);
    });
  });

  // BerriAI/litellm 39713: rates of customers did not apply any more once the key was cached.
  it('limits the rate of a customer of a key that was used before', async () => {
    const { key } = await admin.addToken();
    expect(await statusOf(key)).toBe(200);
    const id = await limit({ scope: 'end_user', each: true, amount: 5, period: 'minute', rolling: true });
    await during(id, async () => {
      const statuses: number[] = [];
      for (let index = 0; index < 6; index += 1) statuses.push(await statusOf(key, { user: 'rate' }));
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
      clock.advance(MINUTE_MS);
      expect(await statusOf(key, { user: 'rate' })).toBe(200);
    });
  });
});

describe('reports about limits of keys', () => {
  // BerriAI/litellm 37971: the refusal did not name whose budget was full; a reset to NaN turned the budget off.
  it('names the full limit, and takes no amount that is no number', async () => {
    const { id, key } = await admin.addToken();
    const limitId = await limit({ name: 'team member', scope: 'token', subject: String(id), amount: 0 });
    const { error } = JSON.parse((await call(key)).text) as { error: { limit: Record<string, unknown> } };
    expect(error.limit).toMatchObject({
      name: 'team member',
      scope: 'token',
      measure: 'requests',
      amount: 0,
    });
    for (const amount of ['NaN', '1e999', 'null', '"5"', '-1', '0.5']) {
      const answer = await admin.fetch(
        'PUT',
        `/api/limits/${limitId}/override`,
        JSON.parse(`{"amount":${amount === 'NaN' ? '"NaN"' : amount},"reason":"x"}`),
      );
      expect(answer.ok && ((await answer.json()) as { success: boolean }).success).toBe(false);
    }
    expect(await statusOf(key)).toBe(403);
  });

  // maximhq/bifrost 5673: a budget below the cost of one call was neither stored nor enforced.
  it('stores the amount, and refuses the first call that costs more', async () => {
    const { id, key } = await admin.addToken();
    const limitId = await limit({ scope: 'token', subject: String(id), measure: 'quota', amount: 1 });
    expect(await admin.send('GET', `/api/limits/${limitId}`)).toMatchObject({ amount: 1, measure: 'quota' });
    expect(await statusOf(key)).toBe(403);
  });

  // maximhq/bifrost 2046: a budget that was set could not be removed any more.
  it('admits calls again once the limit is deleted or disabled', async () => {
    const { id, key } = await admin.addToken();
    const limitId = await limit({ scope: 'token', subject: String(id), amount: 0 });
    expect(await statusOf(key)).toBe(403);
    await admin.send('PUT', `/api/limits/${limitId}`, { enabled: false });
    expect(await statusOf(key)).toBe(200);
    await admin.send('PUT', `/api/limits/${limitId}`, { enabled: true });
    expect(await statusOf(key)).toBe(403);
    await admin.send('DELETE', `/api/limits/${limitId}`);
    expect(await statusOf(key)).toBe(200);
  });

  // maximhq/bifrost 2873: calls that were passed through unchanged went beyond the budget.
  it('counts calls that are passed through as the client wrote them', async () => {
    const { id, key } = await admin.addToken();
    await limit({ scope: 'token', subject: String(id) });
    await admin.setOptions({ 'global.pass_through_request_enabled': true });
    try {
      expect([await statusOf(key), await statusOf(key)]).toEqual([200, 403]);
    } finally {
      await admin.setOptions({ 'global.pass_through_request_enabled': false });
    }
  });

  // higress-group/higress 1080: tokens of a streamed call counted twice.
  it('counts the tokens of a streamed call once', async () => {
    const { id, key } = await admin.addToken();
    const limitId = await limit({ scope: 'token', subject: String(id), measure: 'tokens', amount: 100_000 });
    expect(await statusOf(key, { stream: true, stream_options: { include_usage: true } })).toBe(200);
    const { used } = await admin.waitFor(
      async () =>
        (await admin.send<{ use: { used: number; held: number } }>('GET', `/api/limits/${limitId}`)).use,
      (use) => use.used > 0 && use.held === 0,
    );
    const { items } = await admin.send<{
      items: { prompt_tokens: number; completion_tokens: number; token_id: number }[];
    }>('GET', '/api/log?page_size=5');
    const line = items.find(({ token_id: tokenId }) => tokenId === id) ?? items[0];
    expect(used).toBe((line?.prompt_tokens ?? 0) + (line?.completion_tokens ?? 0));
  });
});
