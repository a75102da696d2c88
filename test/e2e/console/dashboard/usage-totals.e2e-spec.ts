import { type Moment, momentOf } from '../../../../server/common/moment.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { runInTransaction } from '../../../../server/infra/database/run-in-transaction.js';
import { AccountMoney } from '../../../../server/base/billing/ledger/account-money.service.js';
import { ALL_USERS } from '../../../../server/base/billing/ledger/all-users.js';
import { UsageTotalEntity } from '../../../../server/base/billing/ledger/usage-total.entity.js';
import { UsageBuckets } from '../../../../server/base/billing/ledger/usage-buckets.js';
import { type UsageTotal, UsageTotals } from '../../../../server/base/billing/ledger/usage-totals.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';

const DAY = 86_400;

class ShiftedClock extends SystemClock {
  shiftMs = 0;

  override nowMs(): Moment {
    return momentOf(super.nowMs() + this.shiftMs);
  }
}

describe.each(DATABASE_KINDS)('figures of use on %s', (kind) => {
  const clock = new ShiftedClock();
  let database: TestDatabase;
  let app: TestApp;
  let root: ApiClient;
  let ann: ApiClient;
  let bob: ApiClient;
  let thisHour: number;
  beforeAll(async () => {
    database = await createTestDatabase(kind);
    app = await startTestApp({ env: { DATABASE_URL: database.url }, clock });
    root = await setUpRoot(app);
    ann = await signUp(root, { username: 'ann' });
    bob = await signUp(root, { username: 'bob' });
    const nowSeconds = Math.floor(Date.now() / 1000);
    thisHour = nowSeconds - (nowSeconds % 3_600);
    const use = (userId: number, modelName: string, hoursAgo: number, quota: number) => ({
      userId,
      modelName,
      createdAt: thisHour - hoursAgo * 3_600,
      quota,
      tokenUsed: quota * 2,
      count: 1,
    });
    await app.dataSource.getRepository(UsageTotalEntity).insert([
      use(ann.userId, 'fx-a', 1, 10),
      use(ann.userId, 'fx-b', 1, 20),
      use(ann.userId, 'fx-a', 2, 30),
      use(bob.userId, 'fx-a', 1, 5),
      use(ann.userId, 'fx-a', 24 * 40, 70),
      // The sum over all accounts is booked beside it.
      { ...use(ALL_USERS, 'fx-a', 1, 15), count: 2 },
      use(ALL_USERS, 'fx-b', 1, 20),
      use(ALL_USERS, 'fx-a', 2, 30),
      use(ALL_USERS, 'fx-a', 24 * 40, 70),
    ]);
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const figures = (client: ApiClient, path: string) =>
    client.expectSuccess<Record<string, unknown>[]>('GET', path);

  it('gives owners their own hours by model, administrators those of all accounts or one', async () => {
    expect(await figures(ann, '/api/data/self')).toEqual([
      ...[
        ['fx-a', 2, 30],
        ['fx-a', 1, 10],
        ['fx-b', 1, 20],
      ].map(([model, hours, quota], index) => ({
        id: index + 1,
        user_id: ann.userId,
        username: 'ann',
        model_name: model,
        created_at: thisHour - Number(hours) * 3_600,
        token_used: Number(quota) * 2,
        count: 1,
        quota,
      })),
    ]);
    const all = await figures(root, '/api/data/');
    expect(
      all.map(({ model_name: model, quota, count, username }) => [model, quota, count, username]),
    ).toEqual([
      ['fx-a', 30, 1, ''],
      ['fx-a', 15, 2, ''],
      ['fx-b', 20, 1, ''],
    ]);
    expect(await figures(root, '/api/data/?username=bob')).toMatchObject([{ quota: 5, user_id: bob.userId }]);
    expect(await figures(root, '/api/data/?username=nobody')).toEqual([]);
    const users = await figures(root, '/api/data/users');
    expect(users.map(({ username, quota }) => [username, quota])).toEqual([
      ['ann', 30],
      ['ann', 30],
      ['bob', 5],
    ]);
  });

  it('a month for owners, the week view included, and a year for administrators [DATA-103, DATA-104]', async () => {
    const span = (days: number, more = 0) =>
      `start_timestamp=${thisHour - days * DAY}&end_timestamp=${thisHour + more}`;
    expect(await figures(ann, `/api/data/self?${span(30, 3_600)}`)).toHaveLength(3);
    expect((await ann.get(`/api/data/self?${span(32)}`)).body.code).toBe('span_too_long');
    expect(await figures(root, `/api/data/?${span(300)}`)).toHaveLength(4);
    expect((await root.get(`/api/data/?${span(400)}`)).body.code).toBe('span_too_long');
    expect((await ann.get('/api/data/')).body.code).toBe('not_permitted');
    expect((await ann.get('/api/data/users')).body.code).toBe('not_permitted');
  });

  it('shows the largest where lines are too many and all others as one; leaves nothing out [DB-04]', async () => {
    const asked = { span: { from: thisHour - 3 * 3_600, to: thisHour }, buckets: new UsageBuckets() };
    const figures = app.app.get(UsageTotals);
    const lines = (uses: readonly UsageTotal[]) =>
      uses.map(({ username, modelName, start, calls, quota }) => [
        username,
        modelName,
        (thisHour - start) / 3_600,
        calls,
        quota,
      ]);
    expect(lines(await figures.byUser({ ...asked, limit: 5 }))).toEqual([
      ['ann', '', 2, 1, 30],
      ['', '', 1, 1, 5],
      ['ann', '', 1, 2, 30],
    ]);
    expect(lines(await figures.byModel(ALL_USERS, { ...asked, limit: 2 }))).toEqual([
      ['', 'fx-a', 2, 1, 30],
      ['', '', 1, 1, 20],
      ['', 'fx-a', 1, 2, 15],
    ]);
    expect(lines(await figures.byModel(ann.userId, { ...asked, limit: 2 }))).toEqual([
      ['ann', 'fx-a', 2, 1, 30],
      ['ann', '', 1, 1, 20],
      ['ann', 'fx-a', 1, 1, 10],
    ]);
    expect(await figures.byUser({ ...asked, span: { from: 0, to: 3_600 }, limit: 5 })).toEqual([]);
  });

  it.each([
    ['/api/data/self', '&end_timestamp='],
    ['/api/log/self/stat', '&start_timestamp='],
  ])(
    'computes %s at most thirty times a minute for one account; cached answers cost nothing [DB-04]',
    async (path, member) => {
      const cyd = await signUp(root, { username: path.includes('log') ? 'cyd' : 'dan' });
      const ask = (index: number) => cyd.get(`${path}?${member}${thisHour - index}`);
      for (let index = 0; index < 30; index += 1) expect((await ask(index)).body.success).toBe(true);
      expect((await ask(29)).body.success).toBe(true);
      const refused = await ask(30);
      expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests']);
      expect((await ask(29)).body.success).toBe(true);
    },
  );

  it('shows balance and use to a client with an API token', async () => {
    const money = app.app.get(AccountMoney);
    await runInTransaction(app.dataSource, (manager) =>
      money.credit(manager, {
        userId: ann.userId,
        amount: 5_000_000,
        kind: 'import',
        ref: 'ann',
        actorId: 0,
        reason: 'test',
      }),
    );
    const make = async (wanted: object): Promise<string> => {
      const { id } = await ann.expectSuccess<{ id: number }>('POST', '/api/token/', {
        name: 'client',
        ...wanted,
      });
      return (await ann.expectSuccess<{ key: string }>('POST', `/api/token/${id}/key`)).key;
    };
    const expiry = Math.floor(Date.now() / 1000) + DAY;
    const limited = await make({ remain_quota: 1_000_000, expired_time: expiry });
    const unlimited = await make({ unlimited_quota: true });
    const ask = async (path: string, key: string) => {
      const response = await fetch(app.url + path, { headers: { authorization: `Bearer sk-${key}` } });
      return { status: response.status, body: (await response.json()) as Record<string, unknown>, response };
    };
    for (const prefix of ['', '/v1']) {
      const { body, response } = await ask(`${prefix}/dashboard/billing/subscription`, limited);
      expect(body).toEqual({
        object: 'billing_subscription',
        has_payment_method: true,
        access_until: expiry,
        soft_limit_usd: 2,
        hard_limit_usd: 2,
        system_hard_limit_usd: 2,
      });
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      const usage = await ask(
        `${prefix}/dashboard/billing/usage?start_date=2026-01-01&end_date=2026-02-01`,
        limited,
      );
      expect(usage.body).toEqual({ object: 'list', total_usage: 0 });
    }
    const endless = await ask('/v1/dashboard/billing/subscription/', unlimited);
    expect(endless.body).toMatchObject({ hard_limit_usd: 100_000_000, access_until: 0 });
    await root.expectSuccess('PUT', '/api/option/', { key: 'DisplayTokenStatEnabled', value: false });
    expect((await ask('/dashboard/billing/subscription', unlimited)).body).toMatchObject({
      hard_limit_usd: 10,
    });
    await root.expectSuccess('PUT', '/api/option/', { key: 'DisplayInCurrencyEnabled', value: false });
    expect((await ask('/dashboard/billing/subscription', limited)).body).toMatchObject({
      hard_limit_usd: 5_000_000,
    });
    const stranger = await ask('/dashboard/billing/usage', 'x'.repeat(48));
    expect(stranger).toMatchObject({ status: 401, body: { error: { message: expect.any(String) } } });
  });
});
