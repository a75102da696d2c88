import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { bareList, FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

function doorApi(status = aStatus()): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: status },
    'GET /api/setup': {
      data: { status: false, root_init: false, database_type: 'sqlite', token_required: false },
    },
    'POST /api/user/login': {
      data: { id: 7, username: 'ada', display_name: 'Ada', role: 1, status: 1, group: 'default' },
    },
    'POST /api/user/register': { data: null },
    'GET /api/token/': bareList([]),
    'GET /api/user/logout': { data: null },
  });
  return api;
}

describe('login', () => {
  it('asks for both fields', async () => {
    doorApi();
    const { user } = renderConsole('/login', api, null);
    await user.click(await screen.findByRole('button', { name: 'Log in' }));
    expect(await screen.findAllByText('Please enter username and password')).toHaveLength(2);
    expect(api.made('POST /api/user/login')).toEqual([]);
  });

  it('shows the server’s refusal and stays', async () => {
    doorApi().answer({ 'POST /api/user/login': { refused: 'wrong pair' } });
    const { user, router } = renderConsole('/login', api, null);
    await user.type(await screen.findByLabelText('Username or email'), 'ada');
    await user.type(screen.getByLabelText('Password'), 'secret-12{Enter}');
    expect(await screen.findByText('wrong pair')).toBeVisible();
    expect(router.state.location.pathname).toBe('/login');
  });

  it('stores the user and goes to the tokens', async () => {
    doorApi();
    const { user, router } = renderConsole('/login', api, null);
    await user.type(await screen.findByLabelText('Username or email'), 'ada');
    await user.type(screen.getByLabelText('Password'), 'secret-12{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/token'));
    expect(JSON.parse(localStorage.getItem('user') ?? '{}')).toMatchObject({ id: 7, username: 'ada' });
  });

  it('sends a guest to the login page and back to where they wanted to go', async () => {
    doorApi();
    const { user, router } = renderConsole('/token?keyword=x', api, null);
    api.answer({ 'GET /api/token/search': { data: [] } });
    await user.type(await screen.findByLabelText('Username or email'), 'ada');
    await user.type(screen.getByLabelText('Password'), 'secret-12{Enter}');
    await waitFor(() =>
      expect(router.state.location.pathname + router.state.location.search).toBe('/token?keyword=x'),
    );
  });

  it('offers no registration in self-use mode', async () => {
    doorApi(aStatus({ self_use_mode_enabled: true }));
    renderConsole('/login', api, null);
    expect(await screen.findByText('Self-use')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Register' })).toBeNull();
  });

  it('logs out: forgets the user on both sides', async () => {
    doorApi();
    const { user, router } = renderConsole('/token', api);
    await user.click(await screen.findByRole('button', { name: 'Account of Root' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Log out' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(localStorage.getItem('user')).toBeNull();
  });
});

describe('register', () => {
  it('holds to the rules of names and passwords', async () => {
    doorApi();
    const { user } = renderConsole('/register', api, null);
    await user.type(await screen.findByLabelText('Username'), 'a b');
    await user.type(screen.getByLabelText('Password'), 'short');
    await user.click(screen.getByRole('button', { name: 'Register' }));
    expect(await screen.findByText('Letters, digits, dots, dashes and underscores only')).toBeVisible();
    expect(screen.getByText('Password length must not be below 8')).toBeVisible();
  });

  it('sends the invite code of the address', async () => {
    doorApi();
    const { user } = renderConsole('/register?aff=XY12', api, null);
    await user.type(await screen.findByLabelText('Username'), 'ada');
    await user.type(screen.getByLabelText('Password'), 'correct-horse');
    await user.type(screen.getByLabelText('Confirm password'), 'correct-horse');
    await user.click(screen.getByRole('button', { name: 'Register' }));
    expect(await screen.findByText(/You can log in now/)).toBeVisible();
    expect(api.made('POST /api/user/register')[0]?.body).toMatchObject({ username: 'ada', aff_code: 'XY12' });
  });
});

describe('set-up', () => {
  it('takes every path to the set-up page until it is done', async () => {
    doorApi(aStatus({ setup: false }));
    const { user, router } = renderConsole('/token', api, null);
    expect(await screen.findByRole('heading', { name: 'Set up Tollgate' })).toBeVisible();
    expect(router.state.location.pathname).toBe('/setup');
    expect(screen.getByText(/kept in a SQLite file/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Initialise' }));
    expect(await screen.findByText('Please enter the admin username')).toBeVisible();
    expect(screen.getByText('Password must be at least 8 characters long')).toBeVisible();
  });

  it('leaves the account out when there is a root already', async () => {
    doorApi(aStatus({ setup: false })).answer({
      'GET /api/setup': {
        data: { status: false, root_init: true, database_type: 'mysql', token_required: false },
      },
      'POST /api/setup': { refused: 'no' },
    });
    const { user } = renderConsole('/setup', api, null);
    expect(await screen.findByText(/root account has been initialised already/)).toBeVisible();
    expect(screen.queryByLabelText(/^Username/)).toBeNull();
    await user.click(screen.getByRole('radio', { name: /Self-use/ }));
    await user.click(screen.getByRole('button', { name: 'Initialise' }));
    expect(await screen.findByText('no')).toBeVisible();
    expect(api.made('POST /api/setup')[0]?.body).toMatchObject({
      SelfUseModeEnabled: true,
      DemoSiteEnabled: false,
    });
  });
});
