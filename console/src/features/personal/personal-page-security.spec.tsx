import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { leave } from '../../shared/browser/leave';
import { accountZone } from '../../shared/format/zone';
import { NOON } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { installPasskeys } from '../../testing/passkeys';
import { ADA, personalApi, type PersonalStage, TWO_FACTOR_OFF } from '../../testing/personal';
import { renderConsole } from '../../testing/render';

const CODES = ['aaaa-bbbb', 'cccc-dddd'];
let api: FakeApi;
afterEach(() => {
  api.stop();
  accountZone.clear();
  jest.restoreAllMocks();
});

function openPersonal(stage: PersonalStage = {}) {
  api = personalApi(stage);
  const { tab = '' } = stage;
  return renderConsole(tab === '' ? '/personal' : `/personal?tab=${tab}`, api, ADA);
}

const section = async (name: string) => within(await screen.findByRole('region', { name }));

describe('personal settings: password', () => {
  it('holds to the rules of the specification', async () => {
    const { user } = openPersonal({ tab: 'security' });
    const form = await section('Password');
    await user.click(form.getByRole('button', { name: 'Change password' }));
    expect(await form.findByText('Please enter your current password')).toBeVisible();
    expect(form.getByText('Please enter a new password')).toBeVisible();
    await user.type(form.getByLabelText('Current password'), 'old-password');
    await user.type(form.getByLabelText('New password'), 'old-password');
    expect(await form.findByText('The new password must differ from the current one')).toBeVisible();
    await user.type(form.getByLabelText('New password'), '!');
    await user.click(form.getByRole('button', { name: 'Change password' }));
    expect(await form.findByText('The two passwords are inconsistent')).toBeVisible();
  });

  it('sends both passwords and confirms the change', async () => {
    const { user } = openPersonal({ tab: 'security', routes: { 'PUT /api/user/self': { data: null } } });
    const form = await section('Password');
    await user.type(form.getByLabelText('Current password'), 'old-password');
    await user.type(form.getByLabelText('New password'), 'new-password');
    await user.type(form.getByLabelText('Repeat the new password'), 'new-password{Enter}');
    expect(await screen.findByText('Password changed')).toBeVisible();
    expect(api.made('PUT /api/user/self')[0]?.body).toEqual({
      password: 'new-password',
      original_password: 'old-password',
    });
  });

  it('does not ask accounts without a password for one [SELF-101]', async () => {
    openPersonal({
      tab: 'security',
      routes: { 'GET /api/user/2fa/status': { data: { ...TWO_FACTOR_OFF, has_password: false } } },
    });
    const form = await section('Password');
    expect(await form.findByText(/You have no password yet/)).toBeVisible();
    expect(form.queryByLabelText('Current password')).toBeNull();
  });
});

describe('personal settings: recent proof', () => {
  it('asks who it is, then does what was asked for [AUTH-12]', async () => {
    let proven = false;
    const { user } = openPersonal({
      tab: 'security',
      routes: {
        'POST /api/user/token': () =>
          proven
            ? { data: 'token-of-32-characters-aaaaaaaaaa' }
            : { refused: 'recent login', status: 403, members: { code: 'login_not_fresh' } },
        'GET /api/verify/status': {
          data: { required: true, fresh: false, expires_at: 0, methods: ['password', '2fa'] },
        },
        'POST /api/verify': () => {
          proven = true;
          return { data: null };
        },
      },
    });
    const token = await section('System access token');
    await user.click(token.getByRole('button', { name: 'Generate' }));
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Generate' }),
    );
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm your identity' }));
    await user.type(await dialog.findByLabelText('Current password'), 'my-password{Enter}');
    expect(await screen.findByText('Token reset and copied to the clipboard')).toBeVisible();
    expect(api.made('POST /api/verify')[0]?.body).toEqual({ method: 'password', password: 'my-password' });
    expect(api.made('POST /api/user/token')).toHaveLength(2);
  });

  it('does nothing when the person thinks again', async () => {
    const { user } = openPersonal({
      tab: 'security',
      routes: {
        'POST /api/user/token': {
          refused: 'This needs a recent login',
          status: 403,
          members: { code: 'login_not_fresh' },
        },
        'GET /api/verify/status': {
          data: { required: true, fresh: false, expires_at: 0, methods: ['password'] },
        },
      },
    });
    const token = await section('System access token');
    await user.click(token.getByRole('button', { name: 'Generate' }));
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Generate' }),
    );
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm your identity' }));
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('This needs a recent login')).toBeVisible();
    expect(api.made('POST /api/user/token')).toHaveLength(1);
  });
});

