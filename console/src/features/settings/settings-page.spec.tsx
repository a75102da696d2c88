import { afterEach, describe, expect, it } from '@jest/globals';
import i18next from 'i18next';
import { screen, waitFor, waitForElementToBeRemoved, within } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { OPTION_FIELD_ROWS, OPTION_FIELDS } from '../../testing/option-fields';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const stored: Record<string, string> = {
  ModelRequestRateLimitEnabled: 'false',
  ModelRequestRateLimitDurationMinutes: '1',
  ModelRequestRateLimitCount: '0',
  ModelRequestRateLimitSuccessCount: '1000',
  ModelRequestRateLimitGroup: '{}',
  ModelRatio: '{"gpt-4o":1.25}',
  CompletionRatio: '{"gpt-4o":4}',
  ModelPrice: '{}',
  CacheRatio: '{}',
};

function settingsApi(): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/option/fields': { data: OPTION_FIELD_ROWS },
    'GET /api/option': { data: Object.entries(stored).map(([key, value]) => ({ key, value })) },
    'GET /api/channel/models_enabled': { data: ['gpt-4o', 'new-model'] },
    'PUT /api/option': { data: null },
  });
  return api;
}

const changes = () => api.made('PUT /api/option').map((call) => call.body);

describe('settings', () => {
  it('refuses ordinary users', async () => {
    settingsApi();
    renderConsole('/setting', api, { role: 1 });
    expect(await screen.findByText('You don’t have access to this page')).toBeVisible();
  });

  it('finds a setting of another tab by its option key and leads to it', async () => {
    settingsApi();
    const { user, router } = renderConsole('/setting?tab=ratelimit', api);
    await user.type(await screen.findByRole('searchbox', { name: /^Search settings/ }), 'smtpport');
    const found = await screen.findByRole('link', { name: 'Port' });
    expect(screen.getByText('1 setting')).toBeVisible();
    await user.click(found);
    await waitFor(() => expect(router.state.location.search).toBe('?tab=system'));
    expect(router.state.location.hash).toBe('#setting-mailPort');
  });

  it('shows administrators everything, and saves for them only what they may change', async () => {
    const readOnly = ['ModelRatio', 'ServerAddress', 'AlertWebhookUrl'];
    const line = (key: string, value: string) => ({ key, value, may_change: !readOnly.includes(key) });
    const figures = OPTION_FIELDS.filter(
      ({ heading, kind }) => heading === 'alerts' && (kind === 'integer' || kind === 'number'),
    );
    const data: unknown[] = Object.entries(stored).map(([key, value]) => line(key, value));
    data.push(line('ServerAddress', 'https://gateway.test'), line('AlertsEnabled', 'true'));
    data.push(...figures.map(({ key }) => line(key, '60')), {
      ...line('AlertLanguage', 'en'),
      choices: ['en', 'zh'],
    });
    data.push({ ...line('AlertWebhookUrl', ''), is_set: true });
    settingsApi().answer({ 'GET /api/option': { data } });
    const { user } = renderConsole('/setting?tab=system', api, { role: 10 });
    const address = within(await screen.findByRole('region', { name: 'Address' }));
    expect(address.getByRole('textbox')).toBeDisabled();
    expect(address.getByRole('textbox')).toHaveValue('https://gateway.test');
    expect(address.queryByRole('button', { name: 'Save' })).toBeNull();
    expect(address.getByText(/Only the super administrator can change them/)).toBeVisible();
    const alerts = within(screen.getByRole('region', { name: 'Alerts' }));
    expect(alerts.queryByRole('button', { name: /^Remove/ })).toBeNull();
    await user.type(alerts.getByLabelText(/^Email addresses/), 'ops@gateway.test');
    await user.click(alerts.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(changes()).toContainEqual({ key: 'AlertMailReceivers', value: 'ops@gateway.test' }),
    );
  });

  it('shows administrators prices they may not change as text, and no way to delete the log', async () => {
    const data = Object.entries(stored).map(([key, value]) => ({ key, value, may_change: false }));
    settingsApi().answer({ 'GET /api/option': { data } });
    renderConsole('/setting', api, { role: 10 });
    const prices = within(await screen.findByRole('region', { name: 'Model prices' }));
    expect(prices.queryByRole('tab')).toBeNull();
    expect(prices.getByText('{"gpt-4o":1.25}')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: i18next.t('settings.clean.action') })).toBeNull();
    expect(prices.queryByRole('button')).toBeNull();
  });

  it('lets root tick the sections of administrators', async () => {
    settingsApi().answer({
      'GET /api/option': {
        data: [
          {
            key: 'AdministratorSections',
            value: 'content,display',
            choices: ['content', 'display', 'prices'],
          },
        ],
      },
    });
    const { user } = renderConsole('/setting?tab=system', api);
    const section = within(await screen.findByRole('region', { name: 'Administrators' }));
    await user.click(section.getByRole('checkbox', { name: 'Prices and groups' }));
    await user.click(section.getByRole('checkbox', { name: 'What the console shows' }));
    await user.click(section.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(changes()).toEqual([{ key: 'AdministratorSections', value: 'content,prices' }]),
    );
  });

  it('a long tab has an index that leads to each of its parts, prices first', async () => {
    settingsApi();
    renderConsole('/setting?tab=operation', api);
    const index = await screen.findByRole('navigation', { name: 'Sections' });
    const links = within(index).getAllByRole('link');
    expect(links[0]).toHaveTextContent('Model prices');
    for (const link of links)
      expect(document.querySelector(link.getAttribute('href') ?? '')).toBeInTheDocument();
  });

  it('names stored options that would be refused today, on every tab', async () => {
    settingsApi().answer({
      'GET /api/option': {
        data: [
          { key: 'PayMethods', value: '[]', needs_look: 'a JSON list; nobody reads 0.color' },
          { key: 'ModelRatio', value: '{}' },
        ],
      },
    });
    renderConsole('/setting?tab=ratelimit', api);
    const alert = await screen.findByText('An option needs attention');
    expect(alert.closest('[role="alert"]')).toHaveTextContent(
      'PayMethods: a JSON list; nobody reads 0.color',
    );
    expect(alert.closest('[role="alert"]')).not.toHaveTextContent('ModelRatio');
  });

  it('reports when nothing was changed, and sends nothing', async () => {
    settingsApi();
    const { user } = renderConsole('/setting?tab=ratelimit', api);
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    expect(await screen.findByText('You seem not to have changed anything')).toBeVisible();
    expect(changes()).toEqual([]);
  });

  it.each([
    ['another tab', 'tab', 'Other'],
    ['another page', 'link', 'API tokens'],
  ] as const)('asks before what is typed into any section is lost to %s', async (_where, role, name) => {
    settingsApi();
    const { user, router } = renderConsole('/setting?tab=system', api);
    // The first of many sections: each has something to lose, the router knows one question only.
    const [typed] = await screen.findAllByRole('textbox');
    if (typed === undefined) throw new Error('nothing to type into');
    await user.type(typed, 'x');
    await user.click(screen.getByRole(role, { name }));
    const question = await screen.findByRole('alertdialog', { name: 'Discard your changes?' });
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    await waitForElementToBeRemoved(question);
    expect(router.state.location.search).toBe('?tab=system');
    expect(typed).toHaveValue('x');
    await user.click(screen.getByRole(role, { name }));
    const again = await screen.findByRole('alertdialog', { name: 'Discard your changes?' });
    await user.click(within(again).getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(router.state.location.search).not.toBe('?tab=system'));
  });

  it('sends the changed keys only, one call each, switching on last', async () => {
    settingsApi();
    const { user } = renderConsole('/setting?tab=ratelimit', api);
    await user.click(await screen.findByRole('switch', { name: 'Limit requests' }));
    const count = screen.getByLabelText(/^Requests per period/);
    await user.clear(count);
    await user.type(count, '60');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Saved')).toBeVisible();
    expect(changes()).toEqual([
      { key: 'ModelRequestRateLimitCount', value: '60' },
      { key: 'ModelRequestRateLimitEnabled', value: 'true' },
    ]);
  });

  it('has the switches of drawings in a section of their own, and the task log among what is displayed', async () => {
    settingsApi();
    const { user } = renderConsole('/setting?tab=operation', api);
    const drawing = within(await screen.findByRole('region', { name: 'Drawing' }));
    expect(drawing.getAllByRole('switch')).toHaveLength(6);
    await user.click(drawing.getByRole('switch', { name: 'Allow callback addresses' }));
    await user.click(drawing.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(changes()).toEqual([{ key: 'MjNotifyEnabled', value: 'true' }]));
    const display = within(screen.getByRole('region', { name: 'Display' }));
    expect(display.getByRole('switch', { name: 'Task log' })).toBeEnabled();
  });

  it('names the field that failed when only a part was saved', async () => {
    settingsApi().answer({
      'PUT /api/option': ({ body }) =>
        (body as { key: string }).key === 'ModelRequestRateLimitCount'
          ? { refused: 'too large' }
          : { data: null },
    });
    const { user } = renderConsole('/setting?tab=ratelimit', api);
    await user.click(await screen.findByRole('switch', { name: 'Limit requests' }));
    const count = screen.getByLabelText(/^Requests per period/);
    await user.clear(count);
    await user.type(count, '60');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Some saves failed, please retry')).toBeVisible();
    expect(screen.getByText('too large')).toBeVisible();
  });

  it('refuses figures below their minimum before anything is sent', async () => {
    settingsApi();
    const { user } = renderConsole('/setting?tab=ratelimit', api);
    const success = await screen.findByLabelText(/^Successful requests/);
    await user.clear(success);
    await user.type(success, '0');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('At least 1')).toBeVisible();
    expect(changes()).toEqual([]);
  });
});
