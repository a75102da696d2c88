import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import { FakeTurnstile } from '../../testing/turnstile';
import { readResetLink } from './reset-link';

const NOTHING_ELSE = { identities: [], passkeys: [], may_release: false };

let api: FakeApi;
afterEach(() => {
  api.stop();
  jest.restoreAllMocks();
});

function resetApi(status: Parameters<typeof aStatus>[0] = {}): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus(status) },
    'GET /api/reset_password': { data: null },
    'POST /api/user/reset': { data: 'Xk29fQ7wLm31aBcD' },
    'GET /api/user/reset/methods': { data: NOTHING_ELSE },
    'DELETE /api/user/reset/methods': { data: null },
  });
  return api;
}

describe('asking for a reset link', () => {
  it('needs an address', async () => {
    resetApi();
    const { user } = renderConsole('/reset', api, null);
    await user.click(await screen.findByRole('button', { name: 'Send the link' }));
    expect(await screen.findByText('Please enter an email address')).toBeVisible();
    expect(api.made('GET /api/reset_password')).toEqual([]);
  });

  it('shows the same sentence for every address and counts down before the next [CODE-101]', async () => {
    resetApi();
    const { user } = renderConsole('/reset', api, null);
    await user.type(await screen.findByLabelText('Email'), ' ada@mail.example {Enter}');
    expect(await screen.findByText(/If an account has this address/)).toBeVisible();
    expect(screen.getByRole('button', { name: /^Retry \([123]?\d\)$/ })).toBeDisabled();
    expect(api.made('GET /api/reset_password')[0]?.query.get('email')).toBe('ada@mail.example');
  });

  it('waits for the human check', async () => {
    const check = new FakeTurnstile();
    resetApi({ turnstile_check: true, turnstile_site_key: 'site' });
    const { user } = renderConsole('/reset', api, null);
    await user.type(await screen.findByLabelText('Email'), 'ada@mail.example{Enter}');
    expect(await screen.findByText(/checking the environment/)).toBeVisible();
    check.solve('proof');
    await user.click(screen.getByRole('button', { name: 'Send the link' }));
    await waitFor(() => expect(api.made('GET /api/reset_password')[0]?.query.get('turnstile')).toBe('proof'));
    expect(check.rendered.at(-1)?.action).toBe('reset');
    check.remove();
  });

  it('shows the server’s refusal', async () => {
    resetApi().answer({ 'GET /api/reset_password': { refused: 'Mail is not set up' } });
    const { user } = renderConsole('/reset', api, null);
    await user.type(await screen.findByLabelText('Email'), 'ada@mail.example{Enter}');
    expect(await screen.findByText('Mail is not set up')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Send the link' })).toBeEnabled();
  });
});

describe('redeeming a reset link', () => {
  it.each(['/reset?email=ada%40mail.example&token=T1', '/user/reset?email=ada%40mail.example&token=T1'])(
    'shows the new password once and copies it: %s',
    async (address) => {
      resetApi();
      const { user, router } = renderConsole(address, api, null);
      expect(await screen.findByDisplayValue('ada@mail.example')).toBeVisible();
      await waitFor(() => expect(router.state.location.search).toBe(''));
      expect(api.made('POST /api/user/reset')).toEqual([]);
      const written = jest.spyOn(navigator.clipboard, 'writeText');
      await user.click(screen.getByRole('button', { name: 'Reset the password' }));
      const field = await screen.findByLabelText('Your new password');
      expect(field).toHaveValue('Xk29fQ7wLm31aBcD');
      expect(field).toHaveAttribute('readonly');
      expect(await screen.findByText('The password was reset and copied to the clipboard')).toBeVisible();
      expect(written).toHaveBeenCalledWith('Xk29fQ7wLm31aBcD');
      expect(api.made('POST /api/user/reset')[0]?.body).toEqual({ email: 'ada@mail.example', token: 'T1' });
    },
  );

  it('shows why a link does not work and offers another', async () => {
    resetApi().answer({ 'POST /api/user/reset': { refused: 'The reset link is invalid or has expired' } });
    const { user } = renderConsole('/user/reset?email=ada%40mail.example&token=T1', api, null);
    await user.click(await screen.findByRole('button', { name: 'Reset the password' }));
    expect(await screen.findByText('The reset link is invalid or has expired')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Request another link' })).toHaveAttribute('href', '/reset');
  });

  describe('what else signs in afterwards', () => {
    const LINK = '/reset?email=ada%40mail.example&token=T1';
    const methods = { identities: ['github'], passkeys: ['Phone'], may_release: true };

    it('shows identities and passkeys, and releases them by one press', async () => {
      resetApi().answer({ 'GET /api/user/reset/methods': { data: methods } });
      const { user } = renderConsole(LINK, api, null);
      await user.click(await screen.findByRole('button', { name: 'Reset the password' }));
      expect(await screen.findByText('GitHub')).toBeVisible();
      expect(screen.getByText('Passkey: Phone')).toBeVisible();
      await user.click(screen.getByRole('button', { name: 'Remove all' }));
      expect(await screen.findByText('Removed: only your new password works now')).toBeVisible();
      expect(api.made('DELETE /api/user/reset/methods')).toHaveLength(1);
    });

    it('sends the owner of an authenticator app to the login first', async () => {
      resetApi().answer({ 'GET /api/user/reset/methods': { data: { ...methods, may_release: false } } });
      const { user } = renderConsole(LINK, api, null);
      await user.click(await screen.findByRole('button', { name: 'Reset the password' }));
      expect(await screen.findByText(/^Log in with the new password/)).toBeVisible();
      expect(screen.queryByRole('button', { name: 'Remove all' })).toBeNull();
    });
  });

  it('reads a link from the fragment first, and nothing from half a link [CODE-109]', () => {
    expect(readResetLink('', '#email=a%2Bb%40c.d&token=x')).toEqual({ email: 'a+b@c.d', token: 'x' });
    expect(readResetLink('?email=a@c.d', '')).toBeNull();
    expect(readResetLink('?token=x', '')).toBeNull();
  });
});
