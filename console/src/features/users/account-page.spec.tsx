import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aStatus, aUser } from '../../testing/builders';
import { FakeApi, pageOf } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const ADA = aUser({ id: 7, username: 'ada', inviter_id: 2, email: 'ada@example.test' });
const SIGN_INS = {
  has_password: true,
  has_access_token: false,
  providers: ['github'],
  sessions: [
    {
      id: 'a'.repeat(16),
      created_at: 1_700_000_000,
      last_seen_at: 1_700_000_100,
      ip: '192.0.2.1',
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      way: 'two-factor',
      current: false,
    },
  ],
  sign_ins: [
    { created_at: 1_700_000_000, success: true, ip: '192.0.2.1', way: 'password' },
    { created_at: 1_699_999_000, success: false, ip: '198.51.100.9', way: '' },
  ],
};
const LEDGER = {
  items: [{ id: 1, kind: 'topup', amount: 500_000, quota_after: 500_000, reason: '', created_at: 1 }],
  total: 1,
  page: 1,
  page_size: 10,
  sums: { topup: 500_000 },
  used_quota: 0,
  balance: 500_000,
};

function accountApi(user = ADA): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/user/7': { data: user },
    'GET /api/data': {
      data: [
        {
          id: 1,
          user_id: 7,
          username: 'ada',
          model_name: 'm',
          created_at: Math.floor(Date.now() / 1_000),
          token_used: 1,
          count: 3,
          quota: 1_000_000,
        },
      ],
    },
    'GET /api/log': pageOf([]),
    'GET /api/log/stat': { data: { quota: 0, rpm: 0, tpm: 0 } },
    'GET /api/token/all': { data: { items: [], total: 0, page: 1, page_size: 10, is_complete: true } },
    'GET /api/user/7/ledger': { data: LEDGER },
    'GET /api/user/topup': pageOf([]),
    'GET /api/user/7/2fa': { data: { enabled: true, passkeys: 0 } },
    'GET /api/user/7/sign_ins': { data: SIGN_INS },
    'DELETE /api/user/7/sessions': { data: { ended: 1 } },
  });
  return api;
}

describe('the page of an account', () => {
  it('shows what it is and what it spent', async () => {
    accountApi();
    renderConsole('/user/7', api);
    expect(await screen.findByText('ada@example.test')).toBeVisible();
    expect(screen.getByRole('link', { name: '#2' })).toHaveAttribute('href', '/user/2');
    const use = await screen.findByRole('region', { name: 'Spend by day' });
    expect(await within(use).findAllByText('$2.00')).toHaveLength(3);
    expect(api.made('GET /api/data')[0]?.query.get('username')).toBe('ada');
  });

  it('has a tab in the address, reached by the arrow keys', async () => {
    accountApi();
    const { user, router } = renderConsole('/user/7', api);
    await user.click(await screen.findByRole('tab', { name: 'Overview' }));
    await user.keyboard('{ArrowRight}{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/user/7/calls'));
    expect(await screen.findByRole('tab', { name: 'Calls', selected: true })).toBeVisible();
    await waitFor(() => expect(api.made('GET /api/log').length).toBeGreaterThan(0));
    expect(api.made('GET /api/log')[0]?.query.get('user_id')).toBe('7');
  });

  it('lists the tokens of this account alone, also at the address of before', async () => {
    accountApi();
    const { router } = renderConsole('/user/7?tab=tokens', api);
    expect(await screen.findByRole('tab', { name: 'Tokens', selected: true })).toBeVisible();
    expect(router.state.location.pathname).toBe('/user/7/tokens');
    await waitFor(() => expect(api.made('GET /api/token/all')[0]?.query.get('user_id')).toBe('7'));
  });

  it('proves the balance and lists orders', async () => {
    accountApi();
    const { user } = renderConsole('/user/7/money', api);
    expect(await screen.findByText('Balance after')).toBeVisible();
    expect(api.made('GET /api/user/7/ledger')).toHaveLength(1);
    await user.click(screen.getByRole('tab', { name: 'Orders' }));
    expect(await screen.findByText('No orders yet')).toBeVisible();
    expect(api.made('GET /api/user/topup')[0]?.query.get('user_id')).toBe('7');
  });

  it('shows sign-ins without secrets, and signs out everywhere', async () => {
    accountApi();
    const { user } = renderConsole('/user/7/security', api);
    const sessions = await screen.findByRole('region', { name: 'Logged in on' });
    expect(within(sessions).getByText(/Firefox.* · password and code/)).toBeVisible();
    const attempts = screen.getByRole('region', { name: 'Latest logins' });
    expect(within(attempts).getByText('Refused')).toBeVisible();
    expect(within(attempts).getByText('198.51.100.9')).toBeVisible();
    await user.click(within(sessions).getByRole('button', { name: 'Log out everywhere' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Log ada out?' });
    await user.click(within(dialog).getByRole('button', { name: 'Log out' }));
    expect(await screen.findByText('Sessions ended')).toBeVisible();
    expect(api.made('DELETE /api/user/7/sessions')).toHaveLength(1);
  });

  it('shows that a deregistered account has no login', async () => {
    accountApi(aUser({ id: 7, username: 'ada', DeletedAt: '2026-11-20T12:00:00Z' }));
    renderConsole('/user/7/security', api);
    expect(await screen.findByText('This account is deregistered: it has no login.')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull();
    expect(api.made('GET /api/user/7/sign_ins')).toEqual([]);
  });
});
