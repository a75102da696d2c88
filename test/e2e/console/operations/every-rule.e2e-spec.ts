import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DegradedModes } from '../../../../server/infra/observability/degraded-modes.js';
import { JobRunner } from '../../../../server/infra/schedule/job-runner.js';
import { ChannelCircuitBreaker } from '../../../../server/gateway/channels/state/channel-circuit-breaker.js';
import { AttemptRecorder } from '../../../../server/base/channel-statistics/attempt-recorder.js';
import { AttemptTotals } from '../../../../server/base/channel-statistics/attempt-totals.js';
import { AlertEvaluator } from '../../../../server/console/operations/alerts/alert-evaluator.js';
import { AlertJobAlarm } from '../../../../server/console/operations/alerts/alert-job-alarm.js';
import { BooksCheckEntity } from '../../../../server/console/operations/money-check/books-check.entity.js';
import { WorkerReports } from '../../../../server/console/operations/fleet/worker-reports.js';
import { RULES } from '../../../../server/console/operations/model/finding.js';
import { StatusMinuteEntity } from '../../../../server/console/operations/fleet/status-minute.entity.js';
import { ChannelOutages } from '../../../../server/gateway/channels/routing/channel-outages.js';
import { ChannelEntity } from '../../../../server/gateway/channels/state/channel.entity.js';
import { TopUpEntity } from '../../../../server/console/wallet/orders/top-up.entity.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';
import { aReport } from '../../../support/observations.ts';
import { ShiftedClock } from '../../../support/shifted-clock.ts';
import { type AlertsFixture, startAlertsFixture } from './alerts.fixture.ts';

const HOUR_MS = 3_600_000;
/** Reported without the alert job, which cannot read the database then. */
const NOTIFIED_ELSEWHERE = 'database-away';

