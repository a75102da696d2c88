import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { aSelf, aStatus } from '../../testing/builders';
import { bareList, FakeApi, type Routes } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';

const ADA = { id: 7, username: 'ada', display_name: 'Ada', role: 1, status: 1, group: 'default' };

let api: FakeApi;
afterEach(() => api.stop());

function callbackApi(routes: Routes): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/token': bareList([]),
    'GET /api/home_page_content': { data: '' },
    'GET /api/user/self': { data: aSelf() },
    'GET /api/user/self/sessions': { data: [] },
    'GET /api/user/2fa/status': {
      data: { enabled: false, locked: false, backup_codes_remaining: 0, has_password: true },
    },
    'GET /api/user/passkey': { data: { enabled: false, available: true, items: [] } },
    ...routes,
  });
  return api;
}

describe('coming back from an outside service', () => {
  it.each(['github', 'oidc', 'linuxdo'])('signs in by %s and lands at the tokens', async (provider) => {
    callbackApi({ [`GET /api/oauth/${provider}`]: { data: ADA } });
    localStorage.setItem('aff', 'XY12');
    const { router } = renderConsole(`/oauth/${provider}?code=c1&state=s1`, api, null);
    await waitFor(() => expect(router.state.location.pathname).toBe('/token'));
    expect(await screen.findByText('Login succeeded')).toBeVisible();
    expect(localStorage.getItem('aff')).toBeNull();
    const made = api.made(`GET /api/oauth/${provider}`);
    expect(made).toHaveLength(1);
    expect(Object.fromEntries(made[0]?.query ?? [])).toEqual({ code: 'c1', state: 's1' });
  });

  it('reports that an identity was bound and opens the personal settings', async () => {
    callbackApi({ 'GET /api/oauth/github': { data: null, members: { message: 'bind' } } });
    const { router } = renderConsole('/oauth/github?code=c1&state=s1', api);
    await waitFor(() => expect(router.state.location.pathname).toBe('/personal'));
    expect(await screen.findByText('Binding succeeded')).toBeVisible();
    expect(JSON.parse(localStorage.getItem('user') ?? '{}')).toMatchObject({ username: 'root' });
  });

  it('asks for the second step of an account that has one', async () => {
    callbackApi({ 'GET /api/oauth/oidc': { data: { require_2fa: true, ticket: 't9' } } });
    const { router } = renderConsole('/oauth/oidc?code=c1&state=s1', api, null);
    expect(await screen.findByRole('heading', { name: 'Two-factor login' })).toBeVisible();
    expect(router.state.location.pathname).toBe('/login');
    expect(localStorage.getItem('user')).toBeNull();
  });

  it('shows what the server refused and leads a guest to the login page', async () => {
    callbackApi({ 'GET /api/oauth/github': { refused: 'This sign-in attempt is used up', status: 403 } });
    const { router } = renderConsole('/oauth/github?code=c1&state=s1', api, null);
    expect(await screen.findByText('This sign-in attempt is used up')).toBeVisible();
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  });

  it('hands a refusal of the service to the server, which knows the sentence', async () => {
    callbackApi({ 'GET /api/oauth/linuxdo': { refused: 'Broken off at Linux DO: denied' } });
    renderConsole('/oauth/linuxdo?error=access_denied&error_description=denied&state=s1', api, null);
    expect(await screen.findByText('Broken off at Linux DO: denied')).toBeVisible();
    expect(api.made('GET /api/oauth/linuxdo')[0]?.query.get('error')).toBe('access_denied');
  });

  it.each(['/oauth/github', '/oauth/gitlab?code=c&state=s', '/oauth/telegram/login?id=1'])(
    'does not ask the server about %s',
    async (address) => {
      callbackApi({});
      renderConsole(address, api, null);
      expect(await screen.findByText(/incomplete answer/)).toBeVisible();
      expect(api.calls.filter((call) => call.path.startsWith('/api/oauth'))).toEqual([]);
    },
  );
});

describe('coming back from Telegram', () => {
  const SIGNED = 'id=5&first_name=Ada&auth_date=1795262400&hash=abc';

  it('signs in and lands at home', async () => {
    callbackApi({ 'GET /api/oauth/telegram/login': { data: ADA } });
    const { router } = renderConsole(`/oauth/telegram/login?${SIGNED}`, api, null);
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    expect(api.made('GET /api/oauth/telegram/login')[0]?.query.get('hash')).toBe('abc');
  });

  it('binds with the state that waited in this tab, once [TG-03]', async () => {
    sessionStorage.setItem('telegram-bind-state', 's7');
    callbackApi({ 'POST /api/oauth/telegram/bind': { data: null } });
    const { router } = renderConsole(`/oauth/telegram/bind?${SIGNED}`, api);
    await waitFor(() => expect(router.state.location.pathname).toBe('/personal'));
    expect(api.made('POST /api/oauth/telegram/bind')[0]?.body).toMatchObject({
      id: '5',
      hash: 'abc',
      state: 's7',
    });
    expect(sessionStorage.getItem('telegram-bind-state')).toBeNull();
  });
});
