import { type Moment, momentOf } from '../../../server/common/moment.js';
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../../server/infra/clock/system-clock.js';
import { runInTransaction } from '../../../server/infra/database/run-in-transaction.js';
import { AccountMoney } from '../../../server/modules/billing/ledger/account-money.service.js';
import { ALL_USERS } from '../../../server/modules/billing/ledger/all-users.js';
import { UsageTotalEntity } from '../../../server/modules/billing/ledger/usage-total.entity.js';
import { LogEntity } from '../../../server/modules/usage-log/log.entity.js';
import { LogRetention } from '../../../server/modules/usage-log/log-retention.js';
import type { NewLogLine } from '../../../server/modules/usage-log/insert-lines.js';
import { LogsRepository } from '../../../server/modules/usage-log/logs.repository.js';
import { UsageBuckets } from '../../../server/modules/billing/ledger/usage-buckets.js';
import { type UsageTotal, UsageTotals } from '../../../server/modules/billing/ledger/usage-totals.js';
import type { ApiClient } from '../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../support/database.ts';

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
      // What all used together is booked beside it.
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

  it('gives owners their own hours by model, administrators everybody or one account', async () => {
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
    '%s is worked out thirty times a minute for one account; what is known costs nothing [DB-04]',
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

  it('tells a client with an API token what is left and what was used', async () => {
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
    const make = async (wish: object): Promise<string> => {
      const { id } = await ann.expectSuccess<{ id: number }>('POST', '/api/token/', {
        name: 'client',
        ...wish,
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

  const line = (part: Partial<NewLogLine>): NewLogLine => ({
    userId: ann.userId,
    createdAt: thisHour,
    type: 2,
    content: 'model ratio 1',
    username: 'ann',
    tokenName: 'client',
    modelName: 'fx-a',
    quota: 10,
    promptTokens: 3,
    completionTokens: 2,
    useTime: 1,
    isStream: true,
    channelId: 0,
    tokenId: 1,
    group: 'default',
    other: '{"admin_info":{}}',
    requestId: null,
    ...part,
  });
  const download = async (client: ApiClient, path: string) => {
    const response = await fetch(app.url + path, { headers: client.headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    return {
      response,
      bytes,
      rows: bytes.toString('utf8').replace('\uFEFF', '').split('\r\n').filter(Boolean),
    };
  };

  it('exports the log as a file: all of it, once, newest first; formulas are texts; owners see their own', async () => {
    const logs = app.app.get(LogsRepository);
    const names = Array.from({ length: 2_500 }, (_, index) => `row ${index}`);
    for (let from = 0; from < names.length; from += 500)
      await logs.insertMany(
        names
          .slice(from, from + 500)
          .map((content, index) =>
            line({ content, createdAt: thisHour - 5_000 + Math.floor((from + index) / 7) }),
          ),
      );
    await logs.insertMany([
      line({ userId: bob.userId, username: 'bob', tokenName: '=1+1', content: 'said "hi", twice' }),
    ]);
    const all = await download(root, '/api/log/export?type=2');
    expect(all.response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(all.response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="log-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(all.bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(all.rows[0]).toBe(
      'time,type,username,token,group,model,stream,use_time_seconds,prompt_tokens,completion_tokens,quota,request_id,content,id,user_id,channel_id,channel_name',
    );
    expect(all.rows).toHaveLength(2_502);
    expect(all.rows[1]).toMatch(
      /^[\dT:.-]+Z,consumption,bob,'=1\+1,default,fx-a,true,1,3,2,10,,"said ""hi"", twice",/,
    );
    const own = await download(ann, '/api/log/self/export?type=2&p=3&page_size=10');
    expect(own.rows).toHaveLength(2_501);
    expect(own.rows.slice(1).map((row) => row.split(',').at(-1))).toEqual(names.toReversed());
    expect(own.rows.join()).not.toContain('bob');
    expect((await download(ann, '/api/log/self/export?model_name=fx-b')).rows).toHaveLength(1);
    expect((await ann.get('/api/log/export')).body.code).toBe('not_permitted');
  });

  it('refuses to export more than was asked for: filters it cannot read', async () => {
    const wrong = {
      type: 'abc',
      channel: '-1',
      start_timestamp: 'xyz',
      end_timestamp: '1e9',
    };
    for (const [field, value] of Object.entries(wrong)) {
      const { body } = await root.get(`/api/log/export?${field}=${value}`);
      expect(body).toMatchObject({
        success: false,
        code: 'malformed_input',
        message: expect.stringMatching(`^Invalid parameter: ${field} \\(must `),
      });
      // Her own lines are of no channel she could name.
      if (field === 'channel') continue;
      expect((await ann.get(`/api/log/self/export?${field}=${value}`)).body.success).toBe(false);
    }
    // Of others she sees nothing, whatever she asks for.
    expect((await download(ann, '/api/log/self/export?username=bob&model_name=fx-none')).rows).toHaveLength(
      1,
    );
    // What consoles send when nobody chose anything.
    const none =
      'type=0&username=&channel=0&start_timestamp=&end_timestamp=0&group=&token_name=&model_name=bought';
    expect((await download(root, `/api/log/export?${none}`)).rows).toHaveLength(1);
  });

  it('exports what came in and what an administrator gave or took, with its sign', async () => {
    const acts = [
      { type: 3, quota: 0, content: 'taken', other: '{"event":{"code":"user.add_quota","quota":-250}}' },
      { type: 3, quota: 0, content: 'given', other: '{"event":{"code":"user.add_quota","quota":70}}' },
      { type: 1, quota: 500, content: 'redeemed', other: '{"event":{"code":"redeemed","redemption_id":1}}' },
      { type: 4, quota: 30, content: 'older than events', other: '' },
      { type: 2, quota: 12, content: 'a call', other: '{"event":{"quota":9}}' },
    ];
    await app.app.get(LogsRepository).insertMany(acts.map((act) => line({ ...act, modelName: 'bought' })));
    const amounts = async (client: ApiClient, path: string) =>
      (await download(client, path)).rows.slice(1).map((row) => row.split(',')[10]);
    const expected = ['12', '30', '500', '70', '-250'];
    expect(await amounts(root, '/api/log/export?model_name=bought')).toEqual(expected);
    expect(await amounts(ann, '/api/log/self/export?model_name=bought')).toEqual(expected);
  });

  it('stops reading the log when its reader leaves', async () => {
    const logs = app.app.get(LogsRepository);
    const read = logs.exportPage.bind(logs);
    let pages = 0;
    const endless = Array.from({ length: 1_000 }, (_, index) => ({
      ...line({ content: 'x'.repeat(1_000) }),
      id: index + 1,
    }));
    logs.exportPage = async () => {
      pages += 1;
      return endless;
    };
    try {
      await new Promise<void>((left) => {
        const request = get(`${app.url}/api/log/self/export`, { headers: ann.headers }, (response) => {
          response.once('data', () => {
            response.destroy();
            request.destroy();
            left();
          });
        });
      });
      const closed = await app.dataSource.getRepository(LogEntity).count();
      expect(closed).toBeGreaterThan(0);
      const before = pages;
      // The server hears of the closed connection within a few turns; another request passes through the same loop.
      for (let turn = 0; turn < 20; turn += 1) await ann.get('/api/user/self');
      const settled = pages;
      for (let turn = 0; turn < 20; turn += 1) await ann.get('/api/user/self');
      expect(pages).toBe(settled);
      expect(settled - before).toBeLessThan(50);
    } finally {
      logs.exportPage = read;
    }
  });

  it('removes calls and failures after LogRetentionDays; keeps top-ups and acts of administrators [LOG-04]', async () => {
    const logs = app.app.get(LogsRepository);
    const old = thisHour - 31 * DAY;
    await logs.insertMany(
      [1, 2, 3, 4, 5].map((type) => line({ type, createdAt: old, content: `old ${type}` })),
    );
    const oldLines = async () =>
      (await app.dataSource.getRepository(LogEntity).findBy({ createdAt: old }))
        .map(({ type }) => type)
        .toSorted();
    const retention = app.app.get(LogRetention);
    expect(await retention.turn()).toBe(0);
    expect(await oldLines()).toEqual([1, 2, 3, 4, 5]);
    await root.expectSuccess('PUT', '/api/option/', { key: 'LogRetentionDays', value: 30 });
    expect(await retention.turn()).toBe(2);
    expect(await oldLines()).toEqual([1, 3, 4]);
    expect(await retention.turn()).toBe(0);
  });
});