describe.each(DATABASE_KINDS)('the alert job on %s', (kind) => {
  let database: TestDatabase;
  let fixture: AlertsFixture;

  beforeEach(async () => {
    database = await createTestDatabase(kind);
    fixture = await startAlertsFixture({ DATABASE_URL: database.url }, new ShiftedClock());
  });
  afterEach(async () => {
    await fixture.close();
    await database.drop();
  });

  const part = <T>(type: new (...parts: never[]) => T): T => fixture.app.app.get<T>(type, { strict: false });

  const differ = (): Promise<unknown> =>
    fixture.app.dataSource.getRepository(BooksCheckEntity).insert({
      startedAtMs: fixture.clock.nowMs(),
      endedAtMs: fixture.clock.nowMs(),
      differences: 2,
      detail: '[]',
    });

  const openRules = async (): Promise<string[]> => {
    const page = await fixture.root.expectSuccess('GET', '/api/operations/alerts?state=open&page_size=100');
    return (page as { items: readonly { rule: string }[] }).items.map(({ rule }) => rule);
  };

  const publish = (report: Parameters<typeof aReport>[0]): Promise<void> => {
    const nowMs = fixture.clock.nowMs() + 0.61;
    const times = { startedAtMs: nowMs - HOUR_MS, atMs: nowMs };
    return part(WorkerReports).publish(aReport({ host: 'web-9', instance: 'ffffffff', ...times, ...report }));
  };

  /** Workers of other machines whose every figure has parts, as clocks and divisions give them. */
  const otherWorkersSay = async (): Promise<void> => {
    const nowMs = fixture.clock.nowMs() + 0.61;
    const minute = Math.floor(nowMs / 60_000) - 3;
    await publish({
      bootId: 'ill',
      version: '0.0.1',
      eventLoopDelayMs: 4_000.5,
      revision: { number: 0, sinceMs: nowMs - HOUR_MS },
      money: { spoolRecords: 3, spoolOldestSeconds: 900.123, settlementLagMs: 90_000.5, holds: 1 },
      database: {
        isUp: false,
        latencyMs: 1.5,
        clockOffsetMs: 200_000.25,
        connectionsUsed: 1,
        connectionsWaiting: 0,
      },
      breakers: [{ name: 'redis', sinceMs: nowMs - HOUR_MS }],
      restingChannels: [{ channelId: 77, model: 'm', sinceMs: nowMs - HOUR_MS, untilMs: nowMs, keys: [] }],
      boundedReports: [{ channelId: 77, bounded: 1, calls: 100, sinceMs: nowMs - HOUR_MS }],
      degraded: [{ mode: 'settlements-waiting', sinceMs: nowMs - HOUR_MS, cause: 'waits' }],
      minutes: [
        {
          minute,
          calls: 3,
          errors: 0,
          firstTokens: {},
          settlementLagMs: 12.75,
          writeoffQuota: 0,
          overrunCalls: 0,
          overrunQuota: 0,
        },
      ],
    });
  };

  const addTroubles = async (): Promise<void> => {
    const { dataSource } = fixture.app;
    await fixture.set({ AlertChannelBalance: 5, AlertWriteoffQuota: 1, AlertErrorRatePercent: 2 });
    await differ();
    const nowSeconds = Math.floor(fixture.clock.nowMs() / 1_000);
    const channels = dataSource.getRepository(ChannelEntity);
    for (const [name, state] of [
      ['poor', { status: 1, balance: 1.25, balanceUpdatedTime: nowSeconds }],
      [
        'fallen',
        {
          status: 3,
          otherInfo: JSON.stringify({ status_reason: 'x', status_time: nowSeconds - 7_200 }),
        },
      ],
    ] as const) {
      const made = { name, type: 1, key: 'sk-1', models: `model-of-${name}`, group: 'default' };
      await fixture.root.expectSuccess('POST', '/api/channel/', made);
      await channels.update({ name }, state);
    }
    await dataSource.query("UPDATE abilities SET enabled = FALSE WHERE model = 'model-of-fallen'");
    const orders = dataSource.getRepository(TopUpEntity);
    const order = { userId: 1, tradeNo: 't-1', provider: 'epay', status: 'mismatch', createTime: nowSeconds };
    await orders.insert(orders.create({ ...order, quotaToCredit: 5, moneyMinor: 100, currency: 'CNY' }));
    const last = Math.floor(fixture.clock.nowMs() / 60_000) - 1;
    for (const ago of [5, 4, 3, 2, 1, 0]) {
      const row = { minute: last - ago, calls: 100, errors: 50, settlementLagMs: 10, writeoffQuota: 500 };
      const overrun = { overrunCalls: 1, overrunQuota: 500 };
      await dataSource.getRepository(StatusMinuteEntity).insert({ ...row, ...overrun, workers: 1 });
    }
    // Nothing listens there.
    await fixture.set({ SMTPPort: 1 });
    await fixture.root.post('/api/option/test_mail', { to: 'x@example.test' });
    const turn = await part(JobRunner).begin('some-job');
    if (turn === null) throw new Error('the job is free');
    await part(JobRunner).finish(turn, 'it broke');
    await fixture.app.dataSource.query(
      `UPDATE jobs SET ended_at_ms = ended_at_ms - ${2 * HOUR_MS} WHERE name = 'some-job'`,
    );
    const totals = new AttemptTotals();
    const failed = {
      channelId: 77,
      reason: 'upstream-timeout',
      status: 504,
      endedAtMs: fixture.clock.nowMs(),
    };
    totals.add('m', fixture.clock.nowMs(), [failed, failed, failed]);
    await part(AttemptRecorder).write(totals);
    part(DegradedModes).set('event-loop-slow', 'it is slow');
    part(ChannelCircuitBreaker).openNow({ channelId: 78, model: 'm' });
    part(ChannelCircuitBreaker).openForRetryAfter({ channelId: 79, model: '' }, 200_000);
    for (const bootId of ['s1', 's2', 's3', 's4']) await publish({ bootId, instance: 'abababab' });
    await publish({ bootId: 'silent', instance: 'cdcdcdcd' });
    await publish({ bootId: 'half-1', instance: 'efefefef', worker: 1 });
    await dataSource.query(`UPDATE worker_reports SET last_seen_ms = last_seen_ms - ${HOUR_MS}
      WHERE boot_id IN ('silent', 'half-1')`);
  };

  it('stores the findings of every rule, with clocks that count parts of a millisecond', async () => {
    await addTroubles();
    // Error rates are of the last minutes, the rest has to last.
    await otherWorkersSay();
    await fixture.look(0);
    const early = await openRules();
    await fixture.app.dataSource.query(`UPDATE worker_reports SET started_at_ms = started_at_ms - ${HOUR_MS}
      WHERE boot_id = 'ill'`);
    for (const step of [90_000, 90_000, HOUR_MS]) {
      fixture.clock.advance(step);
      await publish({ bootId: 'half-0', instance: 'efefefef', startedAtMs: 0.5 });
      await otherWorkersSay();
      await fixture.look(0);
    }
    const written = new Set([...early, ...(await openRules())]);
    expect(RULES.filter((rule) => !written.has(rule))).toEqual([NOTIFIED_ELSEWHERE]);
  });

  it('continues after a finding that cannot be stored and a source that cannot be read, and fails at the end', async () => {
    await differ();
    part(DegradedModes).set('safe-mode', 'SAFE_MODE is set');
    fixture.clock.advance(70_000);
    const outages = part(ChannelOutages);
    const modelsOut = outages.modelsOut.bind(outages);
    outages.modelsOut = () => Promise.resolve([{ model: `${'m'.repeat(60)}\u0000`, sinceMs: Number.NaN }]);
    await fixture.set({ AlertChannelBalance: 5 });
    outages.lowBalances = () => Promise.reject(new Error('no such column'));
    await expect(fixture.look()).rejects.toThrow(/channel-balance.*no such column/);
    expect((await openRules()).sort()).toEqual(['books-differ', 'degraded-mode']);
    expect(fixture.told().sort()).toEqual(['alert_books-differ', 'alert_degraded-mode']);
    outages.modelsOut = modelsOut;
  });

  it('does not end what a source that cannot be read found before', async () => {
    const outages = part(ChannelOutages);
    outages.modelsOut = () => Promise.resolve([{ model: 'm', sinceMs: fixture.clock.nowMs() - HOUR_MS }]);
    await fixture.look();
    outages.modelsOut = () => Promise.reject(new Error('no such column'));
    await expect(fixture.look()).rejects.toThrow('no such column');
    expect(await openRules()).toEqual(['model-out']);
    outages.modelsOut = () => Promise.resolve([]);
    await fixture.look();
    expect(await openRules()).toEqual([]);
  });

  it('causes an alert without itself when it fails or stands still, and one more when it runs again', async () => {
    const alarm = part(AlertJobAlarm);
    const evaluator = part(AlertEvaluator);
    const jobs = part(JobRunner);
    const end = async (fault: string | null): Promise<void> => {
      const turn = await jobs.begin('alerts');
      if (turn === null) throw new Error('the job is free');
      await jobs.finish(turn, fault);
    };
    await end('column takes no parts');
    await alarm.look();
    expect(fixture.told()).toEqual([]);
    fixture.clock.advance(61_000);
    await alarm.look();
    await alarm.look();
    expect(fixture.told()).toEqual(['alert_job-failed']);
    expect(fixture.hook.calls[0]?.body).toContain('column takes no parts');
    // The job sees its own failure too, and must not send it a second time.
    await evaluator.run();
    expect(fixture.told()).toEqual(['alert_job-failed']);
    await end(null);
    await alarm.look();
    expect(fixture.told()).toEqual(['alert_job-failed', 'alert_job-failed_over']);
    await fixture.app.dataSource.query(
      `UPDATE jobs SET started_at_ms = started_at_ms - 400000, outcome = 'running' WHERE name = 'alerts'`,
    );
    await alarm.look();
    // The right to send the last one has expired by then.
    fixture.clock.advance(16 * 60_000);
    await alarm.look();
    expect(fixture.told().slice(2)).toEqual(['alert_job-failed']);
    expect(fixture.hook.calls[2]?.body).toContain('has not run for 6 min');
  });
});
