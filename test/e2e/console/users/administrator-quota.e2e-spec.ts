import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AdministratorQuotaDayEntity } from '../../../../server/base/users/administrator-quota-day.entity.js';
import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { TopUpEntity } from '../../../../server/console/wallet/orders/top-up.entity.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';
import { orderRow, withoutId } from '../../../support/stored-rows.js';

describe.each(DATABASE_KINDS)('quota that administrators add, on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  let root: ApiClient;
  let admin: ApiClient;
  let other: ApiClient;
  let user: ApiClient;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    root = await setUpRoot(app);
    admin = await signUp(root, { username: 'warden', role: 'admin' });
    other = await signUp(root, { username: 'deputy', role: 'admin' });
    user = await signUp(root, { username: 'someone' });
    await root.expectSuccess('PUT', '/api/option/', { key: 'AdministratorSections', value: 'quota' });
  });
  beforeEach(async () => {
    await app.dataSource.getRepository(AdministratorQuotaDayEntity).clear();
    await limits(0, 0);
  });
  afterAll(async () => {
    const differences = await checkMoney(app.dataSource);
    await app.close();
    await database.drop();
    expect(differences).toEqual([]);
  });

  const limits = (atOnce: number, aDay: number) =>
    root.expectSuccess('PUT', '/api/option/', [
      { key: 'AdministratorAdjustmentLimit', value: atOnce },
      { key: 'AdministratorDailyQuotaLimit', value: aDay },
    ]);
  const give = (client: ApiClient, value: number, id = user.userId) =>
    client.post('/api/user/manage', { id, action: 'add_quota', mode: 'add', value });
  const make = (client: ApiClient, quota: number, count = 1) =>
    client.post('/api/redemption/', { name: 'gift', quota, count });
  const newestId = async () =>
    (await admin.expectSuccess<{ items: { id: number }[] }>('GET', '/api/redemption/?p=1&page_size=1'))
      .items[0]?.id ?? 0;
  const codes = (replies: readonly { body: { code?: string } }[]) => replies.map(({ body }) => body.code);
  const addedBy = async ({ userId }: ApiClient) => {
    const rows = await app.dataSource.getRepository(AdministratorQuotaDayEntity).findBy({ userId });
    return rows.map(({ addedQuota }) => addedQuota);
  };

  it('exceeds the limit of a day by 0 when 50 adjustments arrive at once [QUOTA-112]', async () => {
    await limits(0, 1_000);
    const { quota: before } = await app.dataSource
      .getRepository(UserEntity)
      .findOneByOrFail({ id: user.userId });
    const replies = await Promise.all(Array.from({ length: 50 }, () => give(admin, 90)));
    const won = replies.filter(({ body }) => body.success === true).length;
    expect(won).toBeLessThanOrEqual(11);
    const balance = async () =>
      (await app.dataSource.getRepository(UserEntity).findOneByOrFail({ id: user.userId })).quota;
    expect([(await balance()) - before, await addedBy(admin)]).toEqual([won * 90, [won * 90]]);
    // A database that is busy refuses some of a crowd: what they left is still there, and no more.
    for (let more = won; more < 11; more += 1) expect((await give(admin, 90)).body.success).toBe(true);
    expect((await give(admin, 90)).body).toMatchObject({
      code: 'administrator_daily_limit',
      message: 'Administrators may add 1000 quota a day (UTC): 10 of it is left for you',
    });
    expect([(await balance()) - before, await addedBy(admin)]).toEqual([990, [990]]);
  });

  it('exceeds it by 0 when adjustments, codes, raises and orders arrive at once', async () => {
    await limits(0, 2_000);
    const raised = await Promise.all(
      Array.from({ length: 10 }, async () => {
        await root.expectSuccess('POST', '/api/redemption/', { name: 'raise', quota: 10, count: 1 });
        return newestId();
      }),
    );
    const orders = Array.from({ length: 10 }, (_, index) => `USR${user.userId}NO${kind}${index}`);
    await app.dataSource
      .getRepository(TopUpEntity)
      .insert(
        orders.map((tradeNo) => withoutId(orderRow({ tradeNo, userId: user.userId, quotaToCredit: 100 }))),
      );
    const ids = [...new Set(raised)];
    const replies = await Promise.all([
      ...Array.from({ length: 15 }, () => give(admin, 100)),
      ...Array.from({ length: 15 }, () => make(admin, 50, 2)),
      ...ids.map((id) => admin.put('/api/redemption/', { id, quota: 110 })),
      ...orders.map((trade_no) => admin.post('/api/user/topup/complete', { trade_no, reason: 'seen' })),
    ]);
    const won = replies.filter(({ body }) => body.success === true).length;
    expect(won).toBeLessThanOrEqual(20);
    expect(await addedBy(admin)).toEqual([won * 100]);
    for (let more = won; more < 20; more += 1) expect((await make(admin, 50, 2)).body.success).toBe(true);
    expect(codes([await make(admin, 1), await give(admin, 1)])).toEqual(
      Array(2).fill('administrator_daily_limit'),
    );
    expect(await addedBy(admin)).toEqual([2_000]);
  });

  it('counts each administrator and each day of UTC for itself, root not at all', async () => {
    await limits(0, 1_000);
    expect((await give(admin, 1_000)).body.success).toBe(true);
    expect(codes([await give(admin, 1), await give(other, 1_000), await give(root, 5_000)])).toEqual([
      'administrator_daily_limit',
      undefined,
      undefined,
    ]);
    expect([await addedBy(admin), await addedBy(other), await addedBy(root)]).toEqual([[1_000], [1_000], []]);
    // Today's sum becomes the one of the day before.
    const rows = app.dataSource.getRepository(AdministratorQuotaDayEntity);
    await rows.decrement({ userId: admin.userId }, 'day', 1);
    expect((await give(admin, 1_000)).body.success).toBe(true);
    const days = await rows.find({ where: { userId: admin.userId }, order: { day: 'ASC' } });
    expect(
      days.map(({ day, addedQuota }) => [day - Math.floor(Date.now() / 86_400_000), addedQuota]),
    ).toEqual([
      [-1, 1_000],
      [0, 1_000],
    ]);
  });

  it('does not win quota back by taking quota away or deleting codes', async () => {
    await limits(0, 1_000);
    expect((await make(admin, 600)).body.success).toBe(true);
    await admin.expectSuccess('DELETE', `/api/redemption/${await newestId()}`);
    await give(admin, 400);
    await admin.expectSuccess('POST', '/api/user/manage', {
      id: user.userId,
      action: 'add_quota',
      mode: 'subtract',
      value: 300,
    });
    expect(codes([await give(admin, 1), await make(admin, 1)])).toEqual(
      Array(2).fill('administrator_daily_limit'),
    );
  });

  it('counts a code that becomes redeemable again, and a raise of a disabled one once', async () => {
    await limits(0, 1_000);
    await root.expectSuccess('POST', '/api/redemption/', { name: 'idle', quota: 900, count: 1 });
    const id = await newestId();
    const status = (wanted: number) => admin.put('/api/redemption/?status_only=1', { id, status: wanted });
    expect((await status(2)).body.success).toBe(true);
    expect((await status(1)).body.success).toBe(true);
    expect(await addedBy(admin)).toEqual([900]);
    await status(2);
    expect((await status(1)).body).toMatchObject({
      code: 'administrator_daily_limit',
      message: 'Administrators may add 1000 quota a day (UTC): 100 of it is left for you',
    });
  });

  it('bounds batches, raises and gifts by what one adjustment may move', async () => {
    await limits(1_000, 0);
    expect(codes([await make(admin, 1_000_000_000, 100), await make(admin, 501, 2)])).toEqual(
      Array(2).fill('redemption_worth_too_large'),
    );
    expect((await make(admin, 500, 2)).body.success).toBe(true);
    const id = await newestId();
    expect((await admin.put('/api/redemption/', { id, quota: 1_000_000_000 })).body).toMatchObject({
      code: 'redemption_worth_too_large',
      message: 'Only root may make or raise codes to more than 1000 in all at once',
    });
    expect((await admin.put('/api/redemption/', { id, quota: 1_000, name: 'more' })).body.success).toBe(true);
    for (const key of ['QuotaForNewUser', 'QuotaForInviter', 'QuotaForInvitee'])
      expect((await admin.put('/api/option/', { key, value: 1_001 })).body).toMatchObject({
        code: 'gift_too_large',
        message: `Only root may set ${key} above 1000`,
      });
    await root.expectSuccess('PUT', '/api/option/', { key: 'QuotaForInviter', value: 5_000 });
    await admin.expectSuccess('PUT', '/api/option/', { key: 'QuotaForInviter', value: 4_000 });
    await root.expectSuccess('PUT', '/api/option/', { key: 'QuotaForInviter', value: 0 });
  });

  it('counts what accounts start with that an administrator makes', async () => {
    await limits(0, 1_000);
    await root.expectSuccess('PUT', '/api/option/', { key: 'QuotaForNewUser', value: 600 });
    const add = (username: string) => admin.post('/api/user/', { username, password: 'password-of-a-test' });
    expect(codes([await add(`made-${kind}-1`), await add(`made-${kind}-2`)])).toEqual([
      undefined,
      'administrator_daily_limit',
    ]);
    await root.expectSuccess('PUT', '/api/option/', { key: 'QuotaForNewUser', value: 0 });
    expect(await app.dataSource.getRepository(UserEntity).countBy({ username: `made-${kind}-2` })).toBe(0);
  });

  it('lets no one below root redeem a code they made or changed [RED-05]', async () => {
    const redeem = (client: ApiClient, key: string | undefined) => client.post('/api/user/topup', { key });
    const [made] = (await make(admin, 10)).body.data as string[];
    const [edited] = (await make(root, 10)).body.data as string[];
    await admin.expectSuccess('PUT', '/api/redemption/', { id: await newestId(), name: 'mine now' });
    const [own] = (await make(root, 10)).body.data as string[];
    expect(codes([await redeem(admin, made), await redeem(admin, edited)])).toEqual(
      Array(2).fill('redemption_own_code'),
    );
    expect([
      (await redeem(other, made)).body.data,
      (await redeem(user, edited)).body.data,
      (await redeem(root, own)).body.data,
    ]).toEqual([10, 10, 10]);
  });

  it('leaves nothing behind of a refused action', async () => {
    await limits(0, 100);
    const events = app.dataSource.getRepository(AuditEventEntity);
    const before = await events.countBy({ actorId: admin.userId });
    expect(codes([await give(admin, 101), await make(admin, 101)])).toEqual(
      Array(2).fill('administrator_daily_limit'),
    );
    expect([await events.countBy({ actorId: admin.userId }), await addedBy(admin)]).toEqual([before, []]);
  });
});
