import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RedisSharedStore } from '../../../../server/infra/shared-store/redis-shared-store.js';
import { startRedis, type TestRedis } from '../../../support/redis.js';
import { Books, isStarted, openRedis, tally, Worker } from '../../../support/fixtures/money.fixture.js';
import { until } from '../../../support/until.js';

const RICH = 10_000_000;

describe.each(['mariadb', 'postgres'] as const)('slices of busy accounts on %s with Redis', (kind) => {
  let books: Books;
  let redis: TestRedis;
  const stores: RedisSharedStore[] = [];
  const workers: Worker[] = [];

  beforeEach(async () => {
    books = await Books.open(kind);
    redis = await startRedis();
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.engine.stop();
    expect(await books.check()).toEqual([]);
    for (const store of stores.splice(0)) await store.close();
    await redis.stop();
    await books.close();
  });

  /** Like a process of its own: with its own connection. */
  const startWorker = async (hotCalls = 4): Promise<Worker> => {
    const store = await openRedis(redis.url);
    stores.push(store);
    const worker = new Worker(books, store, { hotCalls });
    workers.push(worker);
    await worker.engine.start();
    return worker;
  };
  /** Calls, one after the other, until one has its hold from a slice. */
  async function heat(worker: Worker, userId: number, tokenId: number | null = null): Promise<number> {
    const before = worker.engine.slices.served;
    let calls = 0;
    while (worker.engine.slices.served === before) {
      worker.end(await worker.start(userId, tokenId));
      calls += 1;
    }
    return calls;
  }
  const leave = async (worker: Worker): Promise<void> => {
    workers.splice(workers.indexOf(worker), 1);
    await worker.engine.stop();
  };

  it('charges calls of a busy account to the unit, without a trip to the store', async () => {
    const userId = await books.addUser(RICH);
    const worker = await startWorker();
    let calls = await heat(worker, userId);
    // The slice learns its request rate, and the pool the size its slices need.
    while (worker.engine.slices.served < 2_000) {
      worker.end(await worker.start(userId));
      calls += 1;
    }
    const { pools } = worker.store;
    const place = pools.place.bind(pools);
    let trips = 0;
    pools.place = (request) => {
      trips += 1;
      return place(request);
    };
    // A pool waits for the database now and then; of several hundreds one has no such moment in it.
    const perHundred: number[] = [];
    while (perHundred.length < 10 && !perHundred.some((count) => count < 10)) {
      trips = 0;
      for (let turn = 0; turn < 100; turn += 1, calls += 1) worker.end(await worker.start(userId));
      perHundred.push(trips);
    }
    expect(Math.min(...perHundred)).toBeLessThan(10);
    // Quota in the slice still belongs to the account, and is invisible to its owner.
    await worker.engine.flusher.drain(10_000);
    expect(await books.balance(userId, worker.store)).toBe(RICH - calls * 110);
    await leave(worker);
    expect(await books.user(userId)).toMatchObject({ quota: RICH - calls * 110, requestCount: calls });
  });

  it('charges a limited token’s slice to the token and, once, to its user', async () => {
    const userId = await books.addUser(RICH);
    const tokenId = await books.addToken(userId, RICH);
    const worker = await startWorker();
    let calls = await heat(worker, userId, tokenId);
    for (let turn = 0; turn < 40; turn += 1, calls += 1) worker.end(await worker.start(userId, tokenId));
    await leave(worker);
    expect(await books.token(tokenId)).toMatchObject({ remainQuota: RICH - calls * 110 });
    expect(await books.user(userId)).toMatchObject({ quota: RICH - calls * 110, usedQuota: calls * 110 });
  });

  it('checks the rate window for every call, slice or not: 5 of 60 over two workers', async () => {
    const userId = await books.addUser(RICH);
    const pair = [await startWorker(), await startWorker()];
    for (const worker of pair) await heat(worker, userId);
    const window = { key: `{u:${userId}}:requests`, limit: 5, windowMs: 60_000, refusal: 'full' };
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const worker = pair[index % 2] as Worker;
        const caller = worker.caller(userId, null);
        const quote = worker.quote(caller);
        const callId = `limited-${kind}-${index}`;
        const windows = [{ ...window, mode: 'count' as const }];
        const held = await worker.engine.holds.reserve({ callId, caller, quote, windows });
        if (held.ok) worker.engine.holds.release(held.value);
        return held.ok ? 'admitted' : held.error.kind;
      }),
    );
    expect(tally(outcomes)).toEqual({ admitted: 5, 'rate-limited': 55 });
  });

  it('serves an account to its last unit: slices come back before a call is refused', async () => {
    const userId = await books.addUser(110 * 6_000);
    const pair = [await startWorker(), await startWorker()];
    let calls = 0;
    for (const worker of pair) calls += await heat(worker, userId);
    let served = calls;
    for (let isRefused = false; !isRefused;) {
      const turn = pair.map(async (worker) => {
        const call = await worker.begin(worker.caller(userId, null));
        if (isStarted(call)) worker.end(call);
        return isStarted(call);
      });
      const outcomes = await Promise.all(turn);
      served += outcomes.filter(Boolean).length;
      isRefused = outcomes.every((isServed) => !isServed);
    }
    expect(served).toBe(6_000);
    for (const worker of [...workers]) await leave(worker);
    expect(await books.user(userId)).toMatchObject({ quota: 0, usedQuota: 660_000, requestCount: 6_000 });
  });

  it('serves exactly the paid part of 500 concurrent calls on the remainder of a busy account [F-10]', async () => {
    const userId = await books.addUser(110 * 200);
    const pair = [await startWorker(1), await startWorker(1)];
    const [first] = pair as [Worker, Worker];
    first.end(await first.start(userId));
    const calls = await Promise.all(
      Array.from({ length: 500 }, async (_, index) => {
        const worker = pair[index % 2] as Worker;
        return { worker, call: await worker.begin(worker.caller(userId, null)) };
      }),
    );
    expect(tally(calls.map(({ call }) => (isStarted(call) ? 'served' : call)))).toEqual({
      served: 199,
      'quota-insufficient user': 301,
    });
    for (const { worker, call } of calls) if (isStarted(call)) worker.end(call);
    for (const worker of [...workers]) await leave(worker);
    expect(await books.user(userId)).toMatchObject({ quota: 0, requestCount: 200 });
  });

  it('returns an unused slice within seconds, and one whose account is closed at once', async () => {
    const idle = await books.addUser(RICH);
    const closed = await books.addUser(RICH);
    const worker = await startWorker();
    const other = await startWorker();
    await heat(worker, idle);
    await until(async () => (await other.store.pools.slices(idle)) === 0);
    const calls = await heat(worker, closed);
    await worker.engine.flusher.drain(10_000);
    expect(await other.store.pools.slices(closed)).toBe(1);
    await books.money(other.store).returnPools({ userId: closed });
    expect(await other.store.pools.slices(closed)).toBe(0);
    expect(await books.user(closed)).toMatchObject({ quota: RICH - calls * 110 });
  });

  it('continues from the pool when a stream outgrows its slice; a running one becomes a hold of its own', async () => {
    const userId = await books.addUser(RICH);
    const worker = await startWorker();
    const calls = await heat(worker, userId);
    const call = await worker.start(userId);
    expect((await worker.engine.holds.extend(call.hold, 50 as never)).ok).toBe(true);
    expect((await worker.engine.holds.extend(call.hold, 900_000 as never)).ok).toBe(true);
    const holds = [];
    for await (const hold of worker.store.pools.holdsOf(ownerOf(worker))) holds.push(hold);
    expect(holds.find(({ callId }) => callId === call.callId)).toMatchObject({
      amount: 900_160,
      sequence: null,
    });
    worker.end(call, { input: { total: 10 }, output: { total: 400_000 } });
    await leave(worker);
    const charge = call.quote.charge({ input: { total: 10 }, output: { total: 400_000 } });
    expect(await books.user(userId)).toMatchObject({ quota: RICH - charge - calls * 110 });
  });

  it('returns slices of a flushed store to the balance, and charges running calls [F-12b]', async () => {
    const userId = await books.addUser(RICH);
    const worker = await startWorker();
    let calls = await heat(worker, userId);
    const running = await worker.start(userId);
    await redis.flush();
    await until(() => worker.engine.slices.isEmpty);
    worker.end(running);
    for (let turn = 0; turn < 20; turn += 1, calls += 1) worker.end(await worker.start(userId));
    await leave(worker);
    expect(await books.user(userId)).toMatchObject({ quota: RICH - (calls + 1) * 110 });
  });

  it('settles the slice of a worker that left while the store was away from its spool', async () => {
    const userId = await books.addUser(RICH);
    const worker = await startWorker();
    let calls = await heat(worker, userId);
    redis.pause();
    for (let turn = 0; turn < 3; turn += 1, calls += 1) worker.end(await worker.start(userId));
    await leave(worker);
    redis.resume();
    const next = await startWorker();
    await until(async () => (await next.store.pools.slices(userId)) === 0);
    // The worker that left still counts as alive, so its pools stay: what comes back now is what they could spend.
    await books.money(next.store).returnPools({ userId });
    expect(await books.user(userId)).toMatchObject({ quota: RICH - calls * 110, requestCount: calls });
  });
});

/** Boot id of a worker, as its slices name it. */
const ownerOf = (worker: Worker): string =>
  (worker.engine.slices as unknown as { ports: { owner: string } }).ports.owner;
