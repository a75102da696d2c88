import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { renderConsole } from '../../testing/render';
import { aHealthLine, aSelf, aStatus, aToken, NOON } from '../../testing/builders';
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

const UTC_DAY = now - (now % 86_400);
const USED = { created_at: today, token_used: 900, count: 3, quota: 250_000 };
const FIGURES = {
  attempts: 40,
  failures: 10,
  first_token_p50_ms: 210,
  first_token_p95_ms: 900,
  duration_p50_ms: 1_200,
  duration_p95_ms: 4_000,
};
const ATTEMPTS = {
  counted_since: NOON,
  total: FIGURES,
  series: [{ created_at: today, ...FIGURES }],
  lines: [{ reference: 7, name: 'Upstream one', ...FIGURES }],
};

const RECENT = {
  id: 9,
  created_at: today,
  token_name: 'laptop',
  quota: 20,
  use_time: 1,
  is_stream: false,
  request_id: null,
};

function dashboardApi(): FakeApi {
  const sums = { data: { quota: 500_000, rpm: 1, tpm: 20 } };
  const rows = [hour(today, {}), hour(today, { model_name: 'o3', quota: 750_000, count: 1 })];
  api = new FakeApi({
    'GET /api/status': { data: aStatus({ data_export_default_time: 'day' }) },
    'GET /api/user/self': { data: aSelf() },
    'GET /api/log/self/stat': sums,
    'GET /api/log/stat': sums,
    'GET /api/data/attempts': { data: ATTEMPTS },
    'GET /api/data/warnings': { data: [] },
    'GET /api/data/channels': {
      data: {
        counted_since: today,
        rows: [{ reference: 7, name: 'Upstream one', username: '', ...USED }],
      },
    },
    'GET /api/data/self/tokens': {
      data: { counted_since: today, rows: [{ reference: 3, name: 'laptop', username: 'root', ...USED }] },
    },
    'GET /api/data/tags': {
      data: {
        counted_since: today,
        rows: [
          { user_id: 5, username: 'ada', value: 'batch', ...USED, created_at: UTC_DAY },
          { user_id: 0, username: '', value: '', ...USED, created_at: UTC_DAY, quota: 750_000 },
        ],
      },
    },
    'GET /api/data/self/tags': {
      data: {
        counted_since: today,
        rows: [{ user_id: 1, username: 'root', value: 'patient-7', ...USED, created_at: UTC_DAY }],
      },
    },
    'GET /api/log/self': pageOf([]),
    'GET /api/log': pageOf([{ ...RECENT, model_name: 'called-by-ada' }]),
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
        counted_since: NOON,
        channels: [aHealthLine({ channel_id: 7, success: [18, 1], errors: [0, 1] })],
      },
    },
  });
  return api;
}

