import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { OPTION_FIELD_ROWS } from '../../testing/option-fields';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const stored: Record<string, string> = {
  ModelRequestRateLimitDurationMinutes: '1',
  ModelRequestRateLimitCount: '0',
  ModelRequestRateLimitSuccessCount: '1000',
  ModelRequestRateLimitGroup: '{}',
  ModelRatio: '{"gpt-4o":1.25}',
  'general_setting.ping_interval_enabled': 'false',
  'general_setting.ping_interval_seconds': '60',
};

function settingsApi(): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/option/fields': { data: OPTION_FIELD_ROWS },
    'GET /api/option': { data: Object.entries(stored).map(([key, value]) => ({ key, value })) },
    'GET /api/channel/models_enabled': { data: ['gpt-4o'] },
    'PUT /api/option': { data: null },
  });
  return api;
}

describe('the settings as the specification has them', () => {
  it('shows five tabs, the chosen one in the address, and begins with operation', async () => {
    const { user, router } = renderConsole('/setting', settingsApi());
    const tabs = within(await screen.findByRole('tablist', { name: /./ }));
    const names = ['Operation', 'Rate limits', 'Models', 'System', 'Other'];
    expect(tabs.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(names);
    expect(tabs.getByRole('tab', { name: 'Operation' })).toHaveAttribute('aria-selected', 'true');
    for (const [name, id] of [
      ['Rate limits', 'ratelimit'],
      ['Models', 'models'],
    ]) {
      await user.click(tabs.getByRole('tab', { name }));
      await waitFor(() => expect(router.state.location.search).toBe(`?tab=${id}`));
    }
  });

  it.each(['visual', 'unset_models', 'model'])('shows a view of prices at %s', async (view) => {
    const { router } = renderConsole(`/setting?tab=operation&prices=${view}`, settingsApi());
    const prices = within(await screen.findByRole('region', { name: 'Model prices' }));
    await waitFor(() => expect(prices.getAllByRole('tab', { selected: true })).toHaveLength(1));
    expect(router.state.location.search).toContain(`prices=${view}`);
  });

  it('reports a document that is not JSON, and sends nothing', async () => {
    const broken = { ...stored, ModelRequestRateLimitGroup: '{"vip":' };
    settingsApi().answer({
      'GET /api/option': { data: Object.entries(broken).map(([key, value]) => ({ key, value })) },
    });
    const { user } = renderConsole('/setting?tab=ratelimit', api);
    const count = await screen.findByLabelText(/^Requests per period/);
    await user.clear(count);
    await user.type(count, '60');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Please check what you entered')).toBeVisible();
    expect(screen.getByText('Not valid JSON')).toBeVisible();
    expect(api.made('PUT /api/option')).toEqual([]);
  });

  it('offers no interval of pings while pings are off', async () => {
    const { user } = renderConsole('/setting?tab=models', settingsApi());
    const interval = await screen.findByLabelText(/^Ping interval/);
    expect(interval).toBeDisabled();
    await user.click(screen.getByRole('switch', { name: 'Keep streams alive with pings' }));
    await waitFor(() => expect(interval).toBeEnabled());
  });

  it('reads the options again after they were saved', async () => {
    const { user } = renderConsole('/setting?tab=ratelimit', settingsApi());
    const count = await screen.findByLabelText(/^Requests per period/);
    const before = api.made('GET /api/option').length;
    await user.clear(count);
    await user.type(count, '60');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Saved')).toBeVisible();
    await waitFor(() => expect(api.made('GET /api/option').length).toBeGreaterThan(before));
  });

  it('reports when they cannot be loaded', async () => {
    settingsApi().answer({ 'GET /api/option': { refused: 'the database is away' } });
    renderConsole('/setting', api);
    expect(await screen.findByText('Refresh failed')).toBeVisible();
    expect(screen.getByText('the database is away')).toBeVisible();
  });
});
