import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import type { Limit } from '../../shared/limits/limits.api';
import { aStatus, NOON } from '../../testing/builders';
import { FakeApi, pageOf } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const aLimit = (parts: Partial<Limit> = {}): Limit => ({
  id: 4,
  name: 'CI',
  scope: 'token',
  subject: '7',
  subject_name: 'nightly',
  subject_missing: false,
  account_id: null,
  account_name: '',
  each: false,
  model: '',
  measure: 'quota',
  amount: 2_500_000,
  period: 'day',
  rolling: false,
  action: 'refuse',
  fallback_model: '',
  warn_at: [80],
  admit_unknown: false,
  enabled: true,
  override: null,
  by_user: false,
  created_at: NOON - 3_600,
  updated_at: NOON - 3_600,
  version: 1,
  may_change: true,
  use: {
    value: '',
    value_name: '',
    used: 2_000_000,
    held: 250_000,
    amount: 2_500_000,
    starts_at: NOON - 43_200,
    resets_at: NOON + 43_200,
    reached_at: NOON + 7_200,
  },
  ...parts,
});

function limitsApi(limits: readonly Limit[]): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/limits': pageOf(limits),
    'GET /api/limits/4': { data: aLimit() },
    'GET /api/limits/rights': {
      data: { scopes: ['token', 'account', 'group', 'everyone'], time_zone: 'UTC', binding: true },
    },
    'POST /api/limits/preview': { data: { used: 0, values: 0 } },
    'POST /api/limits': { data: 9 },
    'PUT /api/limits/4/override': { data: null },
  });
  return api;
}

describe('the page of limits', () => {
  it('shows the rule, the target, the use, the next reset and the forecast', async () => {
    limitsApi([aLimit()]);
    renderConsole('/limit', api, { role: 100 });
    const row = within((await screen.findByText('CI')).closest('tr') as HTMLElement);
    expect(row.getByText('Token nightly')).toBeVisible();
    expect(row.getByText('$5.00 a day')).toBeVisible();
    expect(row.getByText('$4.50 of $5.00')).toBeVisible();
    expect(row.getByRole('progressbar', { name: 'Use of CI' })).toHaveAttribute('aria-valuenow', '90');
    expect(row.getByText(/^Resets .* UTC$/)).toBeVisible();
    expect(row.getByText(/^At this rate reached on .* UTC$/)).toBeVisible();
  });

  it.each([
    [[80], 'Warning'],
    [[95], 'Primary'],
    [[50, 95], 'Warning'],
    [[], 'Warning'],
  ])('colours 90 % of use by its own warnings at %j', async (percents, colour) => {
    limitsApi([aLimit({ warn_at: percents })]);
    renderConsole('/limit', api, { role: 100 });
    expect(await screen.findByRole('progressbar', { name: 'Use of CI' })).toHaveClass(
      `MuiLinearProgress-color${colour}`,
    );
  });

  it('marks a limit whose channel tag is gone, and names the use of all other values', async () => {
    const { use } = aLimit();
    limitsApi([
      aLimit({ id: 5, name: 'azure', scope: 'channel_tag', subject_missing: true }),
      aLimit({ id: 6, name: 'customers', scope: 'end_user', each: true, use }),
    ]);
    renderConsole('/limit', api, { role: 100 });
    const row = async (name: string) => within((await screen.findByText(name)).closest('tr') as HTMLElement);
    expect((await row('azure')).getByText('Target is gone')).toBeVisible();
    expect((await row('customers')).getByText('All other values')).toBeVisible();
    expect(screen.getAllByText('Target is gone')).toHaveLength(1);
  });

  it('fills the form from a template, and sends what it shows', async () => {
    limitsApi([]);
    const { user } = renderConsole('/limit', api, { role: 100 });
    expect(await screen.findByText('No limits yet')).toBeVisible();
    expect(screen.queryByRole('button', { name: '$400 a month per channel' })).toBeNull();
    await user.click(screen.getByRole('button', { name: '$20 a month per key' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Add limit' }));
    await user.click(drawer.getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(api.made('POST /api/limits')).toHaveLength(1));
    expect(api.made('POST /api/limits')[0]?.body).toMatchObject({
      name: '$20.00 a month',
      scope: 'token',
      subject: '',
      each: true,
      measure: 'quota',
      amount: 10_000_000,
      period: 'month',
      action: 'refuse',
      warn_at: [80],
    });
  });

  it('changes the amount of the running period only with a reason', async () => {
    limitsApi([aLimit()]);
    const { user } = renderConsole('/limit', api, { role: 100 });
    await user.click(await screen.findByRole('button', { name: 'Actions for CI' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Change for this period' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Change CI for this period/ }));
    await user.click(dialog.getByRole('button', { name: 'Change' }));
    expect(await dialog.findByText('Please enter a reason')).toBeVisible();
    expect(api.made('PUT /api/limits/4/override')).toEqual([]);
    await user.type(dialog.getByLabelText(/^Reason/), 'launch');
    await user.click(dialog.getByRole('button', { name: 'Change' }));
    await waitFor(() => expect(api.made('PUT /api/limits/4/override')).toHaveLength(1));
    expect(api.made('PUT /api/limits/4/override')[0]?.body).toEqual({ amount: 2_500_000, reason: 'launch' });
  });

  it('warns while an instance of an earlier version does not count limits', async () => {
    limitsApi([aLimit()]).answer({
      'GET /api/limits/rights': { data: { scopes: [], time_zone: 'UTC', binding: false } },
    });
    renderConsole('/limit', api, { role: 100 });
    expect(await screen.findByText(/which does not count limits/)).toBeVisible();
  });

  it('offers only the history of a limit that the reader may not change', async () => {
    limitsApi([aLimit({ may_change: false })]);
    const { user } = renderConsole('/limit', api, { role: 10 });
    await user.click(await screen.findByRole('button', { name: 'Actions for CI' }));
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['History']);
  });
});
