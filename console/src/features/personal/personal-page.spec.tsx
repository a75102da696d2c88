import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { formatSeconds } from '../../shared/format/timestamp';
import { accountZone, browserZone } from '../../shared/format/zone';
import { NOON } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { ADA, personalApi, type PersonalStage } from '../../testing/personal';
import { renderConsole } from '../../testing/render';

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
    const field = zone.getByRole('combobox', { name: 'Your time zone' });
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
    const models = await section('Available models');
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
    expect(await screen.findByText('$1.00 transferred to your balance')).toBeVisible();
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
    const part = await section('Where you are logged in');
    expect(await part.findByText('This browser')).toBeVisible();
    expect(part.getByText(/GitHub/)).toBeVisible();
    await user.click(part.getByRole('button', { name: /End the session/ }));
    expect(await screen.findByText('Session ended')).toBeVisible();
    await user.click(part.getByRole('button', { name: 'Log out everywhere else' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/1 other session ends at once/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Log out' }));
    expect(await screen.findByText('Logged out everywhere else')).toBeVisible();
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
    expect(form.getByText('A secret is stored. Leave empty to keep it.')).toBeVisible();
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

  it('proves another address by a code [SELF-104]', async () => {
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
