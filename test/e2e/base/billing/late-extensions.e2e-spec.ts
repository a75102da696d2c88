import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { runInTransaction } from '../../../../server/infra/database/run-in-transaction.js';
import { UuidIds } from '../../../../server/infra/ids/uuid-ids.js';
import { CallReservations } from '../../../../server/base/billing/holds/call-reservations.js';
import {
  addToReservations,
  ReservationClosedError,
} from '../../../../server/base/billing/ledger/reservation-sql.js';
import { ownerOf, type HoldPlace } from '../../../../server/base/billing/records/spool-documents.js';
import type { Caller } from '../../../../server/relay-core/model/call.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import { Books, openMemory, Worker } from '../../../support/fixtures/money.fixture.js';

const BALANCE = 10_000;
const HELD = 400;
const MORE = 300;

describe.each(DATABASE_KINDS)('a hold in SQL is extended after its call is over, on %s [F-13]', (kind) => {
  let books: Books;
  let worker: Worker;
  let reservations: CallReservations;
  const faults: string[] = [];

  beforeEach(async () => {
    books = await Books.open(kind);
    worker = new Worker(books, openMemory());
    faults.splice(0);
    reservations = new CallReservations({
      dataSource: books.dataSource,
      ids: new UuidIds(),
      clock: new SystemClock(),
      owner: 'test',
      onFault: (message, error) => void faults.push(`${message}: ${String(error)}`),
    });
  });
  afterEach(async () => {
    await worker.store.close();
    await books.close();
  });

  /** A call with a reservation of its own. */
  const reserve = async (
    tokenLimited: boolean,
  ): Promise<{ caller: Caller; place: HoldPlace; callId: string }> => {
    const userId = await books.addUser(BALANCE);
    const tokenId = await books.addToken(userId, tokenLimited ? BALANCE : null);
    const caller = worker.caller(userId, tokenId, tokenLimited);
    const callId = new UuidIds().callId();
    const wanted = { callId, caller, amount: HELD, minimum: HELD, promptEstimate: 10 };
    const answer = await reservations.reserve(wanted);
    if (answer.kind !== 'reserved') throw new Error(answer.kind);
    const { amount, userReservationId, tokenReservationId } = answer;
    return { caller, callId, place: { kind: 'call', amount, userReservationId, tokenReservationId } };
  };
  const release = async ({ caller, callId, place }: Awaited<ReturnType<typeof reserve>>): Promise<void> => {
    const document = { request_id: callId, ...ownerOf(caller), hold: place };
    // Undefined: the database gave way to another transaction.
    while ((await books.book([{ type: 'R', document }])) === undefined);
  };
  const remaining = async ({ userId, tokenId }: Caller): Promise<readonly [number, number]> => [
    (await books.user(userId)).quota,
    (await books.token(tokenId ?? 0)).remainQuota,
  ];

  describe.each([
    ['a limited token', true],
    ['a free token', false],
  ])('with %s', (_what, tokenLimited) => {
    it('takes the extension while the call runs, and gives it back with the rest', async () => {
      const call = await reserve(tokenLimited);
      const whole = tokenLimited ? BALANCE : 0;
      expect(await reservations.extend(call.place, call.caller, MORE)).toBe('granted');
      const left = BALANCE - HELD - MORE;
      expect(await remaining(call.caller)).toEqual([left, tokenLimited ? left : 0]);
      expect(await books.check(false)).toEqual([]);
      await release(call);
      expect(await remaining(call.caller)).toEqual([BALANCE, whole]);
      expect(await books.check(false)).toEqual([]);
    });

    it('takes nothing from the account or its token afterwards', async () => {
      const call = await reserve(tokenLimited);
      await release(call);
      const before = await remaining(call.caller);
      expect(await reservations.extend(call.place, call.caller, MORE)).toBe('unavailable');
      expect(await remaining(call.caller)).toEqual(before);
      expect(await books.check(false)).toEqual([]);
      expect(faults).toEqual([]);
    });

    it('loses no quota when both come at once, whichever is first', async () => {
      const calls = await Promise.all(Array.from({ length: 8 }, () => reserve(tokenLimited)));
      await Promise.all(
        calls.flatMap((call) => [release(call), reservations.extend(call.place, call.caller, MORE)]),
      );
      for (const call of calls)
        expect(await remaining(call.caller)).toEqual([BALANCE, tokenLimited ? BALANCE : 0]);
      expect(await books.check(false)).toEqual([]);
    });
  });

  it('puts money for several reservations into all of them or into none', async () => {
    const [open, closed] = [await reserve(false), await reserve(false)];
    await release(closed);
    const ids = [open.place.userReservationId, closed.place.userReservationId];
    const adding = runInTransaction(books.dataSource, (manager) => addToReservations(manager, ids, MORE));
    await expect(adding).rejects.toThrow(ReservationClosedError);
    expect(await books.check(false)).toEqual([]);
  });
});
