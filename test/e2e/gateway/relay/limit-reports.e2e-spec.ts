import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';

/** Failures of budgets and limits that were reported of other gateways, tried here. */
let gateway: GatewayProcess;
let admin: GatewayConsole;
let upstream: FakeUpstream;

const MODELS = ['fx-std', 'fx-json', 'fx-quick'];

const folder = mkdtempSync(join(tmpdir(), 'tollgate-reports-'));

beforeAll(async () => {
  upstream = await FakeUpstream.start();
  gateway = await GatewayProcess.start({ dataDir: folder });
  admin = new GatewayConsole(gateway.url);
  await admin.setUp();
  await admin.setOptions({ ...FX_PRICES(MODELS), ModelPrice: { 'fx-quick': 0 } });
  await admin.addChannel({ name: 'fake', base_url: upstream.url, models: MODELS });
});
afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Periods end now, whatever the hour: no test runs over the end of one. */
const limit = (fields: Record<string, unknown>) =>
  admin.send<number>('POST', '/api/limits', {
    name: 'reported',
    rolling: fields['period'] !== '',
    ...fields,
  });
const onToken = (id: number, fields: Record<string, unknown>) =>
  limit({ scope: 'token', subject: String(id), ...fields });

function call(key: string, body: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      model: 'fx-std',
      messages: [{ role: 'user', content: 'Hi' }],
      max_tokens: 5,
      ...body,
    }),
  });
}

async function statusOf(...asked: Parameters<typeof call>): Promise<number> {
  const reply = await call(...asked);
  await reply.text();
  return reply.status;
}

describe('reports about limits of other gateways', () => {
  it('refuses the key of root as any other', async () => {
    const { id, key } = await admin.addToken();
    await onToken(id, { measure: 'requests', amount: 1, period: 'day' });
    expect([await statusOf(key), await statusOf(key)]).toEqual([200, 403]);
  });

  it('lets no more of twenty calls at once through than the amount', async () => {
    const { id, key } = await admin.addToken();
    await onToken(id, { measure: 'requests', amount: 3, period: 'minute' });
    const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(key)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(17);
  });

  it('refuses a call without enough money in the day, and lets a free model pass', async () => {
    const { id, key } = await admin.addToken();
    await onToken(id, { measure: 'quota', amount: 0, period: 'day' });
    expect(await statusOf(key)).toBe(403);
    expect(await statusOf(key, { model: 'fx-quick' })).toBe(200);
  });

  it('limits end users it has never seen, by the header and by the body, each by itself', async () => {
    const { key } = await admin.addToken();
    await limit({
      scope: 'end_user',
      each: true,
      account_id: 1,
      measure: 'requests',
      amount: 1,
      period: 'day',
      model: 'fx-json',
    });
    const of = (user: string) => statusOf(key, { model: 'fx-json' }, { 'x-litellm-end-user-id': user });
    expect([await of('new-1'), await of('new-1'), await of('new-2')]).toEqual([200, 403, 200]);
    expect(await statusOf(key, { model: 'fx-json', user: 'new-2' })).toBe(403);
    expect(await statusOf(key, { model: 'fx-std', user: 'new-2' })).toBe(200);
  });

  it('adds up the tokens of an account for its requests of a day', async () => {
    const ada = await admin.addUser('ada', 50_000_000);
    const [first, second] = [await ada.addToken(), await ada.addToken()];
    const { id } = await ada.send<{ id: number }>('GET', '/api/user/self');
    await limit({ scope: 'account', subject: String(id), measure: 'requests', amount: 2, period: 'day' });
    const statuses = [await statusOf(first.key), await statusOf(second.key), await statusOf(first.key)];
    expect(statuses).toEqual([200, 200, 403]);
  });

  it('still counts after a restart', async () => {
    const { id, key } = await admin.addToken();
    await onToken(id, { measure: 'requests', amount: 1, period: 'day' });
    expect(await statusOf(key)).toBe(200);
    await gateway.kill();
    gateway = await GatewayProcess.start({ dataDir: folder, port: Number(new URL(gateway.url).port) });
    expect(await statusOf(key)).toBe(403);
  });

  it('frees the place of a stream whose client left', async () => {
    const { id, key } = await admin.addToken();
    await onToken(id, { measure: 'in_flight', amount: 1, period: '' });
    const leaving = new AbortController();
    const stream = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'fx-std', stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
    });
    await stream.body?.getReader().read();
    leaving.abort();
    const status = await admin.waitFor(
      () => statusOf(key),
      (each) => each !== 429,
    );
    expect(status).toBe(200);
  });

  it('names the wait and the full limit in every refusal of a minute', async () => {
    const { id, key } = await admin.addToken();
    await onToken(id, { measure: 'requests', amount: 1, period: 'minute' });
    await statusOf(key);
    const reply = await call(key);
    const body = (await reply.json()) as { error: { message: string } };
    expect(reply.status).toBe(429);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(reply.headers.get('x-ratelimit-limit-requests')).toBe('1');
    expect(reply.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(body.error.message).toMatch(/has room again at \d{4}-\d\d-\d\dT/);
  });
});
