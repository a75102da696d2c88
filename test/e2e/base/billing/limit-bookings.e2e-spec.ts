import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LimitUseEntity } from '../../../../server/base/limits/limit-use.entity.js';
import { marksText } from '../../../../server/base/limits/limit-marks.js';
import {
  type BookingRecord,
  describeSettlement,
} from '../../../../server/base/billing/records/spool-documents.js';
import { Books, openMemory, STD_USAGE, Worker } from '../../../support/fixtures/money.fixture.js';

const BOOKERS = 32;
const BATCHES = 4;
const CALLS = 10;

describe.each(['mariadb', 'postgres'] as const)('bookings at once under limits of everyone on %s', (kind) => {
  let books: Books;
  beforeEach(async () => {
    books = await Books.open(kind);
  });
  afterEach(async () => {
    await books.close();
  });

  it(`books ${BOOKERS} batches at once into the same rows, each once`, async () => {
    const worker = new Worker(books, openMemory());
    const users = await Promise.all(Array.from({ length: BOOKERS }, () => books.addUser(1_000_000)));
    const batchOf = (userId: number, batch: number): BookingRecord[] => {
      const caller = worker.caller(userId, null);
      const quote = worker.quote(caller);
      return Array.from({ length: CALLS }, (_, index): BookingRecord => {
        // In another order for every account: rows are written in one order whatever the marks are.
        const marks = [1, 2, 3].map((limitId) => ({
          limitId: ((limitId + userId + index) % 3) + 1,
          value: '',
          periodStartMs: 0,
          measure: 'requests' as const,
        }));
        const limits = marksText(marks);
        const hold = {
          kind: 'pool' as const,
          userReservationId: '',
          tokenReservationId: null,
          amount: 0,
          limits,
        };
        const call = {
          callId: `b-${userId}-${batch}-${index}`,
          caller,
          channelId: 0,
          upstreamModel: 'fx-std',
          isModelMapped: false,
          shape: { operation: 'chat' as const, model: 'fx-std', stream: true },
          usage: STD_USAGE,
          evidence: 'reported' as const,
          outcome: 'ok' as const,
          snapshot: quote.snapshot,
          priced: quote.charge(STD_USAGE),
          startedAtMs: 0,
          firstByteMs: 1,
          durationMs: 1,
          attempts: [],
          path: '',
          note: '',
        };
        return { type: 'S', document: describeSettlement(call, hold, 1_700_000_000_000) };
      });
    };
    const answers = await Promise.all(
      users.map(async (userId) => {
        const booker = books.booker();
        const done: boolean[] = [];
        for (let batch = 0; batch < BATCHES; batch += 1)
          done.push((await booker.book(batchOf(userId, batch))) !== undefined);
        return done;
      }),
    );
    // Undefined is a failed transaction: a deadlock, or a wait that was too long.
    expect(answers.flat().filter((isBooked) => !isBooked)).toEqual([]);
    const rows = await books.dataSource.getRepository(LimitUseEntity).find({ order: { limitId: 'ASC' } });
    const all = BOOKERS * BATCHES * CALLS;
    expect(rows.map(({ limitId, used, calls }) => [limitId, used, calls])).toEqual([
      [1, all, all],
      [2, all, all],
      [3, all, all],
    ]);
  });
});
