import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { leave } from '../../shared/browser/leave';
import { formatSeconds } from '../../shared/format/timestamp';
import { accountZone, browserZone } from '../../shared/format/zone';
import { aSelf, aStatus, NOON } from '../../testing/builders';
import { FakeApi, type Routes } from '../../testing/fake-api';
import { installPasskeys } from '../../testing/passkeys';
import { renderConsole } from '../../testing/render';

const TWO_FACTOR_OFF = { enabled: false, locked: false, backup_codes_remaining: 0, has_password: true };
const CODES = ['aaaa-bbbb', 'cccc-dddd'];
const ADA = { id: 7, username: 'ada', display_name: 'Ada', role: 1 };

let api: FakeApi;
afterEach(() => {
  api.stop();
  accountZone.clear();
  jest.restoreAllMocks();
});

interface Stage {
  readonly tab?: string;
  readonly self?: Parameters<typeof aSelf>[0];
  readonly status?: Parameters<typeof aStatus>[0];
  readonly routes?: Routes;
}

function openPersonal({ tab = '', self = {}, status = {}, routes = {} }: Stage = {}) {
  api = new FakeApi({
    'GET /api/status': { data: aStatus(status) },
    'GET /api/user/self': { data: aSelf({ id: 7, username: 'ada', role: 1, ...self }) },
    'GET /api/user/models': { data: Array.from({ length: 13 }, (_, index) => `model-${index + 10}`) },
    'GET /api/user/aff': { data: 'QW8e' },
    'GET /api/user/self/sessions': { data: [] },
    'GET /api/user/2fa/status': { data: TWO_FACTOR_OFF },
    'GET /api/user/passkey': { data: { enabled: false, available: true, items: [] } },
    ...routes,
  });
  return renderConsole(tab === '' ? '/personal' : `/personal?tab=${tab}`, api, ADA);
}

const section = async (name: string) => within(await screen.findByRole('region', { name }));

