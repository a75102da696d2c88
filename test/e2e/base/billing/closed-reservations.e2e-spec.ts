import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Not } from 'typeorm';
import type { RedisSharedStore } from '../../../../server/infra/shared-store/redis-shared-store.js';
import { CallReservations } from '../../../../server/base/billing/holds/call-reservations.js';
import { InFlight } from '../../../../server/base/billing/holds/in-flight.js';
import { Instances } from '../../../../server/base/billing/ledger/instances.js';
import { LedgerMaintenance } from '../../../../server/base/billing/recovery/ledger-maintenance.js';
import { UuidIds } from '../../../../server/infra/ids/uuid-ids.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { testRedisUrl } from '../../../support/redis.js';
import { until } from '../../../support/until.js';
import {
  Books,
  isStarted,
  openRedis,
  type StartedCall,
  Worker,
} from '../../../support/fixtures/money.fixture.js';

const PRICE = 110;
const ids = new UuidIds();

/** Another process gave back quota that pools of a living store still hold: another Redis on the same database, a restored backup. */
describe.each(['mariadb', 'postgres'] as const)('pools whose reservation is closed, on %s', (kind) => {
  let books: Books;
  let store: RedisSharedStore;
  let otherStore: RedisSharedStore;
  const workers: Worker[] = [];

  beforeAll(async () => {
    books = await Books.open(kind);
    store = await openRedis(testRedisUrl());
    otherStore = await openRedis(testRedisUrl());
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.engine.stop();
    expect(await books.check()).toEqual([]);
  });
  afterAll(async () => {
    await store.close();
    await otherStore.close();
    await books.close();
  });

  const startWorker = async (own = store, hotCalls = Infinity): Promise<Worker> => {
    const worker = new Worker(books, own, { bootId: ids.callId(), hotCalls });
    workers.push(worker);
    await worker.engine.start();
    return worker;
  };
  const writtenOff = async (userId: number): Promise<number> => {
    const rows = await books.dataSource.getRepository('settlements').findBy({ userId });
    return rows.reduce((sum, row) => sum + Number(row['writeoff']), 0);
  };
  const isFilled = async (userId: number): Promise<boolean> => {
    const refs = [];
    for await (const pool of store.pools.list()) if (pool.userId === userId) refs.push(pool);
    return (await store.pools.reservationsOf(refs)).length > 0;
  };
  /** A worker with another Redis takes every pool for one of a lost epoch, and spends what comes back. */
  const spendElsewhere = async (userId: number): Promise<number> => {
    const culprit = await startWorker(otherStore);
    culprit.engine.maintenance.stop();
    const { owner: bootId } = (await books.dataSource
      .getRepository('reservations')
      .findOneByOrFail({ userId, state: 'open' })) as { owner: string };
    await culprit.engine.recovery.reclaimLostEpochs([bootId]);
    let served = 0;
    for (;;) {
      const call = await culprit.begin(culprit.caller(userId, null));
      if (!isStarted(call)) break;
      culprit.end(call);
      served += 1;
    }
    await culprit.engine.stop();
    workers.splice(workers.indexOf(culprit), 1);
    return served;
  };

  it.each([false, true])(
    'voids the pool for all workers with the first booking: calls under way end, then there is no quota and no write-off more (the reservation was removed since: %s)',
    async (isRemoved) => {
      const userId = await books.addUser(20 * PRICE);
      const [first, second] = [await startWorker(), await startWorker()];
      first.end(await first.start(userId));
      await first.engine.flusher.drain(10_000);
      expect(await isFilled(userId)).toBe(true);
      const underWay = [await first.start(userId), await second.start(userId)];

      expect(await spendElsewhere(userId)).toBe(19);
      expect(await books.user(userId)).toMatchObject({ quota: 0 });
      const closed = { userId, state: Not('open') };
      if (isRemoved) await books.dataSource.getRepository('reservations').delete(closed);
      first.end(underWay[0] as StartedCall);
      await first.engine.flusher.drain(10_000);

      expect(await isFilled(userId)).toBe(false);
      expect(first.faults).toEqual([
        expect.stringContaining('written off'),
        expect.stringContaining(`account ${userId},`),
      ]);
      for (const worker of [first, second, first])
        expect(await worker.begin(worker.caller(userId, null))).toBe('quota-insufficient user');
      second.end(underWay[1] as StartedCall);
      await second.engine.flusher.drain(10_000);
      await second.engine.returns.flush();
      for (const worker of [first, second])
        expect(await worker.begin(worker.caller(userId, null))).toBe('quota-insufficient user');
      expect(await writtenOff(userId)).toBe(2 * PRICE);

      await books.credit(userId, 2 * PRICE, `again:${userId}`);
      for (const worker of [first, second]) worker.end(await worker.start(userId));
      expect(await first.begin(first.caller(userId, null))).toBe('quota-insufficient user');
      await second.engine.flusher.drain(10_000);
      expect(await writtenOff(userId)).toBe(2 * PRICE);
    },
  );

  it('ends a slice of such a pool with its report', async () => {
    const userId = await books.addUser(3_000 * PRICE);
    const worker = await startWorker(store, 4);
    // Without a limit: after a refusal no slice is requested for a while.
    while (worker.engine.slices.served === 0) worker.end(await worker.start(userId));
    // A slow machine makes many calls until then: they are booked before the account is spent.
    await worker.engine.flusher.drain(10_000);
    await spendElsewhere(userId);
    let served = 0;
    await until(async () => {
      const call = await worker.begin(worker.caller(userId, null));
      if (!isStarted(call)) return true;
      served += 1;
      worker.end(call);
      return false;
    });
    await worker.engine.flusher.drain(10_000);
    const lost = await writtenOff(userId);
    expect(lost).toBeLessThanOrEqual(served * PRICE + 20 * PRICE);
    for (let call = 0; call < 20; call += 1)
      expect(await worker.begin(worker.caller(userId, null))).toBe('quota-insufficient user');
    expect(await writtenOff(userId)).toBe(lost);
  });

  it('voids the pool of a limited token by itself: its account continues, the token pays only up to its limit', async () => {
    const userId = await books.addUser(50 * PRICE);
    const tokenId = await books.addToken(userId, 4 * PRICE);
    const worker = await startWorker();
    const call = await worker.start(userId, tokenId);
    const rows = books.dataSource.getRepository('reservations');
    const open = (await rows.findOneByOrFail({ tokenId, state: 'open' })) as { id: string; amount: number };
    await rows.update({ id: open.id }, { state: 'released', amount: 0 });
    await books.dataSource.getRepository('tokens').increment({ id: tokenId }, 'remainQuota', open.amount);
    worker.end(call);
    await worker.engine.flusher.drain(10_000);
    expect(worker.faults).toEqual([expect.stringContaining(`account ${userId}, token ${tokenId},`)]);
    let served = 1;
    for (;;) {
      const next = await worker.begin(worker.caller(userId, tokenId, true));
      if (!isStarted(next)) {
        expect(next).toBe('quota-insufficient token');
        break;
      }
      served += 1;
      worker.end(next);
    }
    expect(served).toBe(4);
    await worker.engine.flusher.drain(10_000);
    expect(await books.token(tokenId)).toMatchObject({ usedQuota: 4 * PRICE });
    expect(await writtenOff(userId)).toBe(0);
  });

  it('voids pools without calls in the sweep, and leaves every other pool as it is', async () => {
    const [lost, kept] = [await books.addUser(20 * PRICE), await books.addUser(20 * PRICE)];
    const worker = await startWorker();
    for (const userId of [lost, kept]) worker.end(await worker.start(userId));
    await worker.engine.flusher.drain(10_000);
    await worker.engine.returns.flush();
    await books.dataSource.transaction(async (manager) => {
      const rows = manager.getRepository('reservations');
      const { id, amount } = (await rows.findOneByOrFail({ userId: lost, state: 'open' })) as {
        id: string;
        amount: number;
      };
      await rows.update({ id }, { state: 'released', amount: 0 });
      await manager.getRepository('users').increment({ id: lost }, 'quota', amount);
    });
    const clock = new FakeClock();
    const { recovery, poolReturns } = worker.engine;
    const instances = new Instances(books.dataSource, ids.callId());
    const onFault = (message: string, error: unknown): void =>
      void worker.faults.push(`${message}: ${String(error)}`);
    const { dataSource } = books;
    const callReservations = new CallReservations({ dataSource, ids, clock, owner: 'test', onFault });
    const upkeep = new LedgerMaintenance({
      dataSource,
      store,
      clock,
      recovery,
      instances,
      poolReturns,
      callReservations,
      onFault,
      inFlight: new InFlight(clock),
      storeAgreement: { isAgreed: true, watch: async () => undefined },
      numbers: { note: async () => undefined },
    });
    upkeep.start();
    await until(async () => {
      clock.advance(1_000);
      return !(await isFilled(lost));
    });
    upkeep.stop();
    expect(await isFilled(kept)).toBe(true);
    for (const userId of [lost, kept]) {
      for (let call = 1; call < 20; call += 1) worker.end(await worker.start(userId));
      expect(await worker.begin(worker.caller(userId, null))).toBe('quota-insufficient user');
    }
    await worker.engine.flusher.drain(10_000);
    for (const userId of [lost, kept]) {
      expect(await books.user(userId)).toMatchObject({ quota: 0, usedQuota: 20 * PRICE });
      expect(await writtenOff(userId)).toBe(0);
    }
  });
});