describe('personal settings: two-factor login', () => {
  it('enrols an app and shows the recovery codes once', async () => {
    const { user } = openPersonal({
      tab: 'security',
      routes: {
        'POST /api/user/2fa/setup': {
          data: {
            secret: 'JBSWY3DPEHPK3PXP',
            qr_code_data: 'otpauth://totp/gate:ada?secret=JBSWY3DPEHPK3PXP',
          },
        },
        'POST /api/user/2fa/enable': { refused: 'The code is wrong' },
      },
    });
    const part = await section('Two-factor login');
    await user.click(await part.findByRole('button', { name: 'Set up two-factor login' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Set up two-factor login' }));
    expect(await dialog.findByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
    expect(dialog.getByText('JBSWY3DPEHPK3PXP')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Turn on' }));
    expect(await dialog.findByText('The code has six digits')).toBeVisible();
    await user.type(dialog.getByLabelText('Authenticator code'), '123 456');
    await user.type(dialog.getByLabelText('Current password'), 'my-password{Enter}');
    expect(await dialog.findByText('The code is wrong')).toBeVisible();
    api.answer({
      'POST /api/user/2fa/enable': { data: { backup_codes: CODES } },
      'GET /api/user/2fa/status': { data: { ...TWO_FACTOR_OFF, enabled: true, backup_codes_remaining: 2 } },
    });
    await user.click(dialog.getByRole('button', { name: 'Turn on' }));
    const codes = within(await screen.findByRole('dialog', { name: 'Your recovery codes' }));
    expect(codes.getAllByRole('listitem').map((item) => item.textContent)).toEqual(CODES);
    expect(api.made('POST /api/user/2fa/enable').at(-1)?.body).toEqual({
      code: '123456',
      password: 'my-password',
    });
    await user.keyboard('{Escape}');
    expect(codes.getByText(CODES[0] ?? '')).toBeVisible();
    await user.click(codes.getByRole('button', { name: 'I have saved them' }));
    await waitFor(() => expect(screen.queryByText(CODES[0] ?? '')).toBeNull());
    expect(await part.findByText('2 recovery codes left')).toBeVisible();
  });

  it('switches off by password and code together', async () => {
    const { user } = openPersonal({
      tab: 'security',
      routes: {
        'GET /api/user/2fa/status': {
          data: { ...TWO_FACTOR_OFF, enabled: true, backup_codes_remaining: 10 },
        },
        'POST /api/user/2fa/disable': { data: null },
      },
    });
    const part = await section('Two-factor login');
    await user.click(await part.findByRole('button', { name: 'Turn off two-factor login' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Authenticator code or recovery code'), '123456');
    await user.click(dialog.getByRole('button', { name: 'Turn off' }));
    expect(await dialog.findByText('Please enter your current password')).toBeVisible();
    await user.type(dialog.getByLabelText('Current password'), 'my-password{Enter}');
    expect(await screen.findByText('Two-factor login is off')).toBeVisible();
    expect(api.made('POST /api/user/2fa/disable')[0]?.body).toEqual({
      code: '123456',
      password: 'my-password',
    });
  });

  it('replaces the recovery codes', async () => {
    const { user } = openPersonal({
      tab: 'security',
      routes: {
        'GET /api/user/2fa/status': { data: { ...TWO_FACTOR_OFF, enabled: true, backup_codes_remaining: 1 } },
        'POST /api/user/2fa/backup_codes': { data: { backup_codes: CODES } },
      },
    });
    const part = await section('Two-factor login');
    expect(await part.findByText('1 recovery code left')).toBeVisible();
    await user.click(part.getByRole('button', { name: 'New recovery codes' }));
    await user.type(await screen.findByLabelText('Authenticator code'), '123456{Enter}');
    expect(await screen.findByText(CODES[1] ?? '')).toBeVisible();
  });
});

describe('personal settings: passkeys', () => {
  let authenticator: ReturnType<typeof installPasskeys>;
  beforeEach(() => {
    authenticator = installPasskeys();
  });
  afterEach(() => authenticator.remove());

  const LAPTOP = { id: 3, name: 'Laptop', created_at: NOON, last_used_at: 0, synced: true };
  const BEGIN = {
    data: {
      options: {
        challenge: 'AQIDBA',
        rp: { name: 'Tollgate', id: 'localhost' },
        user: { id: 'AQIDBA', name: 'ada', displayName: 'Ada' },
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      },
    },
  };

  it('adds one under a name', async () => {
    const { user } = openPersonal({
      tab: 'security',
      routes: {
        'POST /api/user/passkey/register/begin': BEGIN,
        'POST /api/user/passkey/register/finish': { data: null },
      },
    });
    const part = await section('Passkeys');
    await user.click(await part.findByRole('button', { name: 'Add a passkey' }));
    const name = await screen.findByLabelText('Name');
    await user.clear(name);
    await user.type(name, 'Laptop{Enter}');
    expect(await screen.findByText('Passkey added')).toBeVisible();
    expect(api.made('POST /api/user/passkey/register/finish')[0]?.body).toMatchObject({
      name: 'Laptop',
      credential: { id: 'AQIDBA', response: { attestationObject: 'AQIDBA' } },
    });
  });

  it('shows that the device holds one already', async () => {
    authenticator.refuse('InvalidStateError');
    const { user } = openPersonal({
      tab: 'security',
      routes: { 'POST /api/user/passkey/register/begin': BEGIN },
    });
    const part = await section('Passkeys');
    await user.click(await part.findByRole('button', { name: 'Add a passkey' }));
    await user.clear(await screen.findByLabelText('Name'));
    await user.type(screen.getByLabelText('Name'), 'Laptop{Enter}');
    expect(await screen.findByText('This device already has a passkey for this account')).toBeVisible();
  });

  it('renames and deletes', async () => {
    const { user } = openPersonal({
      tab: 'security',
      routes: {
        'GET /api/user/passkey': { data: { enabled: true, available: true, items: [LAPTOP] } },
        'PUT /api/user/passkey/3': { data: null },
        'DELETE /api/user/passkey/3': { data: null },
      },
    });
    const part = await section('Passkeys');
    expect(await part.findByText(/never used/)).toBeVisible();
    await user.click(part.getByRole('button', { name: 'Rename the passkey Laptop' }));
    const name = await screen.findByLabelText('Name');
    expect(name).toHaveValue('Laptop');
    await user.clear(name);
    await user.type(name, 'Desk{Enter}');
    expect(await screen.findByText('Passkey renamed')).toBeVisible();
    expect(api.made('PUT /api/user/passkey/3')[0]?.body).toEqual({ name: 'Desk' });
    await user.click(await part.findByRole('button', { name: 'Delete the passkey Laptop' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Passkey deleted')).toBeVisible();
  });

  it('explains where none can be added', async () => {
    openPersonal({
      tab: 'security',
      routes: { 'GET /api/user/passkey': { data: { enabled: false, available: false, items: [] } } },
    });
    const part = await section('Passkeys');
    expect(await part.findByText(/Passkeys need https/)).toBeVisible();
    expect(part.getByRole('button', { name: 'Add a passkey' })).toBeDisabled();
  });
});

describe('personal settings: bindings', () => {
  it('lists what is switched on or bound, and leaves for the service with the intent to bind', async () => {
    const left = jest.spyOn(leave, 'for').mockImplementation(() => undefined);
    const { user } = openPersonal({
      tab: 'security',
      status: { github_oauth: true },
      self: { oidc_id: 'sub-1', email: '' },
      routes: { 'POST /api/oauth/start': { data: { url: 'https://github.example/', state: 's' } } },
    });
    const part = await section('Linked accounts');
    expect(part.getAllByRole('listitem')).toHaveLength(3);
    expect(part.getByText('sub-1')).toBeVisible();
    expect(part.queryByText('Telegram')).toBeNull();
    await user.click(part.getByRole('button', { name: 'Bind GitHub' }));
    await waitFor(() => expect(left).toHaveBeenCalledWith('https://github.example/'));
    expect(api.made('POST /api/oauth/start')[0]?.body).toEqual({ provider: 'github', intent: 'bind' });
  });

  it('unbinds after a question, and shows why it may not', async () => {
    const { user } = openPersonal({
      tab: 'security',
      self: { github_id: '4711' },
      routes: { 'DELETE /api/user/self/identities/github': { refused: 'This is the only way to sign in' } },
    });
    const part = await section('Linked accounts');
    await user.click(part.getByRole('button', { name: 'Unbind GitHub' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Unbind' }));
    expect(await screen.findByText('This is the only way to sign in')).toBeVisible();
    expect(part.getByText('4711')).toBeVisible();
  });

  it('binds an address by its code', async () => {
    const { user } = openPersonal({
      tab: 'security',
      self: { email: '' },
      routes: {
        'GET /api/verification': { data: null },
        'POST /api/oauth/email/bind': { data: null },
      },
    });
    const part = await section('Linked accounts');
    await user.click(part.getByRole('button', { name: 'Bind an email address' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Email'), 'ada@mail.example');
    await user.click(dialog.getByRole('button', { name: 'Send code' }));
    expect(await dialog.findByRole('button', { name: /^Resend/ })).toBeDisabled();
    await user.click(dialog.getByRole('button', { name: 'Bind' }));
    expect(await dialog.findByText('Please enter the email verification code')).toBeVisible();
    await user.type(dialog.getByLabelText('Verification code'), 'A1B2C3{Enter}');
    expect(await screen.findByText('Email address bound')).toBeVisible();
    expect(api.made('POST /api/oauth/email/bind')[0]?.body).toEqual({
      email: 'ada@mail.example',
      code: 'A1B2C3',
    });
  });

  it('binds WeChat by the code of its account', async () => {
    const { user } = openPersonal({
      tab: 'security',
      status: { wechat_login: true, wechat_qrcode: 'https://gate.example/qr.png' },
      routes: { 'POST /api/oauth/wechat/bind': { data: null } },
    });
    const part = await section('Linked accounts');
    await user.click(part.getByRole('button', { name: 'Bind WeChat' }));
    await user.type(await screen.findByLabelText('Code'), '123456{Enter}');
    expect(await screen.findByText('Binding succeeded')).toBeVisible();
    expect(api.made('POST /api/oauth/wechat/bind')[0]?.body).toEqual({ code: '123456' });
  });

  it('writes the wish to bind Telegram down before showing its button [TG-03]', async () => {
    const { user } = openPersonal({
      tab: 'security',
      status: { telegram_oauth: true, telegram_bot_name: 'gate_bot' },
      routes: { 'POST /api/oauth/start': { data: { url: '', state: 's9' } } },
    });
    const part = await section('Linked accounts');
    await user.click(part.getByRole('button', { name: 'Bind Telegram' }));
    const place = await screen.findByRole('group', { name: 'Telegram' });
    expect(place.querySelector('script')?.dataset['authUrl']).toMatch(/\/oauth\/telegram\/bind$/);
    expect(sessionStorage.getItem('telegram-bind-state')).toBe('s9');
  });
});
