import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { renderConsole } from '../../testing/render';
import { aSelf, aStatus } from '../../testing/builders';
import { FakeApi, pageOf } from '../../testing/fake-api';
import { startOfDay } from '../../shared/format/timestamp';

let api: FakeApi;
afterEach(() => api.stop());

const now = Math.floor(Date.now() / 1000);
const today = startOfDay(now);
const hour = (created_at: number, parts: object) => ({
  id: 1,
  user_id: 1,
  username: '',
  model_name: 'gpt-4o',
  created_at,
  token_used: 1_000,
  count: 2,
  quota: 250_000,
  ...parts,
});

function dashboardApi(): FakeApi {
  const sums = { data: { quota: 500_000, rpm: 1, tpm: 20 } };
  const rows = [hour(today, {}), hour(today, { model_name: 'o3', quota: 750_000, count: 1 })];
  api = new FakeApi({
    'GET /api/status': { data: aStatus({ data_export_default_time: 'day' }) },
    'GET /api/user/self': { data: aSelf() },
    'GET /api/log/self/stat': sums,
    'GET /api/log/self': pageOf([]),
    'GET /api/channel': { data: [{ id: 7, name: 'Upstream one', test_time: 0 }] },
    'GET /api/token': { data: [] },
    'GET /api/user/models': { data: [] },
    'GET /api/data/self': { data: [...rows, hour(today - 3_600, { count: 5 })] },
    'GET /api/data': { data: rows },
    'GET /api/data/users': {
      data: [
        hour(today, { username: 'ada', model_name: '' }),
        hour(today - 3_600, { username: 'bob', model_name: '' }),
      ],
    },
    'GET /api/channel/health': {
      data: {
        since: today,
        bucket_seconds: 3_600,
        channels: [{ channel_id: 7, success: [18, 1], errors: [0, 1], median_seconds: [1, null] }],
      },
    },
  });
  return api;
}

describe('dashboard', () => {
  it('has the figures of the chart as a table, largest first, with their share', async () => {
    dashboardApi();
    const { user } = renderConsole('/detail', api);
    const use = await screen.findByRole('region', { name: 'Use' });
    await user.click(await within(use).findByRole('button', { name: 'Table' }));
    const rows = within(await within(use).findByRole('table', { name: 'Use' })).getAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringContaining('Model'),
      'o3$1.5011,00075.0%',
      'gpt-4o$0.5021,00025.0%',
    ]);
    expect(within(use).getByText('$2.00')).toBeVisible();
  });

  it('shows administrators who spent most today and how the channels did', async () => {
    dashboardApi();
    renderConsole('/detail', api);
    const money = await screen.findByRole('table', { name: 'Who spent most today' });
    expect(within(money).getByRole('cell', { name: 'ada' })).toBeVisible();
    expect(within(money).queryByRole('cell', { name: 'bob' })).toBeNull();
    const health = await screen.findByRole('table', { name: 'Health, last 24 hours' });
    expect(within(health).getByRole('cell', { name: '95.0%' })).toBeVisible();
    expect(await within(health).findByRole('link', { name: 'Upstream one' })).toBeVisible();
  });

  it('counts a single call of the last minute in the singular', async () => {
    dashboardApi();
    renderConsole('/detail', api);
    expect(await screen.findByText('1 call, 20 tokens')).toBeVisible();
  });

  it('asks for one account, by its name in the address', async () => {
    dashboardApi();
    renderConsole('/detail?username=ada&span=month', api);
    await waitFor(() => expect(api.made('GET /api/data').at(-1)?.query.get('username')).toBe('ada'));
    const query = api.made('GET /api/data').at(-1)?.query;
    const [start, end] = ['start_timestamp', 'end_timestamp'].map((name) => Number(query?.get(name)));
    // Whole days: from the midnight before the last thirty to the end of this hour.
    expect(start).toBe(startOfDay(start ?? 0));
    expect((end ?? 0) - (start ?? 0)).toBeGreaterThanOrEqual(30 * 86_400 - 1);
    expect((end ?? 0) - (start ?? 0)).toBeLessThan(31 * 86_400);
    expect(query?.get('grain')).toBe('day');
  });

  it('asks ordinary users’ own figures only, and sets today against yesterday', async () => {
    dashboardApi();
    renderConsole('/detail', api, { role: 1 });
    expect(await screen.findByText('Calls today')).toBeVisible();
    expect(await screen.findByText('−2 against yesterday')).toBeVisible();
    expect(screen.queryByText('Health, last 24 hours')).toBeNull();
    expect(api.made('GET /api/data')).toEqual([]);
    expect(api.made('GET /api/channel/health')).toEqual([]);
  });
});
