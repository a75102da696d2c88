import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { IsNull, Not } from 'typeorm';
import type { RedisSharedStore } from '../../../../server/infra/shared-store/redis-shared-store.js';
import { StoreUnavailableError } from '../../../../server/infra/shared-store/shared-store.js';
import { InFlight } from '../../../../server/base/billing/holds/in-flight.js';
import { Instances } from '../../../../server/base/billing/ledger/instances.js';
import type { MoneyRecovery } from '../../../../server/base/billing/recovery/money-recovery.js';
import { LedgerMaintenance } from '../../../../server/base/billing/recovery/ledger-maintenance.js';
import { FakeClock, SteppedClock } from '../../../support/fake-clock.js';
import { startRedis, type TestRedis } from '../../../support/redis.js';
import { Books, isStarted, openRedis, tally, Worker } from '../../../support/fixtures/money.fixture.js';
import { until } from '../../../support/until.js';

/** The worker with the first boot id acts for all. */
const FIRST_BOOT = '0190a0b0-0001-7000-8000-000000000001';
const LATER_BOOT = 'ffffffff-0001-7000-8000-000000000001';

describe.each(['mariadb', 'postgres'] as const)('the shared store goes away, on %s', (kind) => {
  let books: Books;
  let redis: TestRedis;
  let store: RedisSharedStore;
  const workers: Worker[] = [];

  beforeEach(async () => {
    books = await Books.open(kind);
    redis = await startRedis();
    store = await openRedis(redis.url);
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.engine.stop();
    expect(await books.check()).toEqual([]);
    await store.close();
    await redis.stop();
    await books.close();
  });

  const startWorker = async (): Promise<Worker> => {
    const worker = new Worker(books, store);
    workers.push(worker);
    await worker.engine.start();
    return worker;
  };
  async function burst(worker: Worker, userId: number): Promise<Record<string, number>> {
    const calls = await Promise.all(
      Array.from({ length: 500 }, () => worker.begin(worker.caller(userId, null))),
    );
    for (const call of calls) if (isStarted(call)) worker.end(call);
    return tally(calls.map((call) => (isStarted(call) ? 'served' : call)));
  }
  const tenOf500 = { served: 10, 'quota-insufficient user': 490 };

  it('paused — holds are placed in SQL, with the same figures [F-12a]', async () => {
    const userId = await books.addUser(1_100);
    const worker = await startWorker();
    redis.pause();
    try {
      await expect(store.cache.get('anything')).rejects.toThrow(StoreUnavailableError);
      expect(await burst(worker, userId)).toEqual(tenOf500);
      await worker.engine.flusher.drain(10_000);
      expect(await books.user(userId)).toMatchObject({ quota: 0, usedQuota: 1_100 });
    } finally {
      redis.resume();
    }
  });

  it('refuses within seconds with both away and the database hanging, and releases late reservations', async () => {
    const userId = await books.addUser(1_100);
    const worker = await startWorker();
    const locked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const quote = kind === 'mariadb' ? '`' : '"';
    const holder = books.dataSource.transaction(async (manager) => {
      await manager.query(`SELECT id FROM ${quote}users${quote} WHERE id = ${userId} FOR UPDATE`);
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    redis.pause();
    try {
      await expect(store.cache.get('anything')).rejects.toThrow(StoreUnavailableError);
      const stopwatch = new SteppedClock(0);
      expect(await worker.begin(worker.caller(userId, null))).toBe('unavailable');
      stopwatch.stop();
      expect(stopwatch.monotonicMs()).toBeLessThan(2_900);
      released.resolve();
      await holder;
      const reservations = books.dataSource.getRepository('reservations');
      await until(async () => (await reservations.countBy({ userId, state: 'released' })) === 1);
      expect(await books.user(userId)).toMatchObject({ quota: 1_100, usedQuota: 0 });
    } finally {
      released.resolve();
      redis.resume();
    }
  });

  it('gone between a pool that is too small and its top-up — the hold is placed in SQL [F-12a]', async () => {
    const userId = await books.addUser(1_100);
    const worker = await startWorker();
    const { pools } = store;
    const epoch = pools.epoch.bind(pools);
    pools.epoch = () => Promise.reject(new StoreUnavailableError('gone meanwhile'));
    try {
      const call = await worker.begin(worker.caller(userId, null));
      expect(isStarted(call)).toBe(true);
      if (isStarted(call)) worker.end(call);
    } finally {
      pools.epoch = epoch;
    }
    await worker.engine.flusher.drain(10_000);
    expect(await books.user(userId)).toMatchObject({ quota: 990, usedQuota: 110 });
  });

  it('full — what got into no pool is back on the account at once, and the hold is placed in SQL [F-61]', async () => {
    const userId = await books.addUser(1_100);
    const worker = await startWorker();
    const hand = new Redis(redis.url);
    try {
      // Leaves a pool behind with nothing in it.
      worker.end(await worker.start(userId));
      await worker.engine.flusher.drain(10_000);
      await hand.config('SET', 'maxmemory', '1');
      const call = await worker.begin(worker.caller(userId, null));
      expect(isStarted(call)).toBe(true);
      if (isStarted(call)) worker.end(call);
    } finally {
      hand.disconnect();
    }
    await worker.engine.flusher.drain(10_000);
    expect(await books.user(userId)).toMatchObject({ quota: 880, usedQuota: 220 });
    const pools = await books.dataSource.getRepository('reservations').findBy({ userId, kind: 'pool' });
    expect(pools).toMatchObject([{ state: 'open', amount: 0 }]);
  });

  it('flushed — the pool of the lost epoch is void, its money is the balance again [F-12b]', async () => {
    const userId = await books.addUser(1_320);
    const worker = await startWorker();
    // Two calls leave a pool behind: one is running when the store forgets everything.
    const [first, second] = [
      await worker.begin(worker.caller(userId, null)),
      await worker.begin(worker.caller(userId, null)),
    ];
    if (!isStarted(first) || !isStarted(second)) throw new Error('refused');
    worker.end(first);
    await redis.flush();
    worker.end(second);
    await worker.engine.returns.flush();
    await worker.engine.flusher.drain(10_000);
    expect(await burst(worker, userId)).toEqual(tenOf500);
    await worker.engine.flusher.drain(10_000);
    expect(await books.user(userId)).toMatchObject({ usedQuota: 1_320 });
  });

  it('flushed — refuses a token without funds at once, whatever of its account is still to come back [F-12b]', async () => {
    const userId = await books.addUser(1_000_000);
    const tokenId = await books.addToken(userId, 50);
    const worker = await startWorker();
    const running = await worker.start(userId);
    await redis.flush();
    const startedAtMs = performance.now();
    expect(await worker.begin(worker.caller(userId, tokenId, true))).toBe('quota-insufficient token');
    expect(performance.now() - startedAtMs).toBeLessThan(2_000);
    worker.end(running);
    await worker.engine.flusher.drain(10_000);
    expect(await books.user(userId)).toMatchObject({ usedQuota: 110 });
  });

  it('killed and started empty — a new run of the store is a new epoch [F-12c]', async () => {
    const userId = await books.addUser(1_210);
    const worker = await startWorker();
    const before = await store.pools.epoch();
    const first = await worker.start(userId);
    worker.end(first);
    await worker.engine.flusher.drain(10_000);
    await redis.restart();
    await until(() => store.isAvailable);
    expect(await store.pools.epoch()).not.toBe(before);
    expect(await burst(worker, userId)).toEqual(tenOf500);
    await worker.engine.flusher.drain(10_000);
    expect(await books.user(userId)).toMatchObject({ quota: 0, usedQuota: 1_210 });
  });

  it('a call that began in a pool goes on holding in SQL when the store died under it', async () => {
    const userId = await books.addUser(5_000);
    const worker = await startWorker();
    const [call, short] = [
      await worker.begin(worker.caller(userId, null)),
      await worker.begin(worker.caller(userId, null)),
    ];
    if (!isStarted(call) || !isStarted(short)) throw new Error('not started');
    await redis.kill();
    await until(() => !store.isAvailable);
    const longer = await worker.engine.holds.extend(call.hold, 300 as never);
    expect(longer).toMatchObject({ ok: true, value: { amount: 410 } });
    expect(await worker.engine.holds.extend(call.hold, 50 as never)).toMatchObject({
      ok: true,
      value: { amount: 460 },
    });
    expect(await worker.engine.holds.extend(short.hold, 1_000_000 as never)).toMatchObject({
      ok: false,
      error: { kind: 'quota-insufficient' },
    });
    worker.end(call, { input: { total: 10 }, output: { total: 440 } }, { outcome: 'limit' });
    worker.end(short);
    await redis.restart();
    await until(() => store.isAvailable);
    workers.splice(0);
    await worker.engine.stop();
    const used = call.quote.charge({ input: { total: 10 }, output: { total: 440 } }) + 110;
    expect(await books.user(userId)).toMatchObject({ quota: 5_000 - used, usedQuota: used, requestCount: 2 });
  });

  it('a worker that dies meanwhile: the first of the living settles what it had reserved in SQL, the others leave it alone', async () => {
    const userId = await books.addUser(5_000);
    const lost = new Worker(books, store, { dataDir: mkdtempSync(join(books.dataDir, 'lost-')) });
    await lost.engine.start();
    lost.engine.maintenance.stop();
    await redis.kill();
    await until(() => !store.isAvailable);
    const [call, idle] = [
      await lost.begin(lost.caller(userId, null)),
      await lost.engine.holds.reserve({
        callId: crypto.randomUUID(),
        caller: lost.caller(userId, null),
        quote: lost.quote(lost.caller(userId, null)),
        windows: [],
      }),
    ];
    if (!isStarted(call) || !idle.ok) throw new Error('refused');
    const rows = (table: string) => books.dataSource.getRepository(table);
    await until(async () => (await rows('reservations').countBy({ dispatchedAtMs: Not(IsNull()) })) > 0);
    // It never got to the end of either call, and its spool is lost with its host.
    await rows('instances').update({ lastSeenMs: Not(0) }, { lastSeenMs: 1 });

    const upkeeps = await Promise.all(
      [FIRST_BOOT, LATER_BOOT].map(async (bootId) => {
        const worker = new Worker(books, store, { dataDir: mkdtempSync(join(books.dataDir, 'reaper-')) });
        const clock = new FakeClock();
        const instances = new Instances(books.dataSource, bootId);
        await instances.heartbeat();
        const reaped: string[] = [];
        const recovery = {
          adoptDeadSpools: async () => [],
          releaseUnheld: async () => 0,
          reapLostWorkers: async () => {
            reaped.push(bootId);
            await worker.engine.recovery.reapLostWorkers();
          },
        } as unknown as MoneyRecovery;
        const unused = { inFlight: new InFlight(clock), poolReturns: null, callReservations: null } as never;
        const maintenance = new LedgerMaintenance({
          ...(unused as object as { inFlight: never; poolReturns: never; callReservations: never }),
          dataSource: books.dataSource,
          store,
          clock,
          recovery,
          instances,
          storeAgreement: { isAgreed: true, watch: async () => undefined },
          numbers: { note: async () => undefined },
          onFault: (message, error) => worker.faults.push(`${message}: ${String(error)}`),
        });
        maintenance.start();
        return { maintenance, clock, reaped, worker };
      }),
    );
    const settled = () => rows('settlements').countBy({ requestId: call.callId });
    await until(async () => {
      for (const { clock } of upkeeps) clock.advance(10_000);
      return (await settled()) === 1;
    });
    expect(upkeeps.map(({ reaped }) => reaped.length > 0)).toEqual([true, false]);
    for (const { maintenance: upkeep, worker } of upkeeps) {
      upkeep.stop();
      await worker.engine.stop();
    }
    expect(await books.user(userId)).toMatchObject({ quota: 4_990, usedQuota: 10 });
    await redis.restart();
  });

  it('a call that began in a pool is charged in full although the store died under it', async () => {
    const userId = await books.addUser(5_000);
    const worker = await startWorker();
    const call = await worker.start(userId);
    await redis.kill();
    await until(() => !store.isAvailable);
    worker.end(call);
    // The store is away: this one holds straight in SQL, extends there and is charged the same.
    const other = await worker.start(userId);
    expect((await worker.engine.holds.extend(other.hold, 300 as never)).ok).toBe(true);
    expect((await worker.engine.holds.extend(other.hold, 1_000_000 as never)).ok).toBe(false);
    worker.end(other);
    const released = await worker.start(userId);
    worker.engine.holds.release(released.hold);
    worker.engine.spool.flush();
    await redis.restart();
    await until(() => store.isAvailable);
    workers.splice(0);
    await worker.engine.stop();
    expect(await books.user(userId)).toMatchObject({ quota: 5_000 - 220, usedQuota: 220, requestCount: 2 });
  });
});
