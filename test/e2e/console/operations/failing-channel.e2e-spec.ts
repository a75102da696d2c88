import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  ChannelHealthView,
  ChannelStatisticsView,
} from '../../../../server/console/operations/dto/channel-health.dto.js';
import type { ChannelLatencyView } from '../../../../server/console/operations/dto/channel-latency.dto.js';
import { BEHAVIOURS } from '../../../support/fake-upstream-behaviours.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { RelayClient } from '../../../support/relay-client.js';
import { ShiftedClock } from '../../../support/shifted-clock.js';
import { type AlertsFixture, startAlertsFixture } from './alerts.fixture.ts';

const CALLS = 40;
/** Failures of ten calls. */
const FAILING = 3;

/** A channel that comes first and fails 30 % of its attempts; another one answers the calls. */
describe('a channel that fails behind retries', () => {
  let fixture: AlertsFixture;
  let flaky: FakeUpstream;
  let good: FakeUpstream;
  let flakyId: number;
  let lost: number;
  let admin: GatewayConsole;

  beforeAll(async () => {
    [flaky, good] = await Promise.all([FakeUpstream.start(), FakeUpstream.start()]);
    fixture = await startAlertsFixture({}, new ShiftedClock());
    admin = new GatewayConsole(fixture.app.url);
    await admin.signIn();
    await admin.setOptions({ ...FX_PRICES(['fx-shared', 'fx-lost']), RetryTimes: 1 });
    let calls = 0;
    flaky.on('fx-shared', (exchange) => {
      calls += 1;
      return BEHAVIOURS[calls % 10 < FAILING ? 'fx-error-500' : 'fx-quick']?.(exchange);
    });
    flaky.on('fx-lost', (exchange) => BEHAVIOURS['fx-error-500']?.(exchange));
    good.on('fx-shared', (exchange) => BEHAVIOURS['fx-quick']?.(exchange));
    flakyId = await admin.addChannel({
      name: 'flaky',
      base_url: flaky.url,
      models: ['fx-shared'],
      priority: 9,
    });
    await admin.addChannel({ name: 'good', base_url: good.url, models: ['fx-shared'] });
    lost = await admin.addChannel({ name: 'lost', base_url: flaky.url, models: ['fx-lost'] });
    const client = new RelayClient(fixture.app.url, (await admin.addToken()).key);
    for (let call = 0; call < CALLS; call += 1)
      expect((await client.chat('fx-shared', { stream: call % 2 === 0 })).status).toBe(200);
    for (let call = 0; call < 3; call += 1) expect((await client.chat('fx-lost')).status).toBe(500);
    client.close();
    await admin.waitFor(
      () => healthOf(flakyId),
      (line) => sum(line?.attempts) === CALLS,
    );
    await admin.waitFor(
      () => healthOf(lost),
      // Each call is tried twice: no other channel has the model.
      (line) => sum(line?.attempts) === 6,
    );
  });
  afterAll(async () => {
    await fixture.close();
    await Promise.all([flaky.close(), good.close()]);
  });

  const sum = (values: readonly number[] | undefined): number =>
    (values ?? []).reduce((all, one) => all + one, 0);
  const health = () => admin.send<ChannelHealthView>('GET', '/api/channel/health');
  const healthOf = async (id: number) => {
    // The report is read again every few seconds.
    fixture.clock.advance(5_000);
    return (await health()).channels.find((line) => line.channel_id === id);
  };

  it('shows every attempt in the health of channels, with the provider’s sentence', async () => {
    const line = await healthOf(flakyId);
    const failures = (CALLS / 10) * FAILING;
    expect([sum(line?.attempts), sum(line?.failures), sum(line?.errors)]).toEqual([
      CALLS,
      failures,
      failures,
    ]);
    expect(sum(line?.success)).toBe(CALLS - failures);
    expect(line?.last_failure).toMatchObject({
      model: 'fx-shared',
      reason: 'upstream-overloaded',
      status: 500,
    });
    expect(line?.last_failure?.message).not.toBe('');
    const median = line?.median_ms.at(-1) ?? line?.median_ms.at(-2);
    expect(median).toBeGreaterThan(0);
    expect((await health()).counted_since).toBeGreaterThan(1_700_000_000);
  });

  it('gives the page of a channel its attempts over time, times, reasons and models', async () => {
    const page = await admin.send<ChannelStatisticsView>('GET', `/api/channel/health/${flakyId}`);
    expect(page).toMatchObject({
      channel_id: flakyId,
      bucket_seconds: 900,
      totals: { attempts: CALLS, failures: 12 },
      reasons: [{ reason: 'upstream-overloaded', status: 500, attempts: 12, is_channel_failure: true }],
      models: [{ model: 'fx-shared', attempts: CALLS, failures: 12 }],
      last_failure: { status: 500 },
    });
    expect(sum(page.series.map(({ attempts }) => attempts))).toBe(CALLS);
    expect(page.totals.first_token_p95_ms).toBeGreaterThanOrEqual(page.totals.first_token_p50_ms ?? Infinity);
    const longer = `start_timestamp=${page.to - 30 * 86_400}`;
    expect(await admin.send('GET', `/api/channel/health/${flakyId}?${longer}`)).toMatchObject({
      bucket_seconds: 21_600,
      totals: { attempts: CALLS },
    });
    await expect(admin.send('GET', '/api/channel/health/9999')).rejects.toThrow();
  });

  it('compares the times of a model at each channel, beside its price', async () => {
    const latency = await admin.send<ChannelLatencyView>('GET', '/api/channel/latency');
    expect(latency.rows.map(({ model, channel_name: name, attempts }) => [model, name, attempts])).toEqual([
      ['fx-shared', 'flaky', CALLS],
      ['fx-shared', 'good', 12],
      ['fx-lost', 'lost', 6],
    ]);
    expect(latency.total).toBe(3);
    expect(latency.counted_since).toBeGreaterThan(1_700_000_000);
    const [first, , failed] = latency.rows;
    expect(first).toMatchObject({ channel_id: flakyId, failures: 12, price_per_call: null });
    expect(first?.first_token_p95_ms).toBeGreaterThanOrEqual(first?.first_token_p50_ms ?? Infinity);
    expect(first?.price_input).toBeGreaterThan(0);
    expect(failed).toMatchObject({
      first_token_p50_ms: null,
      duration_p95_ms: null,
      tokens_per_second: null,
    });
    const before = `start_timestamp=${latency.from - 86_400}&end_timestamp=${latency.from - 1}`;
    expect(await admin.send('GET', `/api/channel/latency?${before}`)).toMatchObject({ total: 0, rows: [] });
  });

  it('counts the attempts of calls that failed for good', async () => {
    const page = await admin.send<ChannelStatisticsView>('GET', `/api/channel/health/${lost}`);
    expect(page).toMatchObject({ totals: { attempts: 6, failures: 6 }, last_failure: { model: 'fx-lost' } });
  });

  it('finds calls with a failed attempt in the log, answered or not', async () => {
    const ofLog = (query: string) =>
      admin.send<{ total: number }>('GET', `/api/log/?p=1&page_size=10&${query}`);
    expect((await ofLog('failed_attempt=1')).total).toBe(15);
    expect((await ofLog('failed_attempt=1&type=2')).total).toBe(12);
    expect((await ofLog('type=2')).total).toBe(CALLS);
  });

  it('appears on the status page and in an alert at the next check', async () => {
    await fixture.look();
    const finding = (await fixture.status()).findings.find(
      ({ rule, subject }) => rule === 'channel-failing' && subject === String(flakyId),
    );
    expect(finding?.title).toBe(`Channel flaky #${flakyId} fails 30 % of its attempts`);
    expect((await fixture.alerts()).map(({ rule, subject }) => `${rule} ${subject}`)).toEqual(
      expect.arrayContaining([`channel-failing ${flakyId}`, `channel-failing ${lost}`]),
    );
    expect(fixture.told()).toContain('alert_channel-failing');
  });
});
