import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runInTransaction } from '../../../../server/infra/database/run-in-transaction.js';
import type { SharedStore } from '../../../../server/infra/shared-store/shared-store.js';
import {
  AccountMissingError,
  BalanceTooLowError,
  type AccountMoney,
  type LedgerMovement,
} from '../../../../server/base/billing/ledger/account-money.service.js';
import { LedgerReader } from '../../../../server/base/billing/ledger/ledger-reader.js';
import { RefundTotals } from '../../../../server/base/billing/ledger/refund-totals.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import { Books, openMemory, Worker } from '../../../support/fixtures/money.fixture.js';

describe.each(DATABASE_KINDS)('account money on %s', (kind) => {
  let books: Books;
  let store: SharedStore;
  let money: AccountMoney;
  let worker: Worker;
  beforeAll(async () => {
    books = await Books.open(kind);
    store = openMemory();
    money = books.money(store);
    worker = new Worker(books, store);
    await worker.engine.start();
  });
  afterAll(async () => {
    await worker.engine.stop();
    expect(await books.check()).toEqual([]);
    await store.close();
    await books.close();
  });

  const credit = (movement: Partial<LedgerMovement> & { userId: number }): Promise<boolean> =>
    runInTransaction(books.dataSource, (manager) =>
      money.credit(manager, {
        amount: 100,
        kind: 'import',
        ref: 'order',
        actorId: 1,
        reason: 'paid',
        ...movement,
      }),
    );

  it('credits one order once, also 20 times at the same moment [I9]', async () => {
    const userId = await books.addUser(0);
    const ref = `order:${userId}`;
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => credit({ userId, ref })));
    expect(results.filter((result) => result.status === 'fulfilled' && result.value)).toHaveLength(1);
    expect(await books.user(userId)).toMatchObject({ quota: 100 });
  });

  it('makes a refund or an adjustment once, however often and concurrently it is requested', async () => {
    const userId = await books.addUser(0);
    const ref = `operation:${userId}`;
    const adjust = (): Promise<boolean> =>
      runInTransaction(books.dataSource, (manager) =>
        money.adjust(manager, { userId, amount: -60, ref, actorId: 1, reason: 'test' }),
      );
    const refunds = Array.from({ length: 20 }, () => credit({ userId, ref, kind: 'refund' }));
    const refunded = await Promise.allSettled(refunds);
    expect(refunded.filter((result) => result.status === 'fulfilled' && result.value)).toHaveLength(1);
    expect(await credit({ userId, ref, kind: 'refund' })).toBe(false);
    const adjusted = await Promise.allSettled(Array.from({ length: 20 }, adjust));
    expect(adjusted.filter((result) => result.status === 'fulfilled' && result.value)).toHaveLength(1);
    expect(await adjust()).toBe(false);
    expect(await books.user(userId)).toMatchObject({ quota: 40 });
    expect(await books.check()).toEqual([]);
  });

  it('refuses amounts that are not whole and above 0, and accounts that do not exist', async () => {
    const userId = await books.addUser(0);
    for (const amount of [0, -5, 0.5, Number.NaN, 2 ** 53]) {
      await expect(credit({ userId, amount, ref: 'bad' })).rejects.toThrow(RangeError);
    }
    await expect(credit({ userId: 999_999, ref: 'nobody' })).rejects.toThrow(AccountMissingError);
    expect(await books.user(userId)).toMatchObject({ quota: 0 });
  });

  it('takes from a balance down to the floor and not further', async () => {
    const userId = await books.addUser(500);
    const take = (amount: number, ref: string): Promise<boolean> =>
      runInTransaction(books.dataSource, (manager) =>
        money.adjust(manager, { userId, amount, ref: `${ref}:${userId}`, actorId: 1, reason: 'test' }),
      );
    await expect(take(-501, 'too much')).rejects.toThrow(BalanceTooLowError);
    expect(await take(-500, 'all')).toBe(true);
    expect(await books.user(userId)).toMatchObject({ quota: 0 });
  });

  it('shows owners reserved quota as theirs, and returns idle pools at once on request', async () => {
    const userId = await books.addUser(1_000_000);
    const tokenId = await books.addToken(userId, 500_000);
    const call = await worker.start(userId, tokenId);
    expect((await books.user(userId)).quota).toBeLessThan(1_000_000 - 110);
    expect(await money.balancesOf([userId])).toEqual(new Map([[userId, 1_000_000]]));
    expect(await money.tokenRemaindersOf([tokenId])).toEqual(new Map([[tokenId, 500_000]]));
    await credit({ userId, ref: `while lent ${userId}` });
    const [movement] = (await new LedgerReader(books.dataSource).page(userId, '', { offset: 0, limit: 1 }))
      .rows;
    expect(movement).toMatchObject({ amount: 100, quotaAfter: 1_000_100 });
    expect(await money.balancesOf([userId])).toEqual(new Map([[userId, 1_000_100]]));
    await money.returnPools({ userId });
    expect((await books.user(userId)).quota).toBe(1_000_100 - 110);
    expect((await books.token(tokenId)).remainQuota).toBe(500_000 - 110);
    worker.end(call);
    await worker.engine.flusher.drain(10_000);
    expect(await money.balancesOf([userId])).toEqual(new Map([[userId, 999_990]]));
  });

  it.each([
    ['limited', 1_000],
    ['unlimited', null],
  ])(
    'counts what a call gave back beside the charges of its account and its %s token, once [I18]',
    async (_kind, allowance) => {
      const userId = await books.addUser(1_000_000);
      const tokenId = await books.addToken(userId, allowance);
      const call = await worker.start(userId, tokenId, allowance !== null);
      worker.end(call);
      await worker.engine.flusher.drain(10_000);
      const callId = call.callId;
      const refund = (): Promise<number> =>
        runInTransaction(books.dataSource, (manager) =>
          money.refundCall(manager, { callId, ref: `task:${callId}`, reason: 'test' }),
        );
      const refunds = await Promise.all([refund(), refund(), refund()]);
      expect(refunds.toSorted((a, b) => a - b)).toEqual([0, 0, 110]);
      expect(await books.user(userId)).toMatchObject({ usedQuota: 110, refundedQuota: 110 });
      expect(await books.token(tokenId)).toMatchObject({ usedQuota: 110, refundedQuota: 110 });
      expect(await money.balancesOf([userId])).toEqual(new Map([[userId, 1_000_000]]));
      expect(await books.check()).toEqual([]);
    },
  );

  it('corrects what an older version did not count, and nothing else [I18]', async () => {
    const userId = await books.addUser(1_000_000);
    const tokenId = await books.addToken(userId, null);
    const call = await worker.start(userId, tokenId, false);
    worker.end(call);
    await worker.engine.flusher.drain(10_000);
    const refund = { callId: call.callId, ref: `task:${call.callId}`, reason: 'test' };
    await runInTransaction(books.dataSource, (manager) => money.refundCall(manager, refund));
    const users = books.dataSource.getRepository('users');
    const tokens = books.dataSource.getRepository('tokens');
    await users.update({ id: userId }, { refundedQuota: 0 });
    await tokens.update({ id: tokenId }, { refundedQuota: 1 });
    const before = await books.user(userId);
    const totals = new RefundTotals(books.dataSource);
    await totals.run();
    expect(await books.user(userId)).toEqual({ ...before, refundedQuota: 110 });
    expect(await books.token(tokenId)).toMatchObject({ usedQuota: 110, refundedQuota: 110 });
    expect(await books.check()).toEqual([]);
  });

  it('finds a refunded quota of an account or token that the ledger does not have [I18]', async () => {
    const userId = await books.addUser(1_000);
    const tokenId = await books.addToken(userId, null);
    const set = async (refundedQuota: number) => {
      await books.dataSource.getRepository('users').update({ id: userId }, { refundedQuota });
      await books.dataSource.getRepository('tokens').update({ id: tokenId }, { refundedQuota });
    };
    await set(7);
    const differs = { invariant: 'I18', expected: '0', found: '7' };
    expect(await books.check()).toEqual([
      { ...differs, subject: `user ${userId}: refunded quota` },
      { ...differs, subject: `token ${tokenId}: refunded quota` },
    ]);
    await set(0);
  });

  it('sets a token allowance to the requested value, less the holds of its running calls [I5]', async () => {
    const userId = await books.addUser(1_000_000);
    const tokenId = await books.addToken(userId, 1_000);
    const call = await worker.start(userId, tokenId);
    await money.returnPools({ userId, tokenId });
    const set = (remainder: number, ref: string): Promise<number> =>
      runInTransaction(books.dataSource, (manager) =>
        money.setTokenAllowance(manager, { tokenId, remainder, ref: `${ref}:${tokenId}`, actorId: userId }),
      );
    expect(await set(5_000, 'up')).toBe(5_000);
    expect(await set(50, 'down')).toBe(110);
    expect(await money.tokenRemaindersOf([tokenId])).toEqual(new Map([[tokenId, 110]]));
    worker.end(call);
    await worker.engine.flusher.drain(10_000);
    expect(await books.token(tokenId)).toMatchObject({ remainQuota: 0, usedQuota: 110 });
  });
});
