import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import { LedgerEntryEntity } from '../../../../server/base/billing/ledger/ledger-entry.entity.js';
import { ReservationEntity } from '../../../../server/base/billing/ledger/reservation.entity.js';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS } from '../../../support/database.ts';

describe.each(DATABASE_KINDS)('balances that administrators change on %s', (kind) => {
  let app: TestApp;
  let root: ApiClient;
  let admin: ApiClient;
  let dropDatabase: () => Promise<void>;

  beforeAll(async () => {
    const database = await createTestDatabase(kind);
    dropDatabase = () => database.drop();
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    root = await setUpRoot(app);
    admin = await signUp(root, { username: 'warden', role: 'admin' });
  });
  afterAll(async () => {
    await app.close();
    await dropDatabase();
  });

  const row = (id: number): Promise<UserEntity> =>
    app.dataSource.getRepository(UserEntity).findOneByOrFail({ id });
  const manage = (client: ApiClient, id: number, action: string, more: object = {}) =>
    client.post('/api/user/manage', { id, action, ...more });

  it('an edit without quota leaves the balance, an empty display name is a wish [USER-105, SELF-110]', async () => {
    const target = await signUp(root, { username: 'partial' });
    await manage(root, target.userId, 'add_quota', { mode: 'add', value: 700 });
    await root.expectSuccess('PUT', '/api/user/', { id: target.userId, display_name: '' });
    const view = await root.expectSuccess<Record<string, unknown>>('GET', `/api/user/${target.userId}`);
    expect(view).toMatchObject({ quota: 700, display_name: '', username: 'partial', group: 'default' });
  });

  it('books an edited quota as the difference to what the form showed [USER-106]', async () => {
    const target = await signUp(root, { username: 'spender' });
    await manage(root, target.userId, 'add_quota', { mode: 'add', value: 1_000 });
    // The form was filled with 1,000; 300 went meanwhile; the administrator typed 1,500: 700 + 500.
    await manage(root, target.userId, 'add_quota', { mode: 'subtract', value: 300 });
    await root.expectSuccess('PUT', '/api/user/', { id: target.userId, quota: 1_500, loaded_quota: 1_000 });
    expect((await row(target.userId)).quota).toBe(1_200);
    await root.expectSuccess('PUT', '/api/user/', { id: target.userId, quota: 900 });
    expect((await row(target.userId)).quota).toBe(900);
    const entries = await app.dataSource
      .getRepository(LedgerEntryEntity)
      .find({ where: { userId: target.userId }, order: { id: 'ASC' } });
    expect(entries.map(({ amount, kind: why, actorId }) => [amount, why, actorId])).toEqual([
      [1_000, 'adjust', root.userId],
      [-300, 'adjust', root.userId],
      [500, 'adjust', root.userId],
      [-300, 'adjust', root.userId],
    ]);
  });

  it('books a double click once, and refuses senseless amounts [ADM-02]', async () => {
    const target = await signUp(root, { username: 'clicked' });
    const click = { mode: 'add', value: 250, operation_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7' };
    await Promise.all([
      manage(root, target.userId, 'add_quota', click),
      manage(root, target.userId, 'add_quota', click),
    ]);
    expect((await row(target.userId)).quota).toBe(250);
    for (const more of [
      { mode: 'add', value: 0 },
      { mode: 'add', value: -5 },
      { mode: 'subtract', value: 1.5 },
      { mode: 'add', value: 1e300 },
      {},
    ]) {
      expect((await manage(root, target.userId, 'add_quota', more)).body.success).toBe(false);
    }
    expect((await manage(root, target.userId, 'add_quota', { mode: 'subtract', value: 251 })).body.code).toBe(
      'balance_too_low',
    );
    const told = async (more: object) =>
      (await manage(root, target.userId, 'add_quota', more)).body.message as string;
    expect(await told({ value: 5 })).toContain('mode (missing');
    expect(await told({ mode: 'add' })).toContain('value (missing');
    expect(await told({ mode: 'add', value: 0 })).toContain('value (add and subtract need one above 0)');
    // The same account while 100 of its 250 are set aside: 200 are there, but not to be taken now; 251 never were.
    const users = app.dataSource.getRepository(UserEntity);
    const reservations = app.dataSource.getRepository(ReservationEntity);
    await users.update({ id: target.userId }, { quota: 150 });
    await reservations.insert({
      id: randomUUID(),
      kind: 'pool',
      scope: 'user',
      userId: target.userId,
      epoch: 'e',
      amount: 100,
      state: 'open',
      promptEstimate: 0,
      owner: 'o',
      leaseUntilMs: Date.now() + 600_000,
      createdAtMs: 1,
    });
    const taken = async (value: number) =>
      (await manage(root, target.userId, 'add_quota', { mode: 'subtract', value })).body.code;
    expect([await taken(200), await taken(251)]).toEqual(['balance_in_use', 'balance_too_low']);
    await reservations.delete({ userId: target.userId });
    await users.update({ id: target.userId }, { quota: 250 });
    const most = Number.MAX_SAFE_INTEGER;
    const tooHigh = [
      await manage(root, target.userId, 'add_quota', { mode: 'add', value: most }),
      await manage(root, target.userId, 'add_quota', { mode: 'override', value: most }),
      await root.put('/api/user/', { id: target.userId, quota: most, loaded_quota: -most }),
    ];
    expect(tooHigh.map(({ body }) => body.code)).toEqual(Array(3).fill('balance_too_high'));
    expect((await row(target.userId)).quota).toBe(250);
  });

  it('keeps the reason of an adjustment in the books, the log and the audit log', async () => {
    const target = await signUp(root, { username: 'reasoned' });
    const why = { mode: 'add', value: 40, reason: ' goodwill for\u0000 the outage ', operation_id: 'op-1' };
    expect((await manage(admin, target.userId, 'add_quota', why)).body.success).toBe(true);
    expect((await manage(admin, target.userId, 'add_quota', why)).body.success).toBe(true);
    await admin.expectSuccess('PUT', '/api/user/', {
      id: target.userId,
      quota: 30,
      loaded_quota: 40,
      reason: 'typo',
    });
    const entries = await app.dataSource
      .getRepository(LedgerEntryEntity)
      .find({ where: { userId: target.userId }, order: { id: 'ASC' } });
    expect(entries.map(({ amount, reason }) => [amount, reason])).toEqual([
      [40, 'goodwill for the outage'],
      [-10, 'typo'],
    ]);
    const events = await app.dataSource
      .getRepository(AuditEventEntity)
      .find({ where: { targetId: String(target.userId), targetType: 'user' }, order: { sequence: 'ASC' } });
    const adjustments = events.filter(({ action }) => action === 'user.add_quota' || action === 'user.edit');
    expect(adjustments.map(({ actorId, action, detail }) => [actorId, action, JSON.parse(detail)])).toEqual([
      [
        admin.userId,
        'user.add_quota',
        { amount: 40, reason: 'goodwill for the outage', username: 'reasoned' },
      ],
      [admin.userId, 'user.edit', { amount: -10, reason: 'typo', username: 'reasoned' }],
    ]);
    expect(
      (await manage(admin, target.userId, 'add_quota', { ...why, reason: 'x'.repeat(201) })).status,
    ).toBe(400);
  });

  it('leaves large sums to root, and slows down repeated deductions [ADM-05]', async () => {
    const target = await signUp(root, { username: 'limited' });
    await root.expectSuccess('PUT', '/api/option/', { key: 'AdministratorAdjustmentLimit', value: 500 });
    const give = (client: ApiClient, value: number) =>
      manage(client, target.userId, 'add_quota', { mode: 'add', value });
    expect((await give(admin, 501)).body).toMatchObject({
      code: 'adjustment_too_large',
      message: 'Only root may adjust a balance by more than 500 at once',
    });
    expect((await give(admin, 500)).body.success).toBe(true);
    expect((await give(root, 501)).body.success).toBe(true);
    await root.expectSuccess('PUT', '/api/option/', { key: 'AdministratorAdjustmentLimit', value: 0 });
    const script = await signUp(root, { username: 'scripting', role: 'admin' });
    const replies = await Promise.all(
      Array.from({ length: 61 }, () => manage(script, 2_147_483_000, 'delete')),
    );
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await manage(admin, 2_147_483_000, 'delete')).body.code).toBe('user_not_found');
  });
});
