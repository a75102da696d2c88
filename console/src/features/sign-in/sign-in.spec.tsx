import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { bareList, FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import { FakeTurnstile } from '../../testing/turnstile';

let api: FakeApi;
afterEach(() => api.stop());

function signInApi(status = aStatus()): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: status },
    'GET /api/setup': {
      data: { status: false, root_init: false, database_type: 'sqlite', token_required: false },
    },
    'POST /api/user/login': {
      data: { id: 7, username: 'ada', display_name: 'Ada', role: 1, status: 1, group: 'default' },
    },
    'POST /api/user/register': { data: null },
    'GET /api/token': bareList([]),
    'POST /api/user/logout': { data: null },
  });
  return api;
}

describe('login', () => {
  it('asks for both fields', async () => {
    signInApi();
    const { user } = renderConsole('/login', api, null);
    await user.click(await screen.findByRole('button', { name: 'Log in' }));
    expect(await screen.findAllByText('Please enter username and password')).toHaveLength(2);
    expect(api.made('POST /api/user/login')).toEqual([]);
  });

  it('shows the server’s refusal and stays', async () => {
    signInApi().answer({ 'POST /api/user/login': { refused: 'wrong pair' } });
    const { user, router } = renderConsole('/login', api, null);
    await user.type(await screen.findByLabelText('Username or email'), 'ada');
    await user.type(screen.getByLabelText('Password'), 'secret-12{Enter}');
    expect(await screen.findByText('wrong pair')).toBeVisible();
    expect(router.state.location.pathname).toBe('/login');
  });

  it('offers a letter to who has to wait, and sends back what its link carries', async () => {
    signInApi().answer({
      'POST /api/user/login': { refused: 'wait a minute', status: 429, members: { code: 'login_too_often' } },
      'POST /api/user/login/unlock': { data: null },
    });
    const { user } = renderConsole('/login?unlock=from-a-letter', api, null);
    await user.type(await screen.findByLabelText('Username or email'), 'ada');
    await user.type(screen.getByLabelText('Password'), 'secret-12{Enter}');
    expect(await screen.findByText('wait a minute')).toBeVisible();
    expect(api.made('POST /api/user/login')[0]?.body).toMatchObject({ unlock: 'from-a-letter' });
    await user.click(screen.getByRole('button', { name: 'Email me a link to log in now' }));
    expect(await screen.findByText(/a link is on its way/)).toBeVisible();
    expect(api.made('POST /api/user/login/unlock')[0]?.body).toEqual({ username: 'ada' });
  });

  it('stores the user and goes to the tokens', async () => {
    signInApi();
    const { user, router } = renderConsole('/login', api, null);
    await user.type(await screen.findByLabelText('Username or email'), 'ada');
    await user.type(screen.getByLabelText('Password'), 'secret-12{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/token'));
    expect(JSON.parse(localStorage.getItem('user') ?? '{}')).toMatchObject({ id: 7, username: 'ada' });
  });

  it('sends a guest to the login page and back to where they wanted to go', async () => {
    signInApi();
    const { user, router } = renderConsole('/token?keyword=x', api, null);
    api.answer({ 'GET /api/token/search': { data: [] } });
    await user.type(await screen.findByLabelText('Username or email'), 'ada');
    await user.type(screen.getByLabelText('Password'), 'secret-12{Enter}');
    await waitFor(() =>
      expect(router.state.location.pathname + router.state.location.search).toBe('/token?keyword=x'),
    );
  });

  it('does not send what the human check has not seen, and sends each proof once', async () => {
    const check = new FakeTurnstile();
    signInApi(aStatus({ turnstile_check: true, turnstile_site_key: 'site' })).answer({
      'POST /api/user/login': { refused: 'wrong pair' },
    });
    const { user } = renderConsole('/login', api, null);
    await user.type(await screen.findByLabelText('Username or email'), 'ada');
    await user.type(screen.getByLabelText('Password'), 'secret-12{Enter}');
    expect(await screen.findByText('Please retry in a few seconds, checking the environment')).toBeVisible();
    expect(api.made('POST /api/user/login')).toEqual([]);
    expect(check.rendered.at(-1)).toMatchObject({ sitekey: 'site', action: 'login', theme: 'light' });
    check.solve('proof-1');
    await user.click(screen.getByRole('button', { name: 'Log in' }));
    expect(await screen.findByText('wrong pair')).toBeVisible();
    expect(api.made('POST /api/user/login')[0]?.query.get('turnstile')).toBe('proof-1');
    expect(check.removed).toEqual(['widget-1']);
    expect(check.rendered).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Log in' }));
    expect(await screen.findByText(/checking the environment/)).toBeVisible();
    expect(api.made('POST /api/user/login')).toHaveLength(1);
    check.remove();
  });

  it('asks for the code of the app when the account wants one', async () => {
    signInApi().answer({
      'POST /api/user/login': { data: { require_2fa: true, ticket: 'ticket-1' } },
      'POST /api/user/login/2fa': { refused: 'The code is wrong' },
    });
    const { user, router } = renderConsole('/login', api, null);
    await user.type(await screen.findByLabelText('Username or email'), 'ada');
    await user.type(screen.getByLabelText('Password'), 'secret-12{Enter}');
    await user.type(await screen.findByLabelText('Authenticator code'), '12 34{Enter}');
    expect(await screen.findByText('The code has six digits')).toBeVisible();
    await user.clear(screen.getByLabelText('Authenticator code'));
    await user.type(screen.getByLabelText('Authenticator code'), '123 456{Enter}');
    expect(await screen.findByText('The code is wrong')).toBeVisible();
    expect(localStorage.getItem('user')).toBeNull();
    expect(api.made('POST /api/user/login/2fa')[0]?.body).toEqual({ ticket: 'ticket-1', code: '123456' });
    api.answer({
      'POST /api/user/login/2fa': {
        data: { id: 7, username: 'ada', display_name: 'Ada', role: 1, status: 1, group: 'default' },
      },
    });
    await user.click(screen.getByRole('button', { name: 'Use a recovery code' }));
    await user.type(await screen.findByLabelText('Recovery code'), 'abcd-efgh{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/token'));
    expect(api.made('POST /api/user/login/2fa')[1]?.body).toEqual({ ticket: 'ticket-1', code: 'abcd-efgh' });
  });

  it('returns to the password when the second step has expired', async () => {
    signInApi().answer({
      'POST /api/user/login': { data: { require_2fa: true, ticket: 'ticket-1' } },
      'POST /api/user/login/2fa': {
        refused: 'This login has expired',
        members: { code: 'second_step_expired' },
      },
    });
    const { user } = renderConsole('/login', api, null);
    await user.type(await screen.findByLabelText('Username or email'), 'ada');
    await user.type(screen.getByLabelText('Password'), 'secret-12{Enter}');
    await user.type(await screen.findByLabelText('Authenticator code'), '123456{Enter}');
    expect(await screen.findByText('This login has expired')).toBeVisible();
    expect(await screen.findByLabelText('Username or email')).toBeVisible();
  });

  it('shows that the login has expired, and links to the reset page', async () => {
    signInApi();
    renderConsole('/login?expired=true', api, null);
    expect(await screen.findByText(/login has expired, please log in again/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Forgot your password?' })).toHaveAttribute('href', '/reset');
  });

  it.each([
    ['root, who can do nothing else yet, where it is changed', 100, '/personal?tab=security'],
    ['an administrator, who goes on', 10, '/token'],
  ])('warns of a common password: %s [AUTH-11]', async (_who, role, landing) => {
    signInApi().answer({
      'POST /api/user/login': {
        data: { id: 1, username: 'root', display_name: 'Root', role, status: 1, group: 'default' },
        members: { default_password: true },
      },
      'GET /api/user/self': { refused: 'change it first', status: 403 },
    });
    const { user, router } = renderConsole('/login', api, null);
    await user.type(await screen.findByLabelText('Username or email'), 'root');
    await user.type(screen.getByLabelText('Password'), '123456{Enter}');
    expect(await screen.findByText(/default root password/)).toBeVisible();
    await waitFor(() => {
      const { pathname, search } = router.state.location;
      expect(pathname + search).toBe(landing);
    });
  });

  it('offers no registration in self-use mode', async () => {
    signInApi(aStatus({ self_use_mode_enabled: true }));
    renderConsole('/login', api, null);
    expect(await screen.findByText('Self-use')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Register' })).toBeNull();
  });

  it('logs out: forgets the user on both sides', async () => {
    signInApi();
    const { user, router } = renderConsole('/token', api);
    await user.click(await screen.findByRole('button', { name: 'Account of Root' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Log out' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(localStorage.getItem('user')).toBeNull();
  });
});

describe('register', () => {
  it('holds to the rules of names and passwords', async () => {
    signInApi();
    const { user } = renderConsole('/register', api, null);
    await user.type(await screen.findByLabelText('Username'), 'a b');
    await user.type(screen.getByLabelText('Password'), 'short');
    await user.click(screen.getByRole('button', { name: 'Register' }));
    expect(await screen.findByText('Letters, digits, dots, dashes and underscores only')).toBeVisible();
    expect(screen.getByText('Password length must not be below 8')).toBeVisible();
  });

  it('sends the invite code of the address', async () => {
    signInApi();
    const { user } = renderConsole('/register?aff=XY12', api, null);
    await user.type(await screen.findByLabelText('Username'), 'ada');
    await user.type(screen.getByLabelText('Password'), 'correct-horse');
    await user.type(screen.getByLabelText('Confirm password'), 'correct-horse');
    await user.click(screen.getByRole('button', { name: 'Register' }));
    expect(await screen.findByText(/You can log in now/)).toBeVisible();
    expect(api.made('POST /api/user/register')[0]?.body).toMatchObject({ username: 'ada', aff_code: 'XY12' });
  });
});

describe('register with an address', () => {
  it('sends a code, counts down, and registers with it', async () => {
    signInApi(aStatus({ email_verification: true })).answer({ 'GET /api/verification': { data: null } });
    const { user } = renderConsole('/register', api, null);
    await user.click(await screen.findByRole('button', { name: 'Send code' }));
    expect(await screen.findByText('Please enter an email address')).toBeVisible();
    await user.type(screen.getByLabelText('Email'), 'ada@mail.example');
    await user.click(screen.getByRole('button', { name: 'Send code' }));
    expect(await screen.findByRole('button', { name: /^Resend \([123]?\d\)$/ })).toBeDisabled();
    expect(api.made('GET /api/verification')[0]?.query.get('email')).toBe('ada@mail.example');
    await user.type(screen.getByLabelText('Username'), 'ada');
    await user.type(screen.getByLabelText('Password'), 'correct-horse');
    await user.type(screen.getByLabelText('Confirm password'), 'correct-horse');
    await user.click(screen.getByRole('button', { name: 'Register' }));
    expect(await screen.findByText('Please enter the code')).toBeVisible();
    await user.type(screen.getByLabelText('Verification code'), 'A1B2C3');
    await user.click(screen.getByRole('button', { name: 'Register' }));
    await waitFor(() =>
      expect(api.made('POST /api/user/register')[0]?.body).toMatchObject({
        email: 'ada@mail.example',
        verification_code: 'A1B2C3',
        password2: 'correct-horse',
      }),
    );
  });

  it('shows beside the address why no code was sent, and lets try again at once', async () => {
    signInApi(aStatus({ email_verification: true })).answer({
      'GET /api/verification': { refused: 'This domain is not welcome' },
    });
    const { user } = renderConsole('/register', api, null);
    await user.type(await screen.findByLabelText('Email'), 'ada@mail.example');
    await user.click(screen.getByRole('button', { name: 'Send code' }));
    expect(await screen.findByText('This domain is not welcome')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Send code' })).toBeEnabled();
  });
});

describe('set-up', () => {
  it('takes every path to the set-up page until it is done', async () => {
    signInApi(aStatus({ setup: false }));
    const { user, router } = renderConsole('/token', api, null);
    expect(await screen.findByRole('heading', { name: 'Set up Tollgate' })).toBeVisible();
    expect(router.state.location.pathname).toBe('/setup');
    expect(screen.getByText(/stored in a SQLite file/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Initialize' }));
    expect(await screen.findByText('Please enter the admin username')).toBeVisible();
    expect(screen.getByText('Password must be at least 8 characters long')).toBeVisible();
  });

  it('leaves the account out when there is a root already', async () => {
    signInApi(aStatus({ setup: false })).answer({
      'GET /api/setup': {
        data: { status: false, root_init: true, database_type: 'mysql', token_required: false },
      },
      'POST /api/setup': { refused: 'no' },
    });
    const { user } = renderConsole('/setup', api, null);
    expect(await screen.findByText(/root account already exists/)).toBeVisible();
    expect(screen.queryByLabelText(/^Username/)).toBeNull();
    await user.click(screen.getByRole('radio', { name: /Self-use/ }));
    await user.click(screen.getByRole('button', { name: 'Initialize' }));
    expect(await screen.findByText('no')).toBeVisible();
    expect(api.made('POST /api/setup')[0]?.body).toMatchObject({
      SelfUseModeEnabled: true,
      DemoSiteEnabled: false,
    });
  });
});
