import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aChannel, aChannelType, aHealthLine, aStatus, NOON } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { formatSeconds } from '../../shared/format/timestamp';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const FIGURES = {
  attempts: 294,
  failures: 88,
  billed_tokens: 171,
  first_token_p50_ms: null,
  first_token_p95_ms: null,
  duration_p50_ms: 67,
  duration_p95_ms: 240,
};
const FAILURE = {
  at: NOON,
  model: 'gpt-4o',
  reason: 'upstream-overloaded',
  status: 500,
  message: 'The server had an error',
};
const STATISTICS = {
  channel_id: 1,
  from: NOON - 1_800,
  to: NOON,
  bucket_seconds: 900,
  counted_since: NOON - 86_400,
  totals: FIGURES,
  series: [{ at: NOON - 900, ...FIGURES }],
  reasons: [
    { reason: 'upstream-overloaded', status: 500, attempts: 88, is_channel_failure: true },
    { reason: 'client-gone', status: 0, attempts: 3, is_channel_failure: false },
  ],
  models: [{ model: 'gpt-4o', ...FIGURES, first_token_p50_ms: 80, tokens_per_second: 61.25 }],
  last_failure: FAILURE,
  circuits: [{ model: 'gpt-4o', since: NOON - 60, retry_at: NOON + 60, keys: [1], workers: 1 }],
};

function pageApi(channel = aChannel(), statistics: object = STATISTICS): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/channel/1': { data: channel },
    'GET /api/channel/types': { data: [aChannelType()] },
    'GET /api/channel/health': {
      data: {
        since: NOON,
        bucket_seconds: 3_600,
        counted_since: NOON,
        channels: [aHealthLine({ attempts: [294], failures: [88] })],
      },
    },
    'GET /api/channel/health/1': { data: statistics },
  });
  return api;
}

describe('the page of a channel', () => {
  it('shows state, figures, reasons and models, and since when they count', async () => {
    renderConsole('/channel/1', pageApi());
    expect(await screen.findByRole('heading', { name: 'OpenAI main' })).toBeVisible();
    expect(await screen.findByText(/Counted since/)).toHaveTextContent(formatSeconds(NOON - 86_400));
    expect(await screen.findByText('Failing 30%')).toBeVisible();
    expect(screen.getByText('Tokens billed for failed attempts').parentElement).toHaveTextContent('171');
    expect(screen.getByText(/gpt-4o · 500 The server had an error/)).toBeVisible();
    expect(screen.getByText(/model gpt-4o · keys 2 · since/)).toBeVisible();
    const reasons = within(await screen.findByRole('table', { name: 'Failure reasons' }));
    expect(reasons.getAllByRole('row').map((row) => row.textContent)).toEqual([
      'ReasonStatusAttemptsShare',
      'The provider failed or is overloaded5008830%',
      'The client disconnected · not counted against the channel–31.0%',
    ]);
    const models = within(screen.getByRole('table', { name: 'Models' }));
    expect(models.getAllByRole('row').at(-1)).toHaveTextContent('gpt-4o29430%80 ms–67 ms240 ms61.3');
    expect(screen.getByText('No streamed responses in this period.')).toBeVisible();
    expect(await screen.findByRole('img', { name: '294 attempts, 88 of them failed' })).toBeVisible();
  });

  it('reads another period, and keeps it in the address', async () => {
    const { user } = renderConsole('/channel/1?period=week', pageApi());
    await user.click(await screen.findByRole('combobox', { name: 'Period' }));
    await user.click(await screen.findByRole('option', { name: '30 days' }));
    await waitFor(() => {
      const starts = api
        .made('GET /api/channel/health/1')
        .map(({ query }) => Number(query.get('start_timestamp')));
      expect((starts[0] ?? 0) - (starts.at(-1) ?? 0)).toBeGreaterThan(20 * 86_400);
    });
  });

  it('leads to the log of calls with a failed attempt', async () => {
    renderConsole('/channel/1', pageApi());
    expect(await screen.findByRole('link', { name: 'Calls with a failed attempt' })).toHaveAttribute(
      'href',
      '/log?channel=1&failed_attempt=1',
    );
  });

  it('shows each key of a channel with several, and which of them are left alone', async () => {
    const ring = {
      is_multi_key: true,
      multi_key_size: 2,
      multi_key_mode: 'random',
      multi_key_off: 1,
    } as const;
    pageApi(aChannel({ channel_info: ring })).answer({
      'POST /api/channel/multi_key/manage': {
        data: {
          keys: [
            { index: 0, status: 3, reason: 'Incorrect API key', time: NOON, hint: 'aaaa' },
            { index: 1, status: 1, reason: '', time: 0, hint: 'bbbb' },
          ],
          total: 2,
          page: 1,
          page_size: 1_000,
          enabled_count: 1,
          manual_disabled_count: 0,
          auto_disabled_count: 1,
          changed: 0,
        },
      },
    });
    renderConsole('/channel/1', api);
    const keys = within(await screen.findByRole('region', { name: 'Keys' }));
    const [first, second] = await keys.findAllByRole('listitem');
    expect(first).toHaveTextContent('Key 1…aaaaAuto-disabledIncorrect API key');
    expect(second).toHaveTextContent('Key 2…bbbbEnabledpaused');
  });

  it('shows that nothing was counted yet, and why a test failed', async () => {
    const failed = aChannel({ test_time: NOON, test_failure: 'no such key' });
    const totals = { ...FIGURES, attempts: 0, failures: 0 };
    const empty = { ...STATISTICS, totals, counted_since: null, last_failure: null, circuits: [] };
    renderConsole('/channel/1', pageApi(failed, empty));
    expect(await screen.findByText('No attempts in this period')).toBeVisible();
    expect(screen.getByText(/No attempts counted yet/)).toBeVisible();
    expect(screen.getByText(/Test failed: no such key/)).toBeVisible();
  });
});
