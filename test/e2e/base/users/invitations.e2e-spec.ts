import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { LedgerEntryEntity } from '../../../../server/base/billing/ledger/ledger-entry.entity.js';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { ApiClient } from '../../../support/api-client.ts';
import { signUp } from '../../../support/build-test-app.ts';
import {
  type AccountsFixture,
  PASSWORD,
  startAccounts,
  STORAGES,
} from '../../../support/fixtures/accounts.fixture.ts';

const UNIT = 500_000;

describe.each(STORAGES)('invitations with %s', (storage) => {
  let fixture: AccountsFixture;
  let count = 0;

  beforeAll(async () => {
    fixture = await startAccounts(storage);
    await fixture.set(
      { key: 'QuotaForNewUser', value: 1_000 },
      { key: 'QuotaForInvitee', value: 200 },
      { key: 'QuotaForInviter', value: 30_000 },
    );
  });
  afterAll(() => fixture.close());

  const self = (client: ApiClient) => client.expectSuccess<Record<string, unknown>>('GET', '/api/user/self');
  const ledgerOf = (userId: number) =>
    fixture.app.dataSource.getRepository(LedgerEntryEntity).find({ where: { userId }, order: { id: 'ASC' } });
  const newInviter = async () => {
    const client = await signUp(fixture.root, { username: `inviter${(count += 1)}` });
    return { client, code: await client.expectSuccess<string>('GET', '/api/user/aff') };
  };
  /** An account with earnings, as invitations would have left them. */
  const newEarner = async (earnings: number) => {
    const { client } = await newInviter();
    await fixture.app.dataSource
      .getRepository(UserEntity)
      .update({ id: client.userId }, { affQuota: earnings, affHistory: earnings });
    return client;
  };

  it('counts and rewards each of 100 parallel registrations once [AFF-03]', async () => {
    const { client: inviter, code } = await newInviter();
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        fixture.guest().post('/api/user/register', {
          username: `crowd${count}x${index}`,
          password: PASSWORD,
          aff_code: code,
        }),
      ),
    );
    // The hash has room for 54 at once, the database for fewer: the others get 503 and retry.
    const refused = replies.flatMap(({ status }, index) => (status === 503 ? [index] : []));
    for (const index of refused) {
      const form = { username: `crowd${count}x${index}`, password: PASSWORD, aff_code: code };
      // One at a time now; only a machine that is busy with others refuses again.
      let reply = await fixture.guest().post('/api/user/register', form);
      for (let tries = 0; reply.status === 503 && tries < 20; tries += 1)
        reply = await fixture.guest().post('/api/user/register', form);
      expect(reply.body).toMatchObject({ success: true });
    }
    expect(replies.filter(({ body }) => body.success === true)).toHaveLength(100 - refused.length);
    // 100 × 30,000.
    expect(await self(inviter)).toMatchObject({
      aff_count: 100,
      aff_quota: 3_000_000,
      aff_history_quota: 3_000_000,
    });
    const invited = await fixture.app.dataSource
      .getRepository(UserEntity)
      .findBy({ inviterId: inviter.userId });
    expect(invited).toHaveLength(100);
    expect(new Set(invited.map(({ quota }) => quota))).toEqual(new Set([1_200]));
    const [someone] = invited;
    expect((await ledgerOf(someone?.id ?? 0)).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['grant_new', 1_000],
      ['grant_invitee', 200],
    ]);
    expect(await checkMoney(fixture.app.dataSource)).toEqual([]);
  });

  it('earn nothing for a banned inviter, nor more often a day than the operator allows [AFF-02]', async () => {
    const { client: banned, code } = await newInviter();
    await fixture.root.expectSuccess('POST', '/api/user/manage', { id: banned.userId, action: 'disable' });
    await fixture.guest().expectSuccess('POST', '/api/user/register', {
      username: `alone${count}`,
      password: PASSWORD,
      aff_code: code,
    });
    expect(await fixture.root.expectSuccess('GET', `/api/user/${banned.userId}`)).toMatchObject({
      aff_count: 0,
    });
    const { client: popular, code: second } = await newInviter();
    await fixture.set({ key: 'InviterDailyRewards', value: 2 });
    for (let index = 0; index < 3; index += 1) {
      const form = { username: `daily${count}x${index}`, password: PASSWORD, aff_code: second };
      await fixture.guest().expectSuccess('POST', '/api/user/register', form);
    }
    // All three are counted, two are paid for.
    expect(await self(popular)).toMatchObject({ aff_count: 3, aff_quota: 60_000 });
    await fixture.set({ key: 'InviterDailyRewards', value: 1_000 });
  });

  it('moves earnings once, however many transfers come at once [AFF-01, SELF-105]', async () => {
    const earner = await newEarner(3 * UNIT);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => earner.post('/api/user/aff_transfer', { quota: UNIT })),
    );
    expect(replies.filter(({ body }) => body.success === true)).toHaveLength(3);
    const refused = replies.find(({ body }) => body.success !== true);
    expect(refused?.body.code).toBe('aff_transfer_short');
    expect(await self(earner)).toMatchObject({
      aff_quota: 0,
      aff_history_quota: 3 * UNIT,
      quota: 1_000 + 3 * UNIT,
    });
    expect((await ledgerOf(earner.userId)).filter(({ kind }) => kind === 'aff_in')).toHaveLength(3);
    expect(await checkMoney(fixture.app.dataSource)).toEqual([]);
  });

  it('moves earnings once for a double click [AFF-01]', async () => {
    const earner = await newEarner(3 * UNIT);
    const form = { quota: UNIT, operation_id: 'click-1' };
    const replies = [
      await earner.post('/api/user/aff_transfer', form),
      await earner.post('/api/user/aff_transfer', form),
    ];
    expect(replies.map(({ body }) => body.success)).toEqual([true, true]);
    expect(await self(earner)).toMatchObject({ aff_quota: 2 * UNIT });
    // Another account's click of the same name is another click.
    const other = await newEarner(UNIT);
    await other.expectSuccess('POST', '/api/user/aff_transfer', form);
    expect(await self(other)).toMatchObject({ aff_quota: 0 });
  });

  it.each([
    ['less than a unit', UNIT - 1, 'aff_transfer_minimum'],
    ['nothing', 0, 'aff_transfer_minimum'],
    ['a negative amount', -UNIT, 'aff_transfer_minimum'],
    ['more than there is', 4 * UNIT, 'aff_transfer_short'],
    ['a fraction', UNIT + 0.5, 'invalid_input'],
    ['text', String(UNIT), 'invalid_input'],
    ['what no account may hold', Number.MAX_SAFE_INTEGER, 'balance_too_high'],
  ])('does not move %s [AFF-01]', async (_name, quota, code) => {
    const earner = await newEarner(3 * UNIT);
    const { body } = await earner.post('/api/user/aff_transfer', { quota });
    expect(body.success).toBe(false);
    expect(body.code === code || body.code === 'malformed_input').toBe(true);
    expect(await self(earner)).toMatchObject({ aff_quota: 3 * UNIT, quota: 1_000 });
  });

  it('gives the minimum in the language of the page, and answers success with a sentence', async () => {
    const earner = await newEarner(UNIT);
    const ask = (quota: number) =>
      earner.send('POST', '/api/user/aff_transfer', { quota }, { 'accept-language': 'zh-CN' });
    expect((await ask(1)).body.message).toBe('划转额度最低为 500000');
    expect((await ask(UNIT)).body.message).toBe('划转成功');
  });
});
