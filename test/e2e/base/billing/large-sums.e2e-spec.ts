import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runInTransaction } from '../../../../server/infra/database/run-in-transaction.js';
import type { SharedStore } from '../../../../server/infra/shared-store/shared-store.js';
import {
  type AccountMoney,
  BalanceTooHighError,
} from '../../../../server/base/billing/ledger/account-money.service.js';
import { ALL_USERS } from '../../../../server/base/billing/ledger/all-users.js';
import { LedgerReader } from '../../../../server/base/billing/ledger/ledger-reader.js';
import { UsageBuckets } from '../../../../server/base/billing/ledger/usage-buckets.js';
import { UsageTotals } from '../../../../server/base/billing/ledger/usage-totals.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import { Books, openMemory, Worker } from '../../../support/fixtures/money.fixture.js';

/** Most that may be put into one account. */
const MOST = 4_000_000_000_000_000;
const LARGEST = Number.MAX_SAFE_INTEGER;

describe.each(DATABASE_KINDS)('sums above 2^53 on %s', (kind) => {
  let books: Books;
  let store: SharedStore;
  let money: AccountMoney;
  beforeAll(async () => {
    books = await Books.open(kind);
    store = openMemory();
    money = books.money(store);
  });
  afterAll(async () => {
    await store.close();
    await books.close();
  });

  const allow = (tokenId: number, amount: number, ref: string): Promise<boolean> =>
    runInTransaction(books.dataSource, (manager) =>
      money.grantToken(manager, { tokenId, amount, kind: 'edit', ref, actorId: 1 }),
    );

  it('proves them exactly, and names a difference of one [I11]', async () => {
    const userIds = [];
    for (let count = 0; count < 3; count += 1) userIds.push(await books.addUser(MOST));
    expect(await books.check()).toEqual([]);
    const users = books.dataSource.getRepository('users');
    await users.update({ id: userIds[2] }, { quota: MOST - 1 });
    expect(await books.check()).toContainEqual({
      invariant: 'I11',
      subject: 'all accounts',
      expected: '12000000000000000',
      found: '11999999999999999',
    });
    await users.update({ id: userIds[2] }, { quota: MOST });
  });

  it('shows the largest exact number where an account earned or used more', async () => {
    const userId = await books.addUser(MOST);
    for (const ref of ['second', 'third']) {
      await runInTransaction(books.dataSource, (manager) =>
        money.adjust(manager, { userId, amount: -MOST, ref, actorId: 1, reason: 'test' }),
      );
      await books.credit(userId, MOST, `${ref}:${userId}`);
    }
    expect(await new LedgerReader(books.dataSource).sumsOf(userId)).toMatchObject({ import: LARGEST });
    expect(await money.incomeSince(userId, 0)).toBe(LARGEST);
    const { dataSource } = books;
    await dataSource.query(`UPDATE users SET used_quota = 9100000000000000000 WHERE id = ${userId}`);
    expect((await books.user(userId)).usedQuota).toBe(LARGEST);
    const totals = new UsageTotals(dataSource);
    expect(await totals.ofUser(userId)).toEqual({ charged: LARGEST, refunded: 0 });
    const row = { userId: ALL_USERS, modelName: 'fx-large', tokenUsed: 1, count: 1, quota: MOST };
    await dataSource
      .getRepository('quota_data')
      .insert([1, 2, 3].map((createdAt) => ({ ...row, createdAt })));
    const question = { span: { from: 0, to: 3_600 }, buckets: new UsageBuckets('hour'), limit: 10 };
    expect(await totals.byModel(ALL_USERS, question)).toEqual([
      expect.objectContaining({ quota: LARGEST, calls: 3 }),
    ]);
    await dataSource.query(`UPDATE users SET used_quota = 0 WHERE id = ${userId}`);
  });

  it('leaves out a reward that would make invite earnings too large [I10]', async () => {
    const inviterId = await books.addUser(0);
    for (const amount of [MOST, LARGEST, 5, 0])
      await runInTransaction(books.dataSource, (manager) =>
        money.rewardInviter(manager, { inviterId, amount }),
      );
    expect(await books.user(inviterId)).toMatchObject({ affCount: 4, affQuota: MOST, affHistory: MOST });
    expect(await books.check()).toEqual([]);
  });

  it('refuses to fill a balance or an allowance beyond the largest, what calls hold included [I5]', async () => {
    const worker = new Worker(books, store);
    await worker.engine.start();
    const userId = await books.addUser(MOST);
    const tokenId = await books.addToken(userId, MOST);
    const call = await worker.start(userId, tokenId);
    await expect(books.credit(userId, 1, `more:${userId}`)).rejects.toThrow(BalanceTooHighError);
    await expect(allow(tokenId, MOST, 'more')).rejects.toThrow(BalanceTooHighError);
    const tokens = books.dataSource.getRepository('tokens');
    const before = await books.token(tokenId);
    await tokens.update({ id: tokenId }, { remainQuota: LARGEST });
    expect(await money.tokenRemaindersOf([tokenId])).toEqual(new Map([[tokenId, LARGEST]]));
    await tokens.update({ id: tokenId }, { remainQuota: before.remainQuota });
    worker.end(call);
    await worker.engine.flusher.drain(10_000);
    await worker.engine.stop();
    expect(await books.check()).toEqual([]);
  });
});
