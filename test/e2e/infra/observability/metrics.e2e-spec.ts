import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { FakeUpstream } from '../../../support/fake-upstream.ts';
import { GatewayConsole } from '../../../support/gateway-console.ts';
import { FX_MESSAGES, RelayClient } from '../../../support/relay-client.ts';
import { MetricsRegistry } from '../../../../server/infra/observability/metrics-registry.js';
import { MetricsServer } from '../../../../server/infra/observability/metrics-server.js';
import { readExposition, type Scrape } from './read-exposition.ts';

const TOKEN = 'scrape-token-of-a-test';

describe('GET /metrics', () => {
  let upstream: FakeUpstream;
  let running: TestApp;
  let client: RelayClient;
  let channelId: number;
  let address: string;

  const scrape = async (): Promise<Scrape> => {
    const response = await fetch(address, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    return readExposition(await response.text());
  };

  beforeAll(async () => {
    upstream = await FakeUpstream.start();
    running = await startTestApp({ env: { METRICS_PORT: '0', METRICS_TOKEN: TOKEN } });
    address = `http://127.0.0.1:${running.app.get(MetricsServer, { strict: false }).port}/metrics`;
    const console = new GatewayConsole(running.url);
    await console.setUp();
    await console.setOptions({ ModelRatio: { 'fx-std': 1, 'fx-error-500': 1 }, RetryTimes: 0 });
    channelId = await console.addChannel({ base_url: upstream.url, models: ['fx-std', 'fx-error-500'] });
    const { key } = await console.addToken();
    client = new RelayClient(running.url, key);
  });

  afterAll(async () => {
    client?.close();
    await running?.close();
    await upstream?.close();
  });

  it('answers only a caller with the token, and with metrics alone', async () => {
    const statusOf = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
      (await fetch(new URL(path, address), { headers })).status;
    expect(await statusOf('/metrics')).toBe(401);
    expect(await statusOf('/metrics', { authorization: 'Bearer another-token-of-16' })).toBe(401);
    expect(await statusOf('/', { authorization: `Bearer ${TOKEN}` })).toBe(404);
    expect(await statusOf('/metrics?x=1', { authorization: `Bearer ${TOKEN}` })).toBe(200);
    expect((await fetch(address, { method: 'POST' })).status).toBe(404);
  });

  it('counts calls by route, model and how they ended, attempts by channel, tokens and money', async () => {
    const ask = (model: string, stream = false) =>
      client.ask({ body: { model, messages: FX_MESSAGES, stream } });
    const before = await scrape();
    expect((await ask('fx-std', true)).status).toBe(200);
    expect((await ask('fx-std')).status).toBe(200);
    expect((await ask('fx-error-500')).status).toBeGreaterThanOrEqual(500);
    expect((await ask('somebody-made-this-up')).status).toBeGreaterThanOrEqual(400);
    const stranger = new RelayClient(running.url, 'sk-nobody');
    await stranger.ask({ body: { model: 'fx-std', messages: FX_MESSAGES } });
    stranger.close();
    const after = await scrape();
    const grown = (name: string, labels: Record<string, string>): number =>
      after.value(name, labels) - before.value(name, labels);

    const route = '/v1/chat/completions';
    expect(grown('tollgate_calls_total', { route, model: 'fx-std', outcome: 'ok' })).toBe(2);
    expect(grown('tollgate_calls_total', { route, model: 'fx-error-500', outcome: 'failed' })).toBe(1);
    expect(grown('tollgate_calls_total', { route, model: 'other' })).toBe(2);
    expect(grown('tollgate_call_errors_total', { blame: 'caller', kind: 'unauthenticated' })).toBe(1);
    expect(grown('tollgate_call_errors_total', { blame: 'upstream', kind: 'upstream-overloaded' })).toBe(1);
    expect(grown('tollgate_call_seconds_count', { route, model: 'fx-std' })).toBe(2);
    expect(grown('tollgate_call_first_token_seconds_count', { route, model: 'fx-std' })).toBe(2);
    expect(grown('tollgate_call_preparing_seconds_count', {})).toBe(2);
    const channel = String(channelId);
    expect(grown('tollgate_upstream_attempts_total', { channel, outcome: 'ok' })).toBe(2);
    expect(grown('tollgate_upstream_attempts_total', { channel, outcome: 'upstream-overloaded' })).toBe(1);
    expect(grown('tollgate_upstream_seconds_count', { channel })).toBe(2);
    expect(grown('tollgate_tokens_total', { model: 'fx-std', direction: 'input' })).toBe(20);
    expect(grown('tollgate_tokens_total', { model: 'fx-std', direction: 'output' })).toBe(100);
    expect(grown('tollgate_charged_quota_total', { model: 'fx-std' })).toBe(120);
    expect(grown('tollgate_settlements_total', { evidence: 'reported' })).toBe(2);
    expect(after.value('tollgate_calls_in_flight', { route })).toBe(0);
  });

  it('shows running calls, and their holds', async () => {
    const open = upstream.holdAnswers();
    const seen = upstream.journal.length;
    const answer = client.chat('fx-std');
    await upstream.waitUntil(({ journal }) => journal.length > seen);
    const during = await scrape();
    expect(during.value('tollgate_calls_in_flight', {})).toBe(1);
    expect(during.value('tollgate_holds', {})).toBe(1);
    expect(during.value('tollgate_held_quota', {})).toBeGreaterThan(0);
    open();
    await answer;
    expect((await scrape()).value('tollgate_calls_in_flight', {})).toBe(0);
  });

  it('counts settlements, sign-ins, refusals of the console and of the outbound policy', async () => {
    const before = await scrape();
    await client.chat('fx-std');
    await fetch(`${running.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'root', password: 'quite another one' }),
    });
    let after = await scrape();
    const booked = (): number =>
      after.value('tollgate_settlement_lag_seconds_count', {}) -
      before.value('tollgate_settlement_lag_seconds_count', {});
    while (booked() < 1 || after.value('tollgate_spool_unbooked_records', {}) > 0) after = await scrape();
    expect(after.value('tollgate_spool_unbooked_records', {})).toBe(0);
    expect(after.value('tollgate_audit_entries_total', { action: 'login.fail' })).toBe(1);
    const login = { route: '/api/user/login', method: 'POST' };
    expect(after.value('tollgate_console_requests_total', { ...login, outcome: 'refused' })).toBe(1);
    expect(after.value('tollgate_console_requests_total', { ...login, outcome: 'ok' })).toBe(1);
    expect(after.value('tollgate_console_request_seconds_count', {})).toBeGreaterThan(2);
    expect(after.value('tollgate_console_refusals_total', {})).toBeGreaterThan(0);
    expect(after.value('tollgate_holds', {})).toBe(0);
    expect(after.value('tollgate_held_quota', {})).toBe(0);
    expect(after.value('tollgate_channels', { status: 'enabled' })).toBe(1);
    expect(after.value('tollgate_shared_store_up', {})).toBe(1);
    expect(after.value('tollgate_upstream_connections', { state: 'busy' })).toBe(0);
    expect(after.value('tollgate_degraded_mode', { mode: 'spool-full' })).toBe(0);
    expect(after.value('tollgate_build_info', {})).toBe(1);
  });

  it('every sample has the labels its figure declares, every name the form of the format', async () => {
    const figures = running.app.get(MetricsRegistry, { strict: false });
    for (const { name, labelNames } of figures.describe()) {
      for (const { labels } of await figures.samples(name))
        expect([name, Object.keys(labels).filter((label) => label !== 'le')]).toEqual([name, labelNames]);
    }
    const { samples } = await scrape();
    for (const { name, labels } of samples) {
      expect(name).toMatch(/^tollgate_[a-z0-9_]+$/);
      expect(labels['worker']).toBe('0');
    }
  });
});
