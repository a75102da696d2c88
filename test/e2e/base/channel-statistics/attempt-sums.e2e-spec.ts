import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { AttemptRecorder } from '../../../../server/base/channel-statistics/attempt-recorder.js';
import { AttemptStatistics } from '../../../../server/base/channel-statistics/attempt-statistics.js';
import { AttemptTotals } from '../../../../server/base/channel-statistics/attempt-totals.js';
import type { CountedAttempt } from '../../../../server/base/channel-statistics/counted-attempts.js';
import { StatisticsRetention } from '../../../../server/base/channel-statistics/statistics-retention.js';
import { ChannelHealthReporter } from '../../../../server/console/operations/channel-health/channel-health-report.js';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import type { SqlStore } from '../../../../server/infra/database/sql-store.js';
import { storeOf } from '../../../../server/infra/database/typeorm-store.js';
import type { Attempt } from '../../../../server/relay-core/model/call.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { catchRecords } from '../../../support/fixtures/booking.fixture.js';
import { Books, Crew } from '../../../support/fixtures/money.fixture.js';

/** 2026-11-21 12:00:00 UTC. */
const NOON = 1_795_262_400;
const EVER = { from: 0, to: 4_000_000_000 };

describe.each(DATABASE_KINDS)('sums of attempts on %s', (kind) => {
  let books: Books;
  let dataSource: DataSource;
  let statistics: AttemptStatistics;
  let nextChannel = 100;
  const crew = new Crew(() => books);

  beforeAll(async () => {
    books = await Books.open(kind);
    dataSource = books.dataSource;
    statistics = new AttemptStatistics(dataSource);
  });
  afterEach(() => crew.leave());
  afterAll(() => books.close());

  const newChannels = (): readonly [number, number] => [(nextChannel += 1), (nextChannel += 1)];
  const byReason = async (channelId: number) =>
    (await statistics.sums({ ...EVER, channelIds: [channelId] }, { reason: true })).map(
      ({ reason, status, attempts, failures }) => ({ reason, status, attempts, failures }),
    );
  const totalsOf = (atSeconds: number, ...attempts: readonly Partial<CountedAttempt>[]): AttemptTotals => {
    const totals = new AttemptTotals();
    const each = { channelId: 1, reason: '', status: 0, endedAtMs: atSeconds * 1_000 };
    totals.add(
      'fx-std',
      atSeconds * 1_000,
      attempts.map((attempt) => ({ ...each, ...attempt })),
    );
    return totals;
  };

  /** A call that failed at one channel and was answered by another. */
  const callOf = async ([failing, good]: readonly [number, number]) => {
    const userId = await books.addUser(10_000);
    const worker = await crew.start();
    const records = catchRecords(worker);
    const call = await worker.start(userId);
    const startedAtMs = Date.now();
    const failed: Attempt = {
      channelId: failing,
      channelName: 'flaky',
      startedAtMs,
      endedAtMs: startedAtMs + 4_000,
      failure: 'upstream-overloaded',
      upstreamStatus: 500,
      vendorSays: {
        status: 500,
        sentence: 'The server had an error with sk-abcdefghijklmnopqrstuvwxyz123456',
      },
    };
    worker.end(call, undefined, {
      channelId: good,
      startedAtMs,
      firstByteMs: 4_080,
      attempts: [
        failed,
        {
          channelId: good,
          channelName: 'good',
          startedAtMs: startedAtMs + 4_000,
          endedAtMs: startedAtMs + 4_900,
        },
      ],
    });
    return { records, call };
  };

  it('counts every attempt of a call that was answered, and the time of each channel by itself', async () => {
    const channels = newChannels();
    const { records, call } = await callOf(channels);
    await books.book(records);
    const [failing, good] = channels;
    expect(await byReason(failing)).toEqual([
      { reason: 'upstream-overloaded', status: 500, attempts: 1, failures: 1 },
    ]);
    const [answered] = await statistics.sums(
      { ...EVER, channelIds: [good], models: ['fx-std'] },
      { model: true },
    );
    // 80 ms after the second attempt began; 900 ms in all, of which 820 ms streamed 50 tokens.
    expect(answered).toMatchObject({
      model: 'fx-std',
      attempts: 1,
      failures: 0,
      outputTokens: 50,
      outputMs: 820,
    });
    expect(answered?.firstToken.indexOf(1)).toBe(1);
    expect(answered?.duration.indexOf(1)).toBe(6);
    const failure = (await statistics.newestFailures([failing, good])).get(failing);
    expect(failure).toMatchObject({ model: 'fx-std', reason: 'upstream-overloaded', status: 500 });
    expect(failure?.message).toContain('The server had an error');
    expect(failure?.message).not.toContain('abcdefghijklmnop');
    expect(await dataSource.getRepository('logs').findOneByOrFail({ requestId: call.callId })).toMatchObject({
      hadFailedAttempt: 1,
    });
  });

  it('counts a record once, however often it is booked', async () => {
    const channels = newChannels();
    const { records } = await callOf(channels);
    const real = storeOf(dataSource);
    const broken: SqlStore = {
      ...real,
      transaction: (work) =>
        real.transaction(async (session) => {
          await work(session);
          throw new Error('the connection broke before the commit');
        }),
    };
    expect(await books.book(records, { store: broken })).toBeUndefined();
    expect(await byReason(channels[1])).toEqual([]);
    for (let turn = 0; turn < 3; turn += 1) await books.book(records);
    expect(await byReason(channels[1])).toEqual([{ reason: '', status: 0, attempts: 1, failures: 0 }]);
    expect(await byReason(channels[0])).toHaveLength(1);
  });

  it('counts what a dead worker had spooled once, and its unfinished call as such', async () => {
    const channels = newChannels();
    const userId = await books.addUser(10_000);
    const dataDir = mkdtempSync(join(books.dataDir, 'shared-'));
    const dying = await crew.start({ dataDir });
    const done = await dying.start(userId);
    const unfinished = await dying.start(userId);
    const dispatched = dying.engine.holds.recordDispatch(unfinished.hold, channels[1], 1);
    dying.engine.spool.flush();
    await dispatched;
    await dying.engine.flusher.stop();
    const attempt = { channelName: 'c', startedAtMs: Date.now() - 500, endedAtMs: Date.now() };
    dying.end(done, undefined, {
      channelId: channels[1],
      attempts: [
        { ...attempt, channelId: channels[0], failure: 'upstream-timeout' },
        { ...attempt, channelId: channels[1] },
      ],
    });
    dying.engine.maintenance.stop();
    crew.forget(dying);
    unlinkSync(join(dying.engine.spool.folder, 'owner.json'));
    await crew.start({ dataDir });
    expect(await byReason(channels[0])).toEqual([
      { reason: 'upstream-timeout', status: 0, attempts: 1, failures: 1 },
    ]);
    expect(await byReason(channels[1])).toEqual([
      { reason: '', status: 0, attempts: 1, failures: 0 },
      { reason: 'unfinished', status: 0, attempts: 1, failures: 0 },
    ]);
  });

  it('adds what several writers count at the same time', async () => {
    const [channelId] = newChannels();
    const recorder = new AttemptRecorder(dataSource);
    const failed = { channelId, reason: 'upstream-rate-limited', status: 429 };
    await Promise.all(
      Array.from({ length: 8 }, () => recorder.write(totalsOf(NOON, failed, failed, { channelId }))),
    );
    expect(await byReason(channelId)).toEqual([
      { reason: '', status: 0, attempts: 8, failures: 0 },
      { reason: 'upstream-rate-limited', status: 429, attempts: 16, failures: 16 },
    ]);
  });

  it('holds no request of a caller and no client that left against a channel', async () => {
    const [channelId] = newChannels();
    await new AttemptRecorder(dataSource).write(
      totalsOf(
        NOON,
        { channelId, reason: 'upstream-request-rejected', status: 400 },
        { channelId, reason: 'upstream-request-rejected', status: 404 },
        { channelId, reason: 'client-gone' },
      ),
    );
    expect(await byReason(channelId)).toEqual([
      { reason: 'client-gone', status: 0, attempts: 1, failures: 0 },
      { reason: 'upstream-request-rejected', status: 400, attempts: 1, failures: 0 },
      { reason: 'upstream-request-rejected', status: 404, attempts: 1, failures: 1 },
    ]);
  });

  it('keeps the newest failure of a channel, whichever is written last', async () => {
    const [channelId] = newChannels();
    const recorder = new AttemptRecorder(dataSource);
    const at = (seconds: number, message: string) => ({
      channelId,
      reason: 'upstream-key-refused',
      status: 401,
      endedAtMs: seconds * 1_000,
      message,
    });
    await recorder.write(totalsOf(NOON, at(NOON + 5, 'newest')));
    await recorder.write(totalsOf(NOON, at(NOON, 'older')));
    expect((await statistics.newestFailures([channelId])).get(channelId)).toMatchObject({
      failedAtMs: (NOON + 5) * 1_000,
      message: 'newest',
    });
  });

  it('makes 24 hours of a channel, and reads the running hour again', async () => {
    const [channelId] = newChannels();
    const recorder = new AttemptRecorder(dataSource);
    const answered = (durationMs: number) => ({ channelId, durationMs });
    await recorder.write(
      totalsOf(NOON - 3_600, answered(80), answered(90), { channelId, reason: 'upstream-broken' }),
    );
    await recorder.write(totalsOf(NOON - 1_800, answered(85)));
    await recorder.write(totalsOf(NOON - 90_000, answered(80)));
    await recorder.write(totalsOf(NOON + 60, answered(900)));
    const clock = new FakeClock((NOON + 1_800) * 1_000);
    const reporter = new ChannelHealthReporter(statistics, clock);
    const first = await reporter.last24Hours();
    expect(first.since).toBe(NOON - 23 * 3_600);
    expect(first.countedSince).toBeLessThanOrEqual(NOON - 90_000);
    const own = first.lines.find((line) => line.channelId === channelId);
    expect(own?.attempts).toEqual([...Array.from({ length: 22 }, () => 0), 4, 1]);
    expect(own?.failures.slice(-2)).toEqual([1, 0]);
    expect(own?.medianMs.slice(-3)).toEqual([null, 75, 875]);
    await recorder.write(totalsOf(NOON + 1_860, answered(900)));
    clock.advance(120_000);
    const second = (await reporter.last24Hours()).lines.find((line) => line.channelId === channelId);
    expect(second?.attempts.slice(-2)).toEqual([4, 2]);
  });

  it('deletes sums that are older than StatisticsDays, and the failures of that time', async () => {
    const [channelId, other] = newChannels();
    const recorder = new AttemptRecorder(dataSource);
    const failed = { reason: 'upstream-timeout', endedAtMs: 1_000_000_000 };
    await recorder.write(totalsOf(1_000_000, { channelId, ...failed }));
    await recorder.write(totalsOf(NOON, { channelId: other }));
    const retention = new StatisticsRetention(
      statistics,
      { values: () => ({ StatisticsDays: 90 }) } as never,
      new SystemClock(),
    );
    expect(await retention.run()).toBe(1);
    expect(await byReason(channelId)).toEqual([]);
    expect(await byReason(other)).toHaveLength(1);
    expect((await statistics.newestFailures([channelId])).size).toBe(0);
  });
});