describe('dashboard', () => {
  it('has the figures of the chart as a table, largest first, with their share', async () => {
    dashboardApi();
    const { user } = renderConsole('/detail', api);
    const use = await screen.findByRole('region', { name: 'Usage' });
    await user.click(await within(use).findByRole('button', { name: 'Table' }));
    const rows = within(await within(use).findByRole('table', { name: 'Usage' })).getAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringContaining('Model'),
      'o3$1.5011,00075.0%',
      'gpt-4o$0.5021,00025.0%',
    ]);
    expect(within(use).getByText('$2.00')).toBeVisible();
  });

  it('shows first steps, each step ahead with its page', async () => {
    dashboardApi();
    renderConsole('/detail', api);
    const steps = await screen.findByRole('region', { name: 'First steps' });
    expect(within(steps).getByRole('link', { name: 'See it in the log' })).toHaveAttribute('href', '/log');
  });

  it('shows no first steps after ten calls', async () => {
    dashboardApi().answer({ 'GET /api/log/self': pageOf([{ ...RECENT, token_name: 'laptop' }], 10) });
    renderConsole('/detail', api);
    await waitFor(() => expect(api.made('GET /api/token')).not.toEqual([]));
    expect(await screen.findByRole('region', { name: 'Usage' })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull();
  });

  it('lists warnings, each with the page where it is mended', async () => {
    dashboardApi().answer({
      'GET /api/data/warnings': {
        data: [
          { kind: 'failing-channel', channel_id: 7, channel_name: 'West', attempts: 40, failures: 12 },
          { kind: 'unpriced-model', model: 'model-y', calls: 101 },
          { kind: 'expiring-token', token_id: 3, token_name: 'laptop', expires_at: NOON },
          { kind: 'low-balance', balance: 250_000, spent: 500_000 },
          { kind: 'near-limit', limit_id: 4, limit_name: 'CI', percent: 92, resets_at: null },
        ],
      },
    });
    renderConsole('/detail', api);
    const warnings = await screen.findByRole('region', { name: 'Needs attention' });
    const lines = within(warnings).getAllByRole('listitem');
    expect(
      lines.map((line) => [line.textContent, within(line).getByRole('link').getAttribute('href')]),
    ).toEqual([
      ['Channel West #7: 12 of 40 attempts failed within 24 hours (30.0%).Open channel', '/channel/7'],
      ['model-y has no price: 101 calls were refused within 7 days.Set price', '/prices?prices=unset_models'],
      [expect.stringMatching(/^API token laptop expires on .+Edit token$/), '/token?edit=3'],
      ['The balance of $0.50 lasts less than a day: $1.00 were spent within 24 hours.Top up', '/topup'],
      ['Limit CI: 92% used.Open limits', '/limit?near=true'],
    ]);
  });

  it('shows the owner which token an administrator locked, and why', async () => {
    const lock = { at: NOON, reason: 'leaked on a public page' };
    dashboardApi().answer({
      'GET /api/token': { data: [aToken({ id: 5, name: 'laptop' }), aToken({ id: 6, name: 'ci', lock })] },
    });
    renderConsole('/detail', api);
    expect(
      await screen.findByText('An administrator locked your token “ci”: leaked on a public page'),
    ).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open tokens' })).toHaveAttribute('href', '/token');
    expect(screen.queryByText(/“laptop”/)).not.toBeInTheDocument();
  });

  it('hides the warning of a low price for thirty days', async () => {
    dashboardApi().answer({
      'GET /api/data/warnings': {
        data: [{ kind: 'price-below-list', model: 'gpt-4o', part: 'input', price: 0.25, list_price: 2.5 }],
      },
    });
    const { user } = renderConsole('/detail', api);
    const text = 'gpt-4o is sold below its list price: $0.25 instead of $2.50 per 1M input tokens.';
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Set price' }).getAttribute('href')).toBe('/prices?model=gpt-4o');
    await user.click(screen.getByRole('button', { name: 'Hide for 30 days' }));
    expect(screen.queryByRole('region', { name: 'Needs attention' })).toBeNull();
    expect(JSON.parse(localStorage.getItem('hidden-warnings') ?? '')).toEqual({
      'gpt-4o': expect.any(Number),
    });
  });

  it('shows administrators who spent most today and how the channels did', async () => {
    dashboardApi();
    renderConsole('/detail', api);
    const money = await screen.findByRole('table', { name: 'Top spenders today' });
    expect(within(money).getByRole('cell', { name: 'ada' })).toBeVisible();
    expect(within(money).queryByRole('cell', { name: 'bob' })).toBeNull();
    const health = await screen.findByRole('table', { name: 'Health, last 24 hours' });
    expect(within(health).getByRole('cell', { name: '95.0%' })).toBeVisible();
    expect(await within(health).findByRole('link', { name: 'Upstream one' })).toBeVisible();
  });

  it('shows administrators the installation, and their own account by a switch', async () => {
    dashboardApi();
    const { router } = renderConsole('/detail', api);
    expect(await screen.findByText('Failed attempts today')).toBeVisible();
    expect(await screen.findByText('25.0% of 40 attempts')).toBeVisible();
    expect(await screen.findByText('900 ms')).toBeVisible();
    expect(await screen.findByText('called-by-ada')).toBeVisible();
    await router.navigate('/detail?who=self');
    expect(await screen.findByText('Balance')).toBeVisible();
    expect(screen.queryByText('Failed attempts today')).toBeNull();
    expect(screen.queryByText('called-by-ada')).toBeNull();
  });

  it('leads from a name of the table to exactly its calls in the usage log', async () => {
    dashboardApi();
    const start = today - 86_400;
    const { user } = renderConsole(`/detail?by=channel&start=${start}&end=${today + 3_600}`, api);
    const use = await screen.findByRole('region', { name: 'Usage' });
    await user.click(await within(use).findByRole('button', { name: 'Table' }));
    const link = await within(use).findByRole('link', { name: 'Calls of 7 · Upstream one in the usage log' });
    expect(link.getAttribute('href')).toBe(`/log?type=2&channel=7&start=${start}&end=${today + 3_599}`);
  });

  it('splits by tag in whole days of UTC, and leads from a tag to exactly its calls', async () => {
    dashboardApi();
    const span = `start=${UTC_DAY - 3_600}&end=${UTC_DAY + 7_200}`;
    const { user } = renderConsole(`/detail?by=tag&grain=hour&${span}`, api);
    const use = await screen.findByRole('region', { name: 'Usage' });
    expect(within(use).getByText(/counts under each of them/)).toBeVisible();
    expect(within(use).getByRole('combobox', { name: 'Interval' })).toHaveTextContent('By day in UTC');
    await user.click(await within(use).findByRole('button', { name: 'Table' }));
    const link = await within(use).findByRole('link', { name: 'Calls of batch · ada in the usage log' });
    const [start, end] = [UTC_DAY - 86_400, UTC_DAY + 86_399];
    expect(link.getAttribute('href')).toBe(`/log?type=2&tag=batch&username=ada&start=${start}&end=${end}`);
    const rows = within(within(use).getByRole('table', { name: 'Usage' })).getAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringContaining('Tag'),
      'Others$1.50390075.0%',
      'batch · ada$0.50390025.0%',
    ]);
    const asked = api.made('GET /api/data/tags').map(({ query }) => Object.fromEntries(query));
    expect(asked[0]).toMatchObject({ by: 'tag', end_timestamp: String(UTC_DAY + 7_199) });
    await user.click(within(use).getByRole('button', { name: 'By time' }));
    const days = within(await within(use).findByRole('table', { name: 'Usage' })).getAllByRole('row');
    expect(days.slice(1).map((row) => row.textContent.slice(-12))).toEqual([
      expect.stringContaining('$0.0000'),
      expect.stringContaining('$2.0061,800'),
    ]);
  });

  it('splits the own use by end user', async () => {
    dashboardApi();
    const { user } = renderConsole(`/detail?by=end_user&start=${UTC_DAY}`, api, { role: 1 });
    const use = await screen.findByRole('region', { name: 'Usage' });
    await user.click(await within(use).findByRole('button', { name: 'Table' }));
    const link = await within(use).findByRole('link', { name: 'Calls of patient-7 in the usage log' });
    const end = UTC_DAY + 86_399;
    expect(link.getAttribute('href')).toBe(`/log?type=2&end_user=patient-7&start=${UTC_DAY}&end=${end}`);
    expect(api.made('GET /api/data/tags')).toEqual([]);
  });

  it('shows failures by channel with times', async () => {
    dashboardApi();
    const { user } = renderConsole('/detail?measure=failures&by=channel', api);
    const use = await screen.findByRole('region', { name: 'Usage' });
    await user.click(await within(use).findByRole('button', { name: 'Table' }));
    const rows = within(await within(use).findByRole('table', { name: 'Failures' })).getAllByRole('row');
    expect(rows[1]?.textContent).toBe('7 · Upstream one401025.0%210 ms900 ms1.20 s4.00 s');
  });

  it('splits the own use of ordinary users by token, and offers no channel', async () => {
    dashboardApi();
    const { user } = renderConsole('/detail?by=token', api, { role: 1 });
    const use = await screen.findByRole('region', { name: 'Usage' });
    await user.click(await within(use).findByRole('button', { name: 'Table' }));
    expect(await within(use).findByRole('link', { name: /laptop/ })).toBeVisible();
    await user.click(within(use).getByRole('combobox', { name: 'Split by' }));
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
      'Model',
      'API token',
      'Tag',
      'End user',
    ]);
    for (const route of ['GET /api/data/attempts', 'GET /api/data/channels', 'GET /api/log/stat'])
      expect(api.made(route)).toEqual([]);
  });

  it('counts a single call of the last minute in the singular', async () => {
    dashboardApi();
    renderConsole('/detail', api);
    expect(await screen.findByText('1 call, 20 tokens')).toBeVisible();
  });

  it('asks for one account, by its name in the address', async () => {
    dashboardApi();
    renderConsole('/detail?username=ada&span=month', api);
    const ofAda = () => api.made('GET /api/data').filter(({ query }) => query.get('username') === 'ada');
    await waitFor(() => expect(ofAda()).not.toEqual([]));
    const query = ofAda()[0]?.query;
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
    expect(await screen.findByText('−2 vs. yesterday')).toBeVisible();
    expect(screen.queryByText('Health, last 24 hours')).toBeNull();
    expect(api.made('GET /api/data')).toEqual([]);
    expect(api.made('GET /api/channel/health')).toEqual([]);
  });
});
