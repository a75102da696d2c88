import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { runInTransaction } from '../../../../server/infra/database/run-in-transaction.js';
import type { SharedStore } from '../../../../server/infra/shared-store/shared-store.js';
import { lockAccount } from '../../../../server/base/billing/ledger/reservation-sql.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import { testRedisUrl } from '../../../support/redis.js';
import {
  expectStarted,
  Books,
  isStarted,
  openMemory,
  openRedis,
  STD_USAGE,
  tally,
  Worker,
} from '../../../support/fixtures/money.fixture.js';

const combinations = DATABASE_KINDS.flatMap((kind) =>
  (kind === 'sqlite' ? (['memory'] as const) : (['memory', 'Redis'] as const)).map((store) => ({
    kind,
    store,
  })),
);

describe.each(combinations)('holds on $kind with $store', ({ kind, store: storeKind }) => {
  let books: Books;
  let store: SharedStore;
  const workers: Worker[] = [];
  const startWorker = async (): Promise<Worker> => {
    const worker = new Worker(books, store);
    workers.push(worker);
    await worker.engine.start();
    return worker;
  };

  beforeAll(async () => {
    books = await Books.open(kind);
    store = storeKind === 'memory' ? openMemory() : await openRedis(testRedisUrl());
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.engine.stop();
    expect(await books.check()).toEqual([]);
  });
  afterAll(async () => {
    await store.close();
    await books.close();
  });

  it('serves exactly 20 of 500 parallel calls on a balance for 20: balance 0, nothing stranded [BIL-01, F-10]', async () => {
    const userId = await books.addUser(2_200); // 20 × 110
    const tokenId = await books.addToken(userId, null);
    const pair = storeKind === 'Redis' ? [await startWorker(), await startWorker()] : [await startWorker()];
    const calls = await Promise.all(
      Array.from({ length: 500 }, (_, index) => {
        const worker = pair[index % pair.length] as Worker;
        return worker.begin(worker.caller(userId, tokenId)).then((call) => ({ worker, call }));
      }),
    );
    expect(tally(calls.map(({ call }) => (isStarted(call) ? 'served' : call)))).toEqual({
      served: 20,
      'quota-insufficient user': 480,
    });
    expect(await books.user(userId)).toMatchObject({ quota: 0 });
    for (const { worker, call } of calls) if (isStarted(call)) worker.end(call);
    for (const worker of workers.splice(0)) await worker.engine.stop();
    expect(await books.user(userId)).toMatchObject({ quota: 0, usedQuota: 2_200, requestCount: 20 });
  });

  it('lets a call wait a moment while charges come faster than they are booked, and refuses it only when far too many do [F-64]', async () => {
    const userId = await books.addUser(1_100);
    const worker = await startWorker();
    const caller = worker.caller(userId, null);
    const { flusher } = worker.engine;
    const waiting = (calls: number) =>
      Object.defineProperty(flusher, 'backlog', { configurable: true, value: calls });
    waiting(32_000);
    const before = performance.now();
    const call = await worker.begin(caller);
    expect(performance.now() - before).toBeGreaterThanOrEqual(99);
    waiting(50_000);
    expect(await worker.begin(caller)).toMatch(/unavailable/);
    Reflect.deleteProperty(flusher, 'backlog');
    worker.end(expectStarted(call));
    await flusher.drain(10_000);
    expect(await books.user(userId)).toMatchObject({ usedQuota: 110 });
  });

  it('releases unused quota of holds: 5 of 500 on 1,100 at 210 each, 550 left [F-10]', async () => {
    const userId = await books.addUser(1_100);
    const worker = await startWorker();
    const caller = worker.caller(userId, null);
    // 10 + 2 × 100 = 210 held, 110 used
    const calls = await Promise.all(
      Array.from({ length: 500 }, () => worker.begin(caller, { outputCap: 100 })),
    );
    const served = calls.filter(isStarted);
    expect(served).toHaveLength(5);
    for (const call of served) worker.end(call);
    await worker.engine.returns.flush();
    await worker.engine.flusher.drain(10_000);
    expect(await books.balance(userId, store)).toBe(550);
    // 210 fits twice into 550
    const again = await Promise.all(
      Array.from({ length: 50 }, () => worker.begin(caller, { outputCap: 100 })),
    );
    expect(again.filter(isStarted)).toHaveLength(2);
    for (const call of again) if (isStarted(call)) worker.engine.holds.release(call.hold);
    workers.splice(0);
    await worker.engine.stop();
    expect(await books.user(userId)).toMatchObject({ quota: 550, usedQuota: 550, requestCount: 5 });
  });

  it('stops a limited token at its allowance; its owner pays, other tokens go on [BIL-01, F-11]', async () => {
    const userId = await books.addUser(1_000_000);
    const limited = await books.addToken(userId, 550);
    const other = await books.addToken(userId, null);
    const worker = await startWorker();
    const calls = await Promise.all(
      Array.from({ length: 300 }, () => worker.begin(worker.caller(userId, limited, true))),
    );
    expect(tally(calls.map((call) => (isStarted(call) ? 'served' : call)))).toEqual({
      served: 5,
      'quota-insufficient token': 295,
    });
    expect(
      isStarted(
        await worker
          .begin(worker.caller(userId, other))
          .then((call) => (isStarted(call) && worker.end(call), call)),
      ),
    ).toBe(true);
    for (const call of calls) if (isStarted(call)) worker.end(call);
    workers.splice(0);
    await worker.engine.stop();
    expect(await books.token(limited)).toMatchObject({ remainQuota: 0, usedQuota: 550 });
    expect(await books.token(other)).toMatchObject({ usedQuota: 110 });
    expect(await books.user(userId)).toMatchObject({ quota: 1_000_000 - 660, usedQuota: 660 });
  });

  it('serves a sequential caller near the floor to the last unit', async () => {
    const userId = await books.addUser(320);
    const worker = await startWorker();
    const caller = worker.caller(userId, null);
    const outcomes: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      const call = await worker.begin(caller, { outputCap: 50 });
      if (isStarted(call)) worker.end(call, { input: { total: 10 }, output: { total: 40 } }); // 110 held, 90 used
      outcomes.push(isStarted(call) ? 'served' : call);
    }
    // 320 → 230 → 140 → 50: the fourth call needs 110
    expect(outcomes).toEqual(['served', 'served', 'served', 'quota-insufficient user']);
  });

  if (storeKind === 'Redis') {
    it('leaves no money in pools when workers stop at the same moment [I7]', async () => {
      const userId = await books.addUser(1_000_000);
      const pair = [await startWorker(), await startWorker(), await startWorker()];
      for (const worker of pair) {
        const call = await worker.begin(worker.caller(userId, null));
        if (isStarted(call)) worker.end(call);
      }
      workers.splice(0);
      await Promise.all(pair.map((worker) => worker.engine.stop()));
      expect(await books.user(userId)).toMatchObject({ quota: 1_000_000 - 3 * 110 });
    });
  }

  if (kind !== 'sqlite')
    it('refuses a call within two seconds when its account is locked in the database, and serves calls of others [F-64]', async () => {
      const [held, free] = [await books.addUser(1_100), await books.addUser(1_100)];
      const worker = await startWorker();
      const begin = async (userId: number) => {
        const sentMs = performance.now();
        return { end: await worker.begin(worker.caller(userId, null)), tookMs: performance.now() - sentMs };
      };
      await runInTransaction(books.dataSource, async (manager) => {
        expect(await lockAccount(manager, held)).toMatchObject({ isUsable: true, quota: 1_100 });
        const others = setInterval(() => void books.dataSource.query('SELECT 1'), 50);
        const refused = begin(held);
        const served = await begin(free);
        worker.end(expectStarted(served.end));
        const { end, tookMs } = await refused;
        clearInterval(others);
        expect(end).toMatch(/unavailable/);
        expect(tookMs).toBeLessThan(2_000);
      });
    });

  it('charges nothing for a released hold and leaves no settlement [F-18]', async () => {
    const userId = await books.addUser(1_000);
    const worker = await startWorker();
    const call = await worker.start(userId);
    worker.engine.holds.release(call.hold);
    worker.engine.holds.release(call.hold);
    worker.engine.spool.flush();
    worker.end(call);
    workers.splice(0);
    await worker.engine.stop();
    expect(await books.user(userId)).toMatchObject({ quota: 1_000, usedQuota: 0, requestCount: 0 });
  });

  it('takes from the balance what a call cost above its hold, down to the floor, and no further', async () => {
    const userId = await books.addUser(200);
    const worker = await startWorker();
    const call = await worker.start(userId);
    worker.end(call, { input: { total: 100 }, output: { total: 100 } }); // 300 priced, 200 there
    workers.splice(0);
    await worker.engine.stop();
    expect(await books.user(userId)).toMatchObject({ quota: 0, usedQuota: 200, requestCount: 1 });
    const settlement = await books.dataSource
      .getRepository('settlements')
      .findOneByOrFail({ requestId: call.callId });
    expect(settlement).toMatchObject({ charged: 200, writeoff: 100 });
  });

  it('takes a limited token that has less than the extra charge to 0; the owner pays and a grant keeps its books', async () => {
    const userId = await books.addUser(10_000);
    const tokenId = await books.addToken(userId, 150);
    const worker = await startWorker();
    const call = await worker.start(userId, tokenId);
    worker.end(call, { input: { total: 100 }, output: { total: 100 } }); // 300: 150 of the token, 150 overrun
    workers.splice(0);
    await worker.engine.stop();
    expect(await books.token(tokenId)).toMatchObject({ remainQuota: 0, usedQuota: 300 });
    const grant = await books.dataSource
      .getRepository('token_grants')
      .findOneByOrFail({ kind: 'overrun', ref: call.callId });
    expect(grant).toMatchObject({ tokenId, amount: 150 });
  });

  it('extends the hold of a stream step by step until the balance is used up [F-13]', async () => {
    const userId = await books.addUser(3_000);
    const worker = await startWorker();
    const call = await worker.begin(worker.caller(userId, null), { outputCap: undefined }); // 10 + 2 × 500
    if (!isStarted(call)) throw new Error(call);
    const steps: boolean[] = [];
    for (let index = 0; index < 6; index += 1) {
      const longer = await worker.engine.holds.extend(call.hold, 400 as never);
      steps.push(longer.ok);
    }
    // 3,000 − 1,010 = 1,990 = 4 × 400 + 390
    expect(steps).toEqual([true, true, true, true, false, false]);
    expect(call.hold.amount).toBe(2_610);
    worker.end(call, { input: { total: 10 }, output: { total: 1_300 } }, { outcome: 'limit' });
    workers.splice(0);
    await worker.engine.stop();
    expect(await books.user(userId)).toMatchObject({ quota: 390, usedQuota: 2_610 });
  });

  it('gives a call that takes less what the balance can pay for', async () => {
    const userId = await books.addUser(80);
    const worker = await startWorker();
    const call = expectStarted(
      await worker.begin(worker.caller(userId, null), { stream: false, outputCap: undefined }, true),
    );
    expect(call.hold.amount).toBe(80);
    worker.end(call, { input: { total: 10 }, output: { total: 35 } });
  });

  it('takes a free call the whole way for nothing', async () => {
    const userId = await books.addUser(0);
    const worker = await startWorker();
    const call = expectStarted(await worker.begin(worker.caller(userId, null), { model: 'fx-free' }));
    worker.end(call, STD_USAGE);
    workers.splice(0);
    await worker.engine.stop();
    expect(await books.user(userId)).toMatchObject({ quota: 0, usedQuota: 0, requestCount: 1 });
  });

  it('gives a banned account and a deleted token nothing out of SQL', async () => {
    const banned = await books.addUser(1_000, { status: 2 });
    const userId = await books.addUser(1_000);
    const tokenId = await books.addToken(userId, 500);
    await books.dataSource.getRepository('tokens').update({ id: tokenId }, { deletedAtMs: 1 });
    const worker = await startWorker();
    expect(await worker.begin(worker.caller(banned, null))).toBe('quota-insufficient user');
    expect(await worker.begin(worker.caller(userId, tokenId, true))).toBe('quota-insufficient token');
  });
});