describe('personal settings: account', () => {
  it('shows balance, used quota and requests', async () => {
    openPersonal();
    const money = await section('Account');
    expect(money.getByText('$99.75')).toBeVisible();
    expect(money.getByText('$0.25')).toBeVisible();
    expect(money.getByText('42')).toBeVisible();
  });

  it('proposes the time zone of the browser, and keeps the one that is chosen', async () => {
    const { user } = openPersonal({ routes: { 'PUT /api/user/setting': { data: null } } });
    const zone = await section('Time zone');
    const field = zone.getByRole('combobox', { name: 'Time zone of your days' });
    expect(field).toHaveValue(browserZone());
    expect(zone.getByText(/Not saved yet/)).toBeVisible();
    await user.clear(field);
    await user.type(field, 'Eucla');
    await user.click(await screen.findByRole('option', { name: 'Australia/Eucla' }));
    await user.click(zone.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Time zone saved')).toBeVisible();
    expect(api.made('PUT /api/user/setting').map((call) => call.body)).toEqual([
      { time_zone: 'Australia/Eucla' },
    ]);
  });

  it('shows times in the time zone of the account', async () => {
    openPersonal({ self: { setting: '{"time_zone":"Asia/Kolkata"}' } });
    expect((await section('Time zone')).getByRole('combobox')).toHaveValue('Asia/Kolkata');
    expect(formatSeconds(0)).toBe('1970-01-01 05:30:00');
  });

  it('shows ten models, the rest on demand, each copied by a click', async () => {
    const { user } = openPersonal();
    const models = await section('Models you may call');
    expect(await models.findAllByRole('listitem')).toHaveLength(10);
    await user.click(models.getByRole('button', { name: '3 more models' }));
    expect(models.getAllByRole('listitem')).toHaveLength(13);
    const written = jest.spyOn(navigator.clipboard, 'writeText');
    await user.click(models.getByRole('button', { name: 'Copy model-22' }));
    expect(written).toHaveBeenCalledWith('model-22');
  });

  it('shows the invite link and what it earned', async () => {
    const { user } = openPersonal({
      self: { aff_quota: 250_000, aff_history_quota: 1_000_000, aff_count: 4 },
    });
    const invite = await section('Invite friends');
    expect(await invite.findByLabelText('Invite link')).toHaveValue('https://gate.example/register?aff=QW8e');
    expect(invite.getByText('$0.50')).toBeVisible();
    expect(invite.getByText('$2.00')).toBeVisible();
    expect(invite.getByText('4')).toBeVisible();
    await user.click(invite.getByRole('button', { name: 'Copy' }));
    expect(await screen.findByText('Invite link copied to the clipboard')).toBeVisible();
  });

  it('moves earnings from one unit upwards, and no more than there is', async () => {
    const { user } = openPersonal({
      self: { aff_quota: 1_250_000 },
      routes: { 'POST /api/user/aff_transfer': { data: null } },
    });
    await user.click(await screen.findByRole('button', { name: 'Transfer to balance' }));
    const amount = await screen.findByLabelText('Amount');
    expect(amount).toHaveValue('1250000');
    await user.clear(amount);
    await user.type(amount, '499999');
    await user.click(screen.getByRole('button', { name: 'Transfer' }));
    expect(await screen.findByText('The transfer amount minimum is $1.00')).toBeVisible();
    await user.clear(amount);
    await user.type(amount, '1250001');
    expect(await screen.findByText('You have $2.50 to transfer')).toBeVisible();
    expect(api.made('POST /api/user/aff_transfer')).toEqual([]);
    await user.clear(amount);
    await user.type(amount, '500000');
    await user.click(screen.getByRole('button', { name: 'Transfer' }));
    expect(await screen.findByText('$1.00 moved to your balance')).toBeVisible();
    expect(api.made('POST /api/user/aff_transfer')[0]?.body).toEqual({
      quota: 500_000,
      operation_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it('repeats a failed transfer under the same name, so that it is booked once', async () => {
    const { user } = openPersonal({
      self: { aff_quota: 1_000_000 },
      routes: { 'POST /api/user/aff_transfer': { unreachable: true } },
    });
    await user.click(await screen.findByRole('button', { name: 'Transfer to balance' }));
    await user.click(await screen.findByRole('button', { name: 'Transfer' }));
    expect(await screen.findByText('Unable to connect to server')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Transfer' }));
    await waitFor(() => expect(api.made('POST /api/user/aff_transfer')).toHaveLength(2));
    const [first, second] = api.made('POST /api/user/aff_transfer');
    expect(second?.body).toEqual(first?.body);
  });

  it('deletes the account only when its name was typed', async () => {
    const { user, router } = openPersonal({ routes: { 'DELETE /api/user/self': { data: null } } });
    const danger = await section('Delete account');
    await user.click(danger.getByRole('button', { name: 'Delete my account' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/Enter your account name to confirm deletion/)).toBeVisible();
    const action = dialog.getByRole('button', { name: 'Delete my account' });
    expect(action).toBeDisabled();
    await user.type(dialog.getByRole('textbox'), 'ada');
    await user.click(action);
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(api.made('DELETE /api/user/self')[0]?.body).toEqual({ username: 'ada' });
    expect(localStorage.getItem('user')).toBeNull();
  });

  it('does not offer root to delete itself', async () => {
    openPersonal({ self: { role: 100 } });
    expect(await screen.findByRole('region', { name: 'Account' })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Delete account' })).toBeNull();
  });
});

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

  it('sends both passwords and says that it is done', async () => {
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

  it('asks nobody for a password they never had (SELF-1)', async () => {
    openPersonal({
      tab: 'security',
      routes: { 'GET /api/user/2fa/status': { data: { ...TWO_FACTOR_OFF, has_password: false } } },
    });
    const form = await section('Password');
    expect(await form.findByText(/You have none yet/)).toBeVisible();
    expect(form.queryByLabelText('Current password')).toBeNull();
  });
});

describe('personal settings: recent proof', () => {
  it('asks who it is, then does what was asked for (AUTH-12)', async () => {
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
    const dialog = within(await screen.findByRole('dialog', { name: 'Is it you?' }));
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
    const dialog = within(await screen.findByRole('dialog', { name: 'Is it you?' }));
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
    await user.click(dialog.getByRole('button', { name: 'Switch on' }));
    expect(await dialog.findByText('The code has six digits')).toBeVisible();
    await user.type(dialog.getByLabelText('Code of the app'), '123 456');
    await user.type(dialog.getByLabelText('Current password'), 'my-password{Enter}');
    expect(await dialog.findByText('The code is wrong')).toBeVisible();
    api.answer({
      'POST /api/user/2fa/enable': { data: { backup_codes: CODES } },
      'GET /api/user/2fa/status': { data: { ...TWO_FACTOR_OFF, enabled: true, backup_codes_remaining: 2 } },
    });
    await user.click(dialog.getByRole('button', { name: 'Switch on' }));
    const codes = within(await screen.findByRole('dialog', { name: 'Your recovery codes' }));
    expect(codes.getAllByRole('listitem').map((item) => item.textContent)).toEqual(CODES);
    expect(api.made('POST /api/user/2fa/enable').at(-1)?.body).toEqual({
      code: '123456',
      password: 'my-password',
    });
    await user.keyboard('{Escape}');
    expect(codes.getByText(CODES[0] ?? '')).toBeVisible();
    await user.click(codes.getByRole('button', { name: 'I have kept them' }));
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
    await user.click(await part.findByRole('button', { name: 'Switch off two-factor login' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Code of the app, or a recovery code'), '123456');
    await user.click(dialog.getByRole('button', { name: 'Switch off' }));
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
    await user.type(await screen.findByLabelText('Code of the app'), '123456{Enter}');
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

  it('says that the device holds one already', async () => {
    authenticator.refuse('InvalidStateError');
    const { user } = openPersonal({
      tab: 'security',
      routes: { 'POST /api/user/passkey/register/begin': BEGIN },
    });
    const part = await section('Passkeys');
    await user.click(await part.findByRole('button', { name: 'Add a passkey' }));
    await user.clear(await screen.findByLabelText('Name'));
    await user.type(screen.getByLabelText('Name'), 'Laptop{Enter}');
    expect(await screen.findByText('This device holds a passkey of this account already')).toBeVisible();
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
    const part = await section('Account bindings');
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
    const part = await section('Account bindings');
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
    const part = await section('Account bindings');
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
    const part = await section('Account bindings');
    await user.click(part.getByRole('button', { name: 'Bind WeChat' }));
    await user.type(await screen.findByLabelText('Code'), '123456{Enter}');
    expect(await screen.findByText('Binding succeeded')).toBeVisible();
    expect(api.made('POST /api/oauth/wechat/bind')[0]?.body).toEqual({ code: '123456' });
  });

  it('writes the wish to bind Telegram down before showing its button (TG-03)', async () => {
    const { user } = openPersonal({
      tab: 'security',
      status: { telegram_oauth: true, telegram_bot_name: 'gate_bot' },
      routes: { 'POST /api/oauth/start': { data: { url: '', state: 's9' } } },
    });
    const part = await section('Account bindings');
    await user.click(part.getByRole('button', { name: 'Bind Telegram' }));
    const place = await screen.findByRole('group', { name: 'Telegram' });
    expect(place.querySelector('script')?.dataset['authUrl']).toMatch(/\/oauth\/telegram\/bind$/);
    expect(sessionStorage.getItem('telegram-bind-state')).toBe('s9');
  });
});

describe('personal settings: sessions', () => {
  it('ends one, and all others at once', async () => {
    const chrome = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36';
    const session = { created_at: NOON, last_seen_at: NOON, ip: '192.0.2.1', user_agent: chrome };
    const { user } = openPersonal({
      tab: 'security',
      routes: {
        'GET /api/user/self/sessions': {
          data: [
            { ...session, id: 'a'.repeat(16), way: 'passkey', current: true },
            { ...session, id: 'b'.repeat(16), way: 'github', current: false },
          ],
        },
        [`DELETE /api/user/self/sessions/${'b'.repeat(16)}`]: { data: null },
        'DELETE /api/user/self/sessions': { data: null },
      },
    });
    const part = await section('Signed in on');
    expect(await part.findByText('This browser')).toBeVisible();
    expect(part.getByText(/GitHub/)).toBeVisible();
    await user.click(part.getByRole('button', { name: /End the session/ }));
    expect(await screen.findByText('Session ended')).toBeVisible();
    await user.click(part.getByRole('button', { name: 'Sign out everywhere else' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/1 other session ends at once/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Sign out' }));
    expect(await screen.findByText('Signed out everywhere else')).toBeVisible();
  });
});

describe('personal settings: notifications', () => {
  it('starts at the threshold of the specification and offers its presets in dollars', async () => {
    const { user } = openPersonal({
      tab: 'notifications',
      routes: { 'PUT /api/user/setting': { data: null } },
    });
    const form = await section('Low-balance notice');
    expect(form.getByLabelText('Threshold')).toHaveValue('500000');
    for (const preset of ['$0.2', '$1', '$2', '$10']) {
      expect(form.getByRole('button', { name: preset })).toBeVisible();
    }
    await user.click(form.getByRole('button', { name: '$10' }));
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Notification settings saved')).toBeVisible();
    expect(api.made('PUT /api/user/setting')[0]?.body).toEqual({
      notify_type: 'email',
      quota_warning_threshold: 5_000_000,
      language: 'en',
    });
  });

  it('takes https webhooks only, and never shows the secret it has', async () => {
    const { user } = openPersonal({
      tab: 'notifications',
      self: {
        setting: JSON.stringify({
          notify_type: 'webhook',
          webhook_url: 'https://hooks.example/a',
          webhook_secret_set: true,
        }),
      },
      routes: { 'PUT /api/user/setting': { data: null } },
    });
    const form = await section('Low-balance notice');
    expect(form.getByText('One is stored. Leave this empty to keep it.')).toBeVisible();
    const url = form.getByLabelText('Webhook address');
    await user.clear(url);
    await user.type(url, 'http://hooks.example');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await form.findByText('The webhook address must start with https://')).toBeVisible();
    await user.clear(url);
    await user.type(url, 'https://hooks.example/b');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(api.made('PUT /api/user/setting')).toHaveLength(1));
    expect(api.made('PUT /api/user/setting')[0]?.body).not.toHaveProperty('webhook_secret');
    await user.click(form.getByRole('switch', { name: 'Remove the stored secret' }));
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(api.made('PUT /api/user/setting')[1]?.body).toMatchObject({ clear_webhook_secret: true }),
    );
  });

  it('proves another address by a code (SELF-4)', async () => {
    const { user } = openPersonal({
      tab: 'notifications',
      self: { email: 'ada@mail.example' },
      routes: { 'PUT /api/user/setting': { data: null }, 'GET /api/verification': { data: null } },
    });
    const form = await section('Low-balance notice');
    await user.type(form.getByLabelText('Notification email'), 'ops@mail.example');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(await form.findByText('Please enter the email verification code')).toBeVisible();
    await user.click(form.getByRole('button', { name: 'Send code' }));
    await waitFor(() => expect(api.made('GET /api/verification')).toHaveLength(1));
    expect(Object.fromEntries(api.made('GET /api/verification')[0]?.query ?? [])).toEqual({
      email: 'ops@mail.example',
      purpose: 'notification',
    });
    await user.type(form.getByLabelText('Verification code'), 'A1B2C3{Enter}');
    await waitFor(() =>
      expect(api.made('PUT /api/user/setting')[0]?.body).toMatchObject({
        notification_email: 'ops@mail.example',
        notification_email_code: 'A1B2C3',
      }),
    );
  });

  it('asks for no code for the account’s own address, and for one when the stored address was never proven', async () => {
    const { user } = openPersonal({
      tab: 'notifications',
      self: {
        email: 'ada@mail.example',
        setting: '{"notification_email":"old@mail.example","notification_email_verified":false}',
      },
      routes: { 'PUT /api/user/setting': { data: null } },
    });
    const form = await section('Low-balance notice');
    expect(form.getByLabelText('Verification code')).toBeVisible();
    const address = form.getByLabelText('Notification email');
    await user.clear(address);
    await user.type(address, 'Ada@mail.example');
    expect(form.queryByLabelText('Verification code')).toBeNull();
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(api.made('PUT /api/user/setting')[0]?.body).toMatchObject({
        notification_email: 'Ada@mail.example',
      }),
    );
  });

  it('sends a test by what is saved', async () => {
    const { user } = openPersonal({
      tab: 'notifications',
      routes: { 'POST /api/user/setting/test': { refused: 'The webhook was not delivered' } },
    });
    const form = await section('Low-balance notice');
    await user.click(form.getByRole('button', { name: 'Send a test' }));
    expect(await screen.findByText('The webhook was not delivered')).toBeVisible();
    await user.click(form.getByRole('radio', { name: 'Webhook' }));
    expect(form.getByRole('button', { name: 'Send a test' })).toBeDisabled();
    expect(form.getByText('Save before testing.')).toBeVisible();
  });
});

describe('personal settings: prices', () => {
  it('switches unpriced models on by a single member', async () => {
    const { user } = openPersonal({
      tab: 'prices',
      self: { setting: '{"accept_unset_model_ratio_model":false,"notify_type":"webhook"}' },
      routes: { 'PUT /api/user/setting': { data: null } },
    });
    await user.click(await screen.findByRole('switch', { name: 'Accept models without a set price' }));
    expect(await screen.findByText('Setting saved')).toBeVisible();
    expect(api.made('PUT /api/user/setting')[0]?.body).toEqual({ accept_unset_model_ratio_model: true });
  });
});
