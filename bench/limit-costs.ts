// Costs of limits per period in one process, without HTTP: `node --import ./test/support/register-typescript.mjs bench/limit-costs.ts [database]`.
// Prints CPU of a call, rate of booking, and what a start with the books of 10,000 values costs.
import { LimitUseEntity } from '../server/base/limits/limit-use.entity.js';
import { periodAt } from '../server/base/limits/calendar-periods.js';
import { type BookingRecord, describeSettlement } from '../server/base/billing/records/spool-documents.js';
import { marksText } from '../server/base/limits/limit-marks.js';
import type { Caller } from '../server/relay-core/model/call.js';
import { ChangingLimits, limitRow, noonZone } from '../test/support/fixtures/limits.fixture.js';
import { Books, openMemory, STD_USAGE, Worker } from '../test/support/fixtures/money.fixture.js';
import type { DatabaseKind } from '../test/support/database.js';

const ROUNDS = 9;
const CALLS = 2_000;
const BATCH = 200;
const BATCHES = 20;
const VALUES = 10_000;
const PLENTY = 1_000_000_000_000;
const DIGITS = 1;

const kind = (process.argv[2] ?? 'sqlite') as DatabaseKind;
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const print = (name: string, value: number, unit: string): void =>
  console.log(`${name.padEnd(52)} ${value.toFixed(DIGITS)} ${unit}`);

const three = (userId: number) => [
  limitRow({ id: 1, subject: String(userId), amount: PLENTY }),
  limitRow({ id: 2, subject: String(userId), measure: 'tokens', period: 'month', amount: PLENTY }),
  limitRow({ id: 3, scope: 'everyone', subject: '', measure: 'quota', period: 'month', amount: PLENTY }),
];

/** CPU of one admission and its return, microseconds. */
async function admissionCost(worker: Worker, caller: Caller): Promise<number> {
  const quote = worker.quote(caller);
  const from = process.cpuUsage();
  for (let index = 0; index < CALLS; index += 1) {
    const held = await worker.engine.holds.reserve({
      callId: `c${process.hrtime.bigint()}`,
      caller,
      quote,
      windows: [],
    });
    if (!held.ok) throw new Error(held.error.kind);
    worker.engine.holds.release(held.value);
    if (index % BATCH === 0) await worker.engine.returns.flush();
  }
  await worker.engine.returns.flush();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / CALLS;
}

async function compareAdmissions(books: Books): Promise<void> {
  const userId = await books.addUser(PLENTY);
  const limits = new ChangingLimits([]);
  const worker = new Worker(books, openMemory(), { limits });
  await worker.engine.start();
  const caller = worker.caller(userId, null);
  const costs: Record<'none' | 'three', number[]> = { none: [], three: [] };
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const name of ['none', 'three'] as const) {
      limits.set(name === 'none' ? [] : three(userId));
      const cost = await admissionCost(worker, { ...caller });
      // The first round warms up.
      if (round > 0) costs[name].push(cost);
    }
  await worker.engine.stop();
  print('admission and return, no limit', median(costs.none), 'µs');
  print('admission and return, three limits', median(costs.three), 'µs');
  print(
    'difference, median of rounds',
    median(costs.three.map((cost, index) => cost - (costs.none[index] ?? 0))),
    'µs',
  );
}

function batchOf(worker: Worker, userId: number, name: string, limits: string): BookingRecord[] {
  const caller = worker.caller(userId, null);
  const quote = worker.quote(caller);
  const hold = {
    kind: 'pool' as const,
    userReservationId: '',
    tokenReservationId: null,
    amount: 0,
    ...(limits === '' ? {} : { limits }),
  };
  return Array.from({ length: BATCH }, (_, index): BookingRecord => ({
    type: 'S',
    document: describeSettlement(
      {
        callId: `${name}-${index}`,
        caller,
        channelId: 0,
        upstreamModel: 'fx-std',
        isModelMapped: false,
        shape: { operation: 'chat', model: 'fx-std', stream: true },
        usage: STD_USAGE,
        evidence: 'reported',
        outcome: 'ok',
        snapshot: quote.snapshot,
        priced: quote.charge(STD_USAGE),
        startedAtMs: 0,
        firstByteMs: 1,
        durationMs: 1,
        attempts: [],
        path: '',
        note: '',
      },
      hold,
      1_700_000_000_000,
    ),
  }));
}

async function compareBookings(books: Books): Promise<void> {
  const userId = await books.addUser(PLENTY);
  const worker = new Worker(books, openMemory());
  const booker = books.booker();
  const marks = marksText(
    [1, 2, 3].map((limitId) => ({ limitId, value: '', periodStartMs: 0, measure: 'requests' as const })),
  );
  const rates: Record<'none' | 'three', number[]> = { none: [], three: [] };
  for (let round = 0; round < BATCHES; round += 1)
    for (const name of ['none', 'three'] as const) {
      const batch = batchOf(worker, userId, `b${round}-${name}`, name === 'none' ? '' : marks);
      const fromMs = performance.now();
      await booker.book(batch);
      rates[name].push((BATCH * 1_000) / (performance.now() - fromMs));
    }
  print('bookings, no limit', median(rates.none), 'a second');
  print('bookings, three limits', median(rates.three), 'a second');
}

/** A start with use of many values in the books, and the first call of each. */
async function startWithHistories(books: Books): Promise<void> {
  const userId = await books.addUser(PLENTY);
  const { startsAtMs } = periodAt('day', Date.now(), [{ zone: noonZone(), fromMs: 0 }]);
  const rows = Array.from({ length: VALUES }, (_, index) => ({
    limitId: 9,
    value: `v${index}`,
    periodStartMs: startsAtMs,
    kind: 'opening' as const,
    used: 5,
    calls: 5,
  }));
  const uses = books.dataSource.getRepository(LimitUseEntity);
  for (let from = 0; from < VALUES; from += BATCH) await uses.insert(rows.slice(from, from + BATCH));
  const each = limitRow({ id: 9, scope: 'end_user', subject: '', each: true, amount: 10 });
  const worker = new Worker(books, openMemory(), { limits: new ChangingLimits([each]) });
  let fromMs = performance.now();
  await worker.engine.start();
  print(`start with ${VALUES} values in the books`, performance.now() - fromMs, 'ms');
  fromMs = performance.now();
  let admitted = 0;
  for (let index = 0; index < VALUES; index += 1) {
    const caller = { ...worker.caller(userId, null), endUser: `v${index}` };
    const held = await worker.engine.holds.reserve({
      callId: `s${index}`,
      caller,
      quote: worker.quote(caller),
      windows: [],
    });
    if (!held.ok) continue;
    admitted += 1;
    worker.engine.holds.release(held.value);
  }
  if (admitted !== VALUES) throw new Error(`${admitted} of ${VALUES} were admitted`);
  print(
    'first call of a value, its window filled from the books',
    (performance.now() - fromMs) / VALUES,
    'ms',
  );
  await worker.engine.stop();
}

const books = await Books.open(kind);
try {
  await compareAdmissions(books);
  await compareBookings(books);
  await startWithHistories(books);
} finally {
  await books.close();
}
