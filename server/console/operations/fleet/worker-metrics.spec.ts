import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { MetricsRegistry, type Sample } from '../../../infra/observability/metrics-registry.js';
import { WorkerMetrics } from './worker-metrics.js';

const MINUTE_MS = 60_000;
const START = 28_333_333 * MINUTE_MS;

describe('WorkerMetrics', () => {
  let clock: FakeClock;
  let figures: MetricsRegistry;
  let metrics: WorkerMetrics;
  let calls: number;
  let errors: readonly Sample[];

  beforeEach(() => {
    clock = new FakeClock(START);
    figures = new MetricsRegistry();
    [calls, errors] = [0, []];
    figures.sum('tollgate_calls_total', 'calls', () => calls);
    figures.sum('tollgate_call_errors_total', 'errors', () => errors, ['kind', 'blame']);
    metrics = new WorkerMetrics(figures, clock);
  });
  const look = (lagMs = 0) => metrics.finishedMinutes(lagMs);

  it('sums and compares the samples of a metric; without any there is no value', async () => {
    figures.gauge(
      'tollgate_gauge',
      'g',
      () => [
        { labels: { a: '1' }, value: 2 },
        { labels: { a: '2' }, value: 5 },
      ],
      ['a'],
    );
    expect([await metrics.read('tollgate_gauge'), await metrics.largest('tollgate_gauge')]).toEqual([7, 5]);
    expect([await metrics.read('tollgate_x'), await metrics.largest('tollgate_x')]).toEqual([null, null]);
  });

  it('reports the calls of each finished minute, not since the start', async () => {
    calls = 100;
    await look();
    calls = 107;
    expect(await look()).toEqual([]);
    clock.advance(MINUTE_MS);
    expect(await look()).toEqual([
      expect.objectContaining({ minute: START / MINUTE_MS, calls: 7, errors: 0 }),
    ]);
    calls = 110;
    clock.advance(MINUTE_MS);
    expect((await look()).map((minute) => minute.calls)).toEqual([7, 3]);
  });

  it('counts no fault of a caller, and no client that left', async () => {
    await look();
    errors = [
      { labels: { kind: 'upstream-timeout', blame: 'upstream' }, value: 2 },
      { labels: { kind: 'internal', blame: 'gateway' }, value: 1 },
      { labels: { kind: 'invalid-request', blame: 'caller' }, value: 8 },
      { labels: { kind: 'client-gone', blame: '' }, value: 16 },
    ];
    clock.advance(MINUTE_MS);
    expect((await look())[0]?.errors).toBe(3);
  });

  it('reports the longest lag of the minute', async () => {
    await look(10);
    await look(90);
    await look(20);
    clock.advance(MINUTE_MS);
    expect((await look(5))[0]?.settlementLagMs).toBe(90);
    clock.advance(MINUTE_MS);
    expect((await look(1))[1]?.settlementLagMs).toBe(5);
  });

  it('reports the channels with bounded reports, beside their calls of the last hour', async () => {
    const bounded = figures.counter('tollgate_bounded_reports_total', 'bounded', ['channel']);
    const attempts = figures.counter('tollgate_upstream_attempts_total', 'tries', [
      'channel',
      'model',
      'outcome',
    ]);
    attempts.add(40, '7', 'm', 'ok');
    await look();
    expect(await metrics.boundedReports()).toEqual([]);
    clock.advance(MINUTE_MS);
    await look();
    attempts.add(9, '7', 'm', 'ok');
    attempts.add(1, '7', 'other', 'upstream-broken');
    attempts.add(5, '8', 'm', 'ok');
    bounded.add(2, '7');
    const first = { channelId: 7, bounded: 2, calls: 50, sinceMs: START + MINUTE_MS };
    expect(await metrics.boundedReports()).toEqual([first]);
    for (let minute = 0; minute < 60; minute += 1) {
      clock.advance(MINUTE_MS);
      await look();
      if (minute === 0) expect(await metrics.boundedReports()).toEqual([first]);
    }
    expect(await metrics.boundedReports()).toEqual([]);
    bounded.add(1, '7');
    attempts.add(4, '7', 'm', 'ok');
    expect(await metrics.boundedReports()).toEqual([
      { channelId: 7, bounded: 1, calls: 4, sinceMs: START + 61 * MINUTE_MS },
    ]);
  });

  it('reports the number of first tokens within each bound', async () => {
    const seconds = figures.histogram('tollgate_call_first_token_seconds', 'first token', [0.5, 1]);
    seconds.observe(0.2);
    await look();
    for (const value of [0.2, 0.7, 0.8, 4]) seconds.observe(value);
    clock.advance(MINUTE_MS);
    expect((await look())[0]?.firstTokens).toEqual({ '0.5': 1, '1': 2, '+Inf': 1 });
  });
});
