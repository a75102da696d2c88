import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource, EntityManager } from 'typeorm';
import type { PoolRef } from '../../../../server/infra/shared-store/shared-store.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import {
  Crew,
  Books,
  openMemory,
  Worker,
  type StartedCall,
} from '../../../support/fixtures/money.fixture.js';

const BALANCE = 820;
/** Quota a call holds: when the balance is used up, the expensive call takes the quota the other one holds. */
const TAKEN = 110;
const GREEDY = { input: { total: 10 }, output: { total: 5_000 } };

/** A worker that dies after its commit leaves no pool that believes in more than SQL has set aside for it. */
describe.each(DATABASE_KINDS)('debits before the commit on %s', (kind) => {
  let books: Books;
  let dataSource: DataSource;
  const crew = new Crew(() => books);
  beforeAll(async () => {
    books = await Books.open(kind);
    dataSource = books.dataSource;
  });
  afterEach(() => crew.leave());
  afterAll(() => books.close());

  async function startWorker(events: (number | string)[], hasThread = false): Promise<Worker> {
    const store = crew.keep(openMemory());
    const debit = store.pools.debit.bind(store.pools);
    store.pools.debit = async (pool: PoolRef, amount: number, reservationId: string) => {
      events.push(amount);
      await debit(pool, amount, reservationId);
    };
    return crew.start(hasThread ? { booking: books.bookingPlace() } : {}, store);
  }

  /** Both calls are over: everything is paid, and the pool is at exactly 0. */
  async function expectEven(worker: Worker, neighbour: StartedCall, userId: number): Promise<void> {
    worker.end(neighbour);
    expect(await worker.engine.flusher.drain(20_000)).toBe(true);
    expect(await books.user(userId)).toMatchObject({ quota: 0, usedQuota: BALANCE, requestCount: 2 });
    // Its last round brings back what ended calls held.
    expect(await worker.begin(worker.caller(userId, null, false))).toBe('quota-insufficient user');
    const pool = { userId, tokenId: null };
    expect(await worker.store.pools.drain(pool, 0)).toMatchObject({ amount: 0 });
    expect(await worker.store.pools.reservationsOf([pool])).toEqual([]);
  }

  /** The dear call ends and is booked, with something that happens around the commit. */
  async function book(
    worker: Worker,
    greedy: StartedCall,
    change: (original: DataSource['transaction']) => unknown,
  ): Promise<void> {
    const original = dataSource.transaction;
    dataSource.transaction = change(original.bind(dataSource)) as DataSource['transaction'];
    try {
      worker.end(greedy, GREEDY);
      expect(await worker.engine.flusher.drain(20_000)).toBe(true);
    } finally {
      dataSource.transaction = original;
    }
  }

  it("applies a pool's debit in the store before SQL commits it", async () => {
    const userId = await books.addUser(BALANCE);
    const events: (number | string)[] = [];
    const worker = await startWorker(events);
    const [greedy, neighbour] = [await worker.start(userId), await worker.start(userId)];
    await book(worker, greedy, (original) => async (work: (manager: EntityManager) => Promise<unknown>) => {
      const result = await original(work);
      events.push('committed');
      return result;
    });
    // The prices of a worker's first call are a transaction of their own.
    expect(events.slice(1)).toEqual([TAKEN, 'committed']);
    await expectEven(worker, neighbour, userId);
  });

  it('makes up at the next try for a transaction that was rolled back after the debit', async () => {
    const userId = await books.addUser(BALANCE);
    const events: (number | string)[] = [];
    const worker = await startWorker(events);
    const [greedy, neighbour] = [await worker.start(userId), await worker.start(userId)];
    let failures = 0;
    await book(
      worker,
      greedy,
      (original) => (work: (manager: EntityManager) => Promise<unknown>) =>
        original(async (manager) => {
          const result = await work(manager);
          if (events.length === 0 || failures === 2) return result;
          failures += 1;
          throw Object.assign(new Error('Deadlock found when trying to get lock'), { errno: 1213 });
        }),
    );
    expect(failures).toBe(2);
    expect(events).toEqual([TAKEN, TAKEN, TAKEN, -2 * TAKEN]);
    await expectEven(worker, neighbour, userId);
  });

  it('applies a debit once when the answer to the commit was lost', async () => {
    const userId = await books.addUser(BALANCE);
    const events: (number | string)[] = [];
    const worker = await startWorker(events);
    const [greedy, neighbour] = [await worker.start(userId), await worker.start(userId)];
    let lost = 0;
    await book(worker, greedy, (original) => async (work: (manager: EntityManager) => Promise<unknown>) => {
      const result = await original(work);
      if (events.length === 0 || lost > 0) return result;
      lost += 1;
      throw Object.assign(new Error('Connection lost: the server closed the connection.'), {
        code: 'PROTOCOL_CONNECTION_LOST',
      });
    });
    expect(lost).toBe(1);
    expect(events).toEqual([TAKEN]);
    await expectEven(worker, neighbour, userId);
  });

  it('lets the booking thread wait until the store has applied the debit', async () => {
    const userId = await books.addUser(BALANCE);
    const events: (number | string)[] = [];
    const worker = await startWorker(events, true);
    const [greedy, neighbour] = [await worker.start(userId), await worker.start(userId)];
    const settlements = dataSource.getRepository('settlements');
    const { debit } = worker.store.pools;
    worker.store.pools.debit = async (pool, amount, reservationId) => {
      // SQLite has one writer, and the thread is writing: readers see what was committed.
      events.push(`settled ${await settlements.countBy({ requestId: greedy.callId })}`);
      await debit(pool, amount, reservationId);
    };
    worker.end(greedy, GREEDY);
    expect(await worker.engine.flusher.drain(20_000)).toBe(true);
    expect(events).toEqual(['settled 0', TAKEN]);
    worker.store.pools.debit = debit;
    await expectEven(worker, neighbour, userId);
  });
});
