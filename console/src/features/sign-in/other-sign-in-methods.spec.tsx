import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { leave } from '../../shared/browser/leave';
import { aStatus } from '../../testing/builders';
import { bareList, FakeApi, type Routes } from '../../testing/fake-api';
import { installPasskeys } from '../../testing/passkeys';
import { renderConsole } from '../../testing/render';

const ADA = { id: 7, username: 'ada', display_name: 'Ada', role: 1, status: 1, group: 'default' };

let api: FakeApi;
afterEach(() => {
  api.stop();
  jest.restoreAllMocks();
});

function signInApi(status: Parameters<typeof aStatus>[0], routes: Routes = {}): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus(status) },
    'GET /api/token': bareList([]),
    'GET /api/home_page_content': { data: '' },
    ...routes,
  });
  return api;
}

describe('outside ways in', () => {
  it('offers none that is not switched on', async () => {
    signInApi({ passkey_login: false });
    renderConsole('/login', api, null);
    expect(await screen.findByRole('button', { name: 'Log in' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /Continue with/ })).toBeNull();
  });

  it('offers each that is, on login and on register', async () => {
    const all = { github_oauth: true, oidc_enabled: true, linuxdo_oauth: true, wechat_login: true };
    signInApi(all);
    const { user } = renderConsole('/login', api, null);
    for (const name of ['GitHub', 'OIDC', 'Linux DO', 'WeChat']) {
      expect(await screen.findByRole('button', { name: `Continue with ${name}` })).toBeVisible();
    }
    await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Register' }));
    expect(await screen.findByRole('heading', { name: 'Create an account' })).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Continue with Linux DO' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /passkey/ })).toBeNull();
  });

  it('asks the server for the way out and takes the invite code along [OAUTH-103]', async () => {
    const left = jest.spyOn(leave, 'for').mockImplementation(() => undefined);
    signInApi(
      { github_oauth: true },
      { 'POST /api/oauth/start': { data: { url: 'https://github.example/authorize?state=s', state: 's' } } },
    );
    const { user } = renderConsole('/login?aff=XY12', api, null);
    await user.click(await screen.findByRole('button', { name: 'Continue with GitHub' }));
    await waitFor(() => expect(left).toHaveBeenCalledWith('https://github.example/authorize?state=s'));
    expect(api.made('POST /api/oauth/start')[0]?.body).toEqual({
      provider: 'github',
      intent: 'login',
      aff: 'XY12',
    });
  });

  it('signs in by the code of the WeChat account and lands at home', async () => {
    signInApi(
      { wechat_login: true, wechat_qrcode: 'https://gate.example/qr.png' },
      { 'GET /api/oauth/wechat': { refused: 'The code is wrong' } },
    );
    const { user, router } = renderConsole('/login', api, null);
    await user.click(await screen.findByRole('button', { name: 'Continue with WeChat' }));
    expect(await screen.findByRole('img', { name: /QR code/ })).toHaveAttribute(
      'src',
      'https://gate.example/qr.png',
    );
    expect(screen.getByText(/valid for three minutes/)).toBeVisible();
    await user.type(screen.getByLabelText('Code'), '123456{Enter}');
    expect(await screen.findByText('The code is wrong')).toBeVisible();
    api.answer({ 'GET /api/oauth/wechat': { data: ADA } });
    await user.type(screen.getByLabelText('Code'), '{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    expect(api.made('GET /api/oauth/wechat').at(-1)?.query.get('code')).toBe('123456');
    expect(JSON.parse(localStorage.getItem('user') ?? '{}')).toMatchObject({ id: 7 });
  });

  it('puts Telegram’s button in, returning to a page of the console without text run as code', async () => {
    signInApi({ telegram_oauth: true, telegram_bot_name: 'gate_bot' });
    renderConsole('/login', api, null);
    const place = await screen.findByRole('group', { name: 'Telegram' });
    const script = place.querySelector('script');
    expect(script?.src).toBe('https://telegram.org/js/telegram-widget.js?22');
    expect(script?.dataset).toMatchObject({
      telegramLogin: 'gate_bot',
      authUrl: `${window.location.origin}/oauth/telegram/login`,
    });
    expect(script?.dataset).not.toHaveProperty('onauth');
  });
});

describe('passkeys', () => {
  let authenticator: ReturnType<typeof installPasskeys>;
  beforeEach(() => {
    authenticator = installPasskeys();
  });
  afterEach(() => authenticator.remove());

  const routes: Routes = {
    'POST /api/user/passkey/login/begin': {
      data: { options: { challenge: 'AQIDBA', rpId: 'localhost', userVerification: 'required' } },
    },
    'POST /api/user/passkey/login/finish': { data: ADA },
  };

  it('signs in without a name', async () => {
    signInApi({}, routes);
    const { user, router } = renderConsole('/login', api, null);
    await user.click(await screen.findByRole('button', { name: 'Continue with a passkey' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/token'));
    expect(api.made('POST /api/user/passkey/login/finish')[0]?.body).toMatchObject({
      credential: { id: 'AQIDBA', type: 'public-key', response: { signature: 'AQIDBA' } },
    });
  });

  it('shows in plain words that it was cancelled', async () => {
    signInApi({}, routes);
    authenticator.refuse('NotAllowedError');
    const { user } = renderConsole('/login', api, null);
    await user.click(await screen.findByRole('button', { name: 'Continue with a passkey' }));
    expect(await screen.findByText(/passkey request was canceled/)).toBeVisible();
    expect(api.made('POST /api/user/passkey/login/finish')).toEqual([]);
  });
});
