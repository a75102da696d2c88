import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Moment, momentOf } from '../../../../server/common/moment.js';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { FakeUpstream } from '../../../support/fake-upstream.ts';
import { testRedisUrl } from '../../../support/redis.ts';
import { until } from '../../../support/until.ts';

/** Its monotonic time stands still: what an instance knows never grows old, so only news of a change ends it. */
class StandingClock extends SystemClock {
  private readonly stoodMs = super.monotonicMs();

  override monotonicMs(): Moment {
    return momentOf(this.stoodMs);
  }
}

describe('undo on two instances with Redis', () => {
  let database: TestDatabase;
  let upstream: FakeUpstream;
  let one: TestApp;
  let two: TestApp;
  let root: ApiClient;
  let ann: ApiClient;

  beforeAll(async () => {
    database = await createTestDatabase('mariadb');
    upstream = await FakeUpstream.start();
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: testRedisUrl(),
      SESSION_SECRET: 's'.repeat(40),
      CRYPTO_SECRET: 'c'.repeat(40),
    };
    one = await startTestApp({ env });
    root = await setUpRoot(one);
    await root.expectSuccess('PUT', '/api/option/', { key: 'ModelRatio', value: '{"fx-std":1}' });
    const channel = { type: 1, name: 'all', key: 'sk-up', models: 'fx-std', base_url: upstream.url };
    await root.expectSuccess('POST', '/api/channel/', channel);
    ann = await signUp(root, { username: 'ann' });
    await root.expectSuccess('POST', '/api/user/manage', {
      id: ann.userId,
      action: 'add_quota',
      mode: 'add',
      value: 100_000,
    });
    two = await startTestApp({ env, clock: new StandingClock() });
  });
  afterAll(async () => {
    await one.close();
    await two.close();
    await upstream.close();
    await database.drop();
  });

  const statusAt = async (app: TestApp, key: string): Promise<number> => {
    const response = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'fx-std', messages: [{ role: 'user', content: 'hello' }] }),
    });
    await response.text();
    return response.status;
  };

  it('refuses a deleted key on both, and answers a restored one on both', async () => {
    const { id, key } = await ann.expectSuccess<{ id: number; key: string }>('POST', '/api/token/', {
      name: 'laptop',
      unlimited_quota: true,
    });
    for (const app of [one, two]) expect(await statusAt(app, key)).toBe(200);
    await ann.expectSuccess('DELETE', `/api/token/${id}`);
    expect(await statusAt(one, key)).toBe(401);
    await until(async () => (await statusAt(two, key)) === 401);
    await ann.expectSuccess('POST', '/api/token/restore', { ids: [id] });
    expect(await statusAt(one, key)).toBe(200);
    await until(async () => (await statusAt(two, key)) === 200);
  });

  it('takes the channel of a deletion away on both, and brings it back on both', async () => {
    const { key } = await ann.expectSuccess<{ key: string }>('POST', '/api/token/', {
      name: 'desk',
      unlimited_quota: true,
    });
    const [{ id } = { id: 0 }] = await root.expectSuccess<{ id: number }[]>('GET', '/api/channel/');
    await root.expectSuccess('DELETE', `/api/channel/${id}`);
    for (const app of [one, two]) await until(async () => (await statusAt(app, key)) !== 200);
    await root.expectSuccess('POST', '/api/channel/restore', { ids: [id] });
    for (const app of [one, two]) await until(async () => (await statusAt(app, key)) === 200);
  });

  it('lets the tokens of a restored account call on both', async () => {
    const eve = await signUp(root, { username: 'eve' });
    await root.expectSuccess('POST', '/api/user/manage', {
      id: eve.userId,
      action: 'add_quota',
      mode: 'add',
      value: 100_000,
    });
    const { key } = await eve.expectSuccess<{ key: string }>('POST', '/api/token/', {
      name: 'phone',
      unlimited_quota: true,
    });
    for (const app of [one, two]) expect(await statusAt(app, key)).toBe(200);
    await root.expectSuccess('DELETE', `/api/user/${eve.userId}`);
    for (const app of [one, two]) await until(async () => (await statusAt(app, key)) === 401);
    await root.expectSuccess('POST', '/api/bin/user/restore', { ids: [eve.userId] });
    for (const app of [one, two]) await until(async () => (await statusAt(app, key)) === 200);
  });
});
