import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LimitUseKind } from '../../../../server/base/limits/limit-definition.js';
import { LimitUseEntity } from '../../../../server/base/limits/limit-use.entity.js';
import { addUses, correctLimitUses, sumUses } from '../../../../server/base/billing/ledger/limit-use-sql.js';
import type { BookingRecord } from '../../../../server/base/billing/records/spool-documents.js';
import { describeSettlement } from '../../../../server/base/billing/records/spool-documents.js';
import { marksText, type LimitMark } from '../../../../server/base/limits/limit-marks.js';
import { runInTransaction } from '../../../../server/infra/database/run-in-transaction.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import { Books, openMemory, Worker } from '../../../support/fixtures/money.fixture.js';
import { SeededRandom } from '../../../simulator/seeded-random.js';
import type { Usage } from '../../../../server/relay-core/model/usage.js';

const HISTORIES = 10_000;
const BATCH = 100;
const MEASURES = ['quota', 'tokens', 'input_tokens', 'output_tokens', 'requests'] as const;

describe.each(DATABASE_KINDS)('random histories of limited calls on %s', (kind) => {
  let books: Books;
  beforeAll(async () => {
    books = await Books.open(kind);
  });
  afterAll(async () => {
    await books.close();
  });

  it(`has as use of each limit and period the sum of its ${HISTORIES} calls`, async () => {
    const random = new SeededRandom(47);
    const userId = await books.addUser(1_000_000_000);
    const worker = new Worker(books, openMemory());
    const caller = worker.caller(userId, null);
    const quote = worker.quote(caller);
    const expected = new Map<string, number>();
    const note = (kindOf: LimitUseKind, mark: LimitMark, used: number): void => {
      const key = `${mark.limitId} ${mark.value} ${mark.periodStartMs} ${kindOf}`;
      expected.set(key, (expected.get(key) ?? 0) + used);
    };
    const booker = books.booker();
    let records: BookingRecord[] = [];
    const booked: {
      readonly callId: string;
      readonly marks: readonly LimitMark[];
      readonly charged: number;
    }[] = [];
    for (let index = 0; index < HISTORIES; index += 1) {
      const marks = Array.from({ length: 1 + random.below(3) }, (_, place): LimitMark => ({
        limitId: 1 + random.below(4) + 10 * place,
        value: random.below(2) === 0 ? '' : `v${random.below(3)}`,
        periodStartMs: 86_400_000 * random.below(5),
        measure: MEASURES[random.below(MEASURES.length)] ?? 'quota',
      }));
      const callId = `h-${kind}-${index}`;
      const hold = {
        kind: 'pool' as const,
        userReservationId: '',
        tokenReservationId: null,
        amount: 0,
        limits: marksText(marks),
      };
      if (random.below(10) === 0) {
        records.push({
          type: 'R',
          document: { request_id: callId, user_id: userId, token_id: null, hold, was_sent: true },
        });
        for (const mark of marks) if (mark.measure === 'requests') note('use', mark, 1);
      } else {
        const usage: Usage = { input: { total: random.below(50) }, output: { total: random.below(50) } };
        const priced = quote.charge(usage);
        records.push({
          type: 'S',
          document: describeSettlement(
            {
              callId,
              caller,
              channelId: 0,
              upstreamModel: 'fx-std',
              isModelMapped: false,
              shape: { operation: 'chat', model: 'fx-std', stream: true },
              usage,
              evidence: 'reported',
              outcome: 'ok',
              snapshot: quote.snapshot,
              priced,
              startedAtMs: 0,
              firstByteMs: 1,
              durationMs: 1,
              attempts: [],
              path: '',
              note: '',
            },
            hold,
            1_700_000_000_000 + index,
          ),
        });
        const input = usage.input.total ?? 0;
        const output = usage.output.total ?? 0;
        const used = {
          quota: priced,
          tokens: input + output,
          input_tokens: input,
          output_tokens: output,
          requests: 1,
        };
        for (const mark of marks) note('use', mark, used[mark.measure]);
        booked.push({ callId, marks, charged: priced });
      }
      if (records.length < BATCH) continue;
      // A batch whose commit was not confirmed is booked again: nothing counts twice.
      for (let times = 0; times <= random.below(2); times += 1) await booker.book(records);
      records = [];
      const given = booked[random.below(booked.length)];
      if (given !== undefined && given.charged > 0) {
        const amount = 1 + random.below(given.charged);
        await runInTransaction(books.dataSource, (manager) =>
          correctLimitUses(manager, [{ callId: given.callId, amount }]),
        );
        for (const mark of given.marks) if (mark.measure === 'quota') note('correction', mark, -amount);
      }
      const reset = {
        limitId: 1,
        value: '',
        periodStartMs: 0,
        kind: 'reset' as const,
        used: -random.below(100),
        calls: 0,
      };
      await runInTransaction(books.dataSource, (manager) => addUses(manager, sumUses([reset])));
      note('reset', { ...reset, measure: 'quota' }, reset.used);
    }
    if (records.length > 0) await booker.book(records);
    const rows = await books.dataSource.getRepository(LimitUseEntity).find();
    const found = Object.fromEntries(
      rows.map((row) => [`${row.limitId} ${row.value} ${row.periodStartMs} ${row.kind}`, row.used]),
    );
    expect(found).toEqual(Object.fromEntries(expected));
    expect((await books.check()).filter(({ subject }) => / use of /.test(subject))).toEqual([]);
  });
});
