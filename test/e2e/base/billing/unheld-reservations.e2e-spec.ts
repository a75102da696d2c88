import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { UuidIds } from '../../../../server/infra/ids/uuid-ids.js';
import { CALL_LEASE_MS, CallReservations } from '../../../../server/base/billing/holds/call-reservations.js';
import { ReservationEntity } from '../../../../server/base/billing/ledger/reservation.entity.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import { Books, openMemory, Worker } from '../../../support/fixtures/money.fixture.js';

const BALANCE = 10_000;
const HELD = 400;
const BOOT_ID = 'the-worker';

describe.each(DATABASE_KINDS)('reservations of calls that got none, on %s', (kind) => {
  let books: Books;
  let worker: Worker;
  let userId: number;
  let tokenId: number;

  beforeEach(async () => {
    books = await Books.open(kind);
    const store = openMemory();
    // Calls set quota aside in the database, one by one.
    Object.defineProperty(store, 'isAvailable', { value: false });
    worker = new Worker(books, store, { bootId: BOOT_ID });
    userId = await books.addUser(BALANCE);
    tokenId = await books.addToken(userId, BALANCE);
  });
  afterEach(async () => {
    await worker.engine.stop();
    await worker.store.close();
    await books.close();
  });

  /** Simulates a lost answer to COMMIT: reserved, without a call. */
  const leaveBehind = async (owner: string): Promise<void> => {
    const clock = new SystemClock();
    const ids = new UuidIds();
    const onFault = (message: string): never => {
      throw new Error(message);
    };
    const reservations = new CallReservations({ dataSource: books.dataSource, ids, clock, owner, onFault });
    const caller = worker.caller(userId, tokenId, true);
    const call = { callId: ids.callId(), caller, amount: HELD, minimum: HELD, promptEstimate: 10 };
    expect((await reservations.reserve(call)).kind).toBe('reserved');
  };
  const pass = (ms: number): Promise<unknown> =>
    books.dataSource.query(
      `UPDATE reservations SET lease_until_ms = lease_until_ms - ${ms} WHERE state = 'open'`,
    );
  const left = async (): Promise<readonly [number, number]> => [
    (await books.user(userId)).quota,
    (await books.token(tokenId)).remainQuota,
  ];

  it('gives them back to account and token when their lease is over, and not before', async () => {
    await leaveBehind(BOOT_ID);
    expect(await worker.engine.recovery.releaseUnheld()).toBe(0);
    expect(await left()).toEqual([BALANCE - HELD, BALANCE - HELD]);
    await pass(CALL_LEASE_MS + 1_000);
    expect(await worker.engine.recovery.releaseUnheld()).toBe(HELD);
    expect(await left()).toEqual([BALANCE, BALANCE]);
    expect(await worker.engine.recovery.releaseUnheld()).toBe(0);
    expect(await books.check(false)).toEqual([]);
  });

  it('leaves them to their own worker, and those of running calls to their calls', async () => {
    await leaveBehind('another-worker');
    const call = await worker.start(userId, tokenId);
    const open = { kind: 'call', state: 'open' } as const;
    // One of the account and one of its token, for each.
    expect(await books.dataSource.getRepository(ReservationEntity).countBy(open)).toBe(4);
    await pass(CALL_LEASE_MS + 1_000);
    const before = await left();
    expect(await worker.engine.recovery.releaseUnheld()).toBe(0);
    expect(await left()).toEqual(before);
    worker.end(call);
    await worker.engine.flusher.drain(10_000);
    expect((await books.user(userId)).usedQuota).toBe(110);
    expect(await books.check(false)).toEqual([]);
  });
});
