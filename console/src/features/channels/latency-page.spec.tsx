import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { formatSeconds } from '../../shared/format/timestamp';
import { aStatus, NOON } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { aLatencyRow } from '../../testing/latency-row';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const ROWS = [
  aLatencyRow(),
  aLatencyRow({
    channel_id: 2,
    channel_name: '',
    model: 'dall-e-3',
    attempts: 12,
    first_token_p50_ms: null,
    first_token_p95_ms: null,
    duration_p95_ms: 900,
    tokens_per_second: null,
    price_input: null,
    price_output: null,
    price_per_call: 0.04,
  }),
];

function pageApi(parts: object = {}): FakeApi {
  const data = {
    from: NOON - 86_400,
    to: NOON,
    counted_since: NOON - 86_400,
    total: 2,
    rows: ROWS,
    ...parts,
  };
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/channel/latency': { data },
  });
  return api;
}

const table = async () => within(await screen.findByRole('table', { name: 'Models by channel' }));
const models = async () =>
  (await table())
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent);

describe('the latency page', () => {
  it('shows times and speed of each model at each channel against its price, and since when they count', async () => {
    renderConsole('/latency', pageApi());
    const rows = (await table()).getAllByRole('row').map((row) => row.textContent);
    expect(rows.slice(1)).toEqual([
      'gpt-4oOpenAI main29480 ms240 ms1.50 s4.00 s61.3$2.50$10.00Calls',
      'dall-e-3#212––1.50 s900 ms–$0.04 per call–Calls',
    ]);
    expect(screen.getByText(/Counted since/)).toHaveTextContent(formatSeconds(NOON - 86_400));
    expect(screen.getByText(/Prices per 1M tokens, before the group factor/)).toBeVisible();
  });

  it('sorts by a heading, and turns round on a second press', async () => {
    const { user } = renderConsole('/latency', pageApi());
    expect(await models()).toEqual(['gpt-4o', 'dall-e-3']);
    const heading = (await table()).getByRole('button', { name: 'Duration p95' });
    await user.click(heading);
    expect(await models()).toEqual(['dall-e-3', 'gpt-4o']);
    const cell = (await table()).getByRole('columnheader', { name: 'Duration p95' });
    expect(cell).toHaveAttribute('aria-sort', 'ascending');
    await user.click(heading);
    expect(await models()).toEqual(['gpt-4o', 'dall-e-3']);
  });

  it('narrows by a name, and keeps it in the address', async () => {
    const { user, router } = renderConsole('/latency', pageApi());
    await user.type(await screen.findByRole('searchbox', { name: 'Model or channel' }), 'DALL{Enter}');
    await waitFor(async () => expect(await models()).toEqual(['dall-e-3']));
    expect(router.state.location.search).toBe('?keyword=DALL');
  });

  it('reads another period', async () => {
    const { user } = renderConsole('/latency', pageApi());
    await user.click(await screen.findByRole('combobox', { name: 'Period' }));
    await user.click(await screen.findByRole('option', { name: '7 days' }));
    await waitFor(() => {
      const starts = api
        .made('GET /api/channel/latency')
        .map(({ query }) => Number(query.get('start_timestamp')));
      expect((starts[0] ?? 0) - (starts.at(-1) ?? 0)).toBeGreaterThan(5 * 86_400);
    });
  });

  it('leads from a row to its log lines and to its channel', async () => {
    renderConsole('/latency?period=week', pageApi());
    expect(await screen.findByRole('link', { name: 'Calls of gpt-4o at OpenAI main' })).toHaveAttribute(
      'href',
      '/log?channel=1&model_name=gpt-4o&range=week',
    );
    expect(screen.getByRole('link', { name: '#2' })).toHaveAttribute('href', '/channel/2');
  });

  it('shows how many rows are left out, and that nothing was counted', async () => {
    const { user } = renderConsole('/latency', pageApi({ total: 612 }));
    expect(await screen.findByText(/^The 2 of 612 pairs/)).toBeVisible();
    api.answer({
      'GET /api/channel/latency': {
        data: { from: NOON, to: NOON, counted_since: null, total: 0, rows: [] },
      },
    });
    await user.click(await screen.findByRole('combobox', { name: 'Period' }));
    await user.click(await screen.findByRole('option', { name: '30 days' }));
    expect(await screen.findByText('No attempts in this period')).toBeVisible();
    expect(screen.getByText(/No attempts counted yet/)).toBeVisible();
  });
});
