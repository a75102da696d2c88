import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../../support/api-client.js';
import { setUpRoot, startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { until } from '../../../support/until.js';

interface Line {
  readonly request_id: string | null;
  readonly quota: number;
  readonly model_name: string;
  readonly channel: number;
  readonly channel_name: string;
  readonly token_name: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly other: string;
}

interface Explanation {
  readonly charge: { readonly charged: number; readonly is_consistent: boolean; readonly formula: string };
  readonly evidence: string;
  readonly attempts: readonly {
    readonly channel_id: number;
    readonly channel_name: string;
    readonly failure: string;
  }[];
}

/** Records of one real call, for its caller and for operators. */
describe.each(DATABASE_KINDS)('the record of a call on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  let root: ApiClient;
  let upstream: FakeUpstream;

  beforeAll(async () => {
    upstream = await FakeUpstream.start();
    database = await createTestDatabase(kind);
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    root = await setUpRoot(app);
  });

  afterAll(async () => {
    await app.close();
    await upstream.close();
    await database.drop();
  });

  const lineOf = async (requestId: string): Promise<Line> => {
    let found: Line | undefined;
    // Booked in the background.
    await until(async () => {
      const { items } = await root.expectSuccess<{ items: Line[] }>('GET', '/api/log/?type=2');
      found = items.find((line) => line.request_id === requestId);
      return found !== undefined;
    });
    return found as Line;
  };

  it('agrees in log, statistics, token, balance and explanation, to the unit', async () => {
    await root.expectSuccess('PUT', '/api/option/', {
      key: 'ModelRatio',
      value: JSON.stringify({ 'fx-quick': 2 }),
    });
    await root.expectSuccess('PUT', '/api/option/', {
      key: 'CompletionRatio',
      value: JSON.stringify({ 'fx-quick': 3 }),
    });
    const created = await root.expectSuccess<{ ids: number[] }>('POST', '/api/channel/', {
      type: 1,
      name: 'upstream',
      key: 'sk-up',
      models: 'fx-quick',
      base_url: upstream.url,
    });
    const token = await root.expectSuccess<{ id: number; key: string }>('POST', '/api/token/', {
      name: 'cli',
      remain_quota: 100_000,
    });
    const before = await root.expectSuccess<{ quota: number }>('GET', '/api/user/self');

    const response = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${token.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'fx-quick', messages: [{ role: 'user', content: 'hi' }] }),
    });
    expect([response.status, response.ok ? '' : await response.text()]).toEqual([200, '']);
    const requestId = response.headers.get('x-request-id') ?? '';

    const line = await lineOf(requestId);
    // (10 prompt + 50 completion × 3) × ratio 2 = 320
    const charge = 320;
    expect(line).toMatchObject({
      quota: charge,
      model_name: 'fx-quick',
      token_name: 'cli',
      prompt_tokens: 10,
      completion_tokens: 50,
    });
    expect(line).toMatchObject({ channel: created.ids[0], channel_name: 'upstream' });

    const explanation = await root.expectSuccess<Explanation>('GET', `/api/log/${requestId}/explain`);
    expect(explanation.charge).toMatchObject({ charged: charge, is_consistent: true });
    expect(explanation.charge.formula).toContain('320');
    expect(explanation.evidence).toBe('reported');
    expect(explanation.attempts).toMatchObject([
      { channel_id: created.ids[0], channel_name: 'upstream', failure: '' },
    ]);

    expect(await root.expectSuccess('GET', '/api/log/stat?model_name=fx-quick')).toMatchObject({
      quota: charge,
      rpm: 1,
      tpm: 60,
    });
    expect(await root.expectSuccess('GET', `/api/token/${token.id}`)).toMatchObject({
      remain_quota: 100_000 - charge,
      used_quota: charge,
    });
    expect((await root.expectSuccess<{ quota: number }>('GET', '/api/user/self')).quota).toBe(
      before.quota - charge,
    );
    expect(await root.expectSuccess('GET', `/api/channel/${created.ids[0]}`)).toMatchObject({
      used_quota: charge,
    });
    const byKey = await fetch(`${app.url}/api/log/token`, {
      headers: { authorization: `Bearer sk-${token.key}` },
    });
    expect(await byKey.json()).toMatchObject({
      success: true,
      data: [{ quota: charge, channel: 0, channel_name: '', id: 1 }],
    });

    // A disabled token stops at once, on the same instance.
    await root.expectSuccess('PUT', '/api/token/?status_only=true', { id: token.id, status: 2 });
    const refused = await fetch(`${app.url}/v1/models`, {
      headers: { authorization: `Bearer sk-${token.key}` },
    });
    expect(refused.status).toBe(401);
  });
});
