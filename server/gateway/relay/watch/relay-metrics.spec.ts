import { beforeEach, describe, expect, it } from '@jest/globals';
import { toQuota } from '../../../common/quota.js';
import { MetricsRegistry } from '../../../infra/observability/metrics-registry.js';
import type { Attempt, FinishedCall } from '../../../relay-core/model/call.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import { RelayMetrics } from './relay-metrics.js';

const ROUTE = '/v1/chat/completions';
const UNSERVED: RelayError = { kind: 'model-not-found', blame: 'caller', message: 'no' };
const BROKEN: RelayError = { kind: 'upstream-broken', blame: 'upstream', message: 'no' };
const LEFT: RelayError = { kind: 'client-gone', blame: 'caller', message: 'no' };

const attempt = (channelId: number, more: Partial<Attempt> = {}): Attempt => ({
  channelId,
  channelName: 'c',
  startedAtMs: 1_010,
  endedAtMs: 3_010,
  ...more,
});

const finished = (model: string, more: Partial<FinishedCall> = {}): FinishedCall =>
  ({
    shape: { operation: 'chat', model, stream: true },
    usage: { input: { total: 10 }, output: { total: 50 } },
    evidence: 'reported',
    outcome: 'ok',
    priced: toQuota(60),
    startedAtMs: 1_000,
    firstByteMs: 300,
    durationMs: 2_020,
    attempts: [attempt(1)],
    ...more,
  }) as FinishedCall;

describe('figures of the relay', () => {
  let figures: MetricsRegistry;
  let relay: RelayMetrics;
  beforeEach(() => {
    figures = new MetricsRegistry();
    relay = new RelayMetrics(figures);
  });

  const valueOf = async (name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> => {
    const base = name.replace(/_(count|sum)$/, '');
    const samples = await figures.samples(figures.describe().some((one) => one.name === name) ? name : base);
    return samples
      .filter((sample) => sample.name === name)
      .filter((sample) => Object.entries(labels).every(([label, text]) => sample.labels[label] === text))
      .reduce((sum, { value }) => sum + value, 0);
  };

  it('keeps made-up model names out of the labels, however many there are', async () => {
    for (let index = 0; index < 5_000; index += 1)
      relay.refused({ route: ROUTE, model: `made-up-${index}` }, UNSERVED);
    relay.answered(ROUTE, finished('gpt-4o'), undefined);
    relay.refused({ route: ROUTE, model: 'gpt-4o' }, BROKEN);
    const samples = await figures.samples('tollgate_calls_total');
    expect(samples.map(({ labels, value }) => [labels['model'], labels['outcome'], value])).toEqual([
      ['other', 'refused', 5_000],
      ['gpt-4o', 'ok', 1],
      ['gpt-4o', 'failed', 1],
    ]);
  });

  it('counts a call by the origin of its fault', async () => {
    relay.refused({ route: ROUTE, model: undefined }, UNSERVED);
    relay.refused({ route: ROUTE, model: 'm' }, BROKEN, [attempt(1, { failure: 'upstream-broken' })]);
    relay.refused({ route: ROUTE, model: 'm' }, LEFT);
    relay.answered(ROUTE, finished('m', { outcome: 'partial' }), BROKEN);
    for (const outcome of ['refused', 'failed', 'client_abort', 'partial'])
      expect([outcome, await valueOf('tollgate_calls_total', { outcome })]).toEqual([outcome, 1]);
    expect(await valueOf('tollgate_call_errors_total', { blame: 'upstream', kind: 'upstream-broken' })).toBe(
      2,
    );
  });

  it('times of a call, and of the channel that answered without the waiting before it', async () => {
    const attempts = [
      attempt(1, { startedAtMs: 1_010, endedAtMs: 1_200, failure: 'upstream-broken' }),
      attempt(2, { startedAtMs: 1_200, endedAtMs: 3_000 }),
    ];
    relay.answered(ROUTE, finished('m', { attempts, firstByteMs: 300 }), undefined);
    expect(await valueOf('tollgate_call_first_token_seconds_sum')).toBeCloseTo(0.3);
    expect(await valueOf('tollgate_call_seconds_sum')).toBeCloseTo(2.02);
    expect(await valueOf('tollgate_call_preparing_seconds_sum')).toBeCloseTo(0.01);
    expect(await valueOf('tollgate_upstream_first_token_seconds_sum', { channel: '2' })).toBeCloseTo(0.1);
    expect(await valueOf('tollgate_upstream_seconds_sum', { channel: '2' })).toBeCloseTo(1.8);
    expect(await valueOf('tollgate_upstream_seconds_count', { channel: '1' })).toBe(0);
    expect(
      await valueOf('tollgate_upstream_attempts_total', { channel: '1', outcome: 'upstream-broken' }),
    ).toBe(1);
  });

  it('counts reports above their bound by channel', async () => {
    relay.answered(ROUTE, finished('m', { channelId: 7, evidence: 'bounded' }), undefined);
    relay.answered(ROUTE, finished('m', { channelId: 8, evidence: 'reported' }), undefined);
    expect(await valueOf('tollgate_bounded_reports_total', { channel: '7' })).toBe(1);
    expect(await valueOf('tollgate_bounded_reports_total', { channel: '8' })).toBe(0);
    expect(await valueOf('tollgate_settlements_total', { evidence: 'bounded' })).toBe(1);
  });

  it('counts the tokens that channels bill for replies without content', async () => {
    const billed = attempt(7, {
      failure: 'upstream-malformed',
      billedUsage: { input: { total: 171 }, output: { total: 2 } },
    });
    const refusal = { kind: 'upstream-malformed', blame: 'upstream', message: 'empty' } as const;
    relay.refused({ route: ROUTE, model: 'm' }, refusal, [billed, billed]);
    relay.answered(ROUTE, finished('m', { attempts: [billed, attempt(8)] }), undefined);
    expect(await valueOf('tollgate_billed_empty_tokens_total', { channel: '7' })).toBe(519);
    expect(await valueOf('tollgate_billed_empty_tokens_total', { channel: '8' })).toBe(0);
  });

  it('a clock that was set back makes no time negative', async () => {
    relay.answered(
      ROUTE,
      finished('m', { attempts: [attempt(1, { startedAtMs: 900, endedAtMs: 100 })], firstByteMs: 0 }),
      undefined,
    );
    for (const name of ['tollgate_call_preparing_seconds_sum', 'tollgate_upstream_seconds_sum'])
      expect([name, await valueOf(name)]).toEqual([name, 0]);
  });

  it('counts calls under way up and down by route', async () => {
    relay.began(ROUTE);
    relay.began(ROUTE);
    relay.over(ROUTE);
    relay.streams.push(
      () => 3,
      () => 4,
    );
    expect(await valueOf('tollgate_calls_in_flight', { route: ROUTE })).toBe(1);
    expect(await valueOf('tollgate_streams_in_flight')).toBe(7);
  });
});
