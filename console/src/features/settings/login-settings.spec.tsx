import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, waitForElementToBeRemoved, within } from '@testing-library/react';
import { aStatus } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { OPTION_FIELD_ROWS } from '../../testing/option-fields';
import { renderConsole } from '../../testing/render';

let api: FakeApi;
afterEach(() => api.stop());

const stored: Record<string, string> = {
  ServerAddress: 'https://gate.example',
  PasswordLoginEnabled: 'true',
  RegisterEnabled: 'true',
  PasswordRegisterEnabled: 'true',
  EmailVerificationEnabled: 'false',
  LinkAccountsByVerifiedMail: 'false',
  EmailDomainRestrictionEnabled: 'false',
  EmailAliasRestrictionEnabled: 'false',
  EmailDomainWhitelist: 'gmail.com,qq.com',
  SMTPPort: '587',
  LinuxDOMinimumTrustLevel: '0',
  GitHubClientId: 'Iv1.abc',
};
const SET_SECRETS = new Set(['GitHubClientSecret']);
const SECRETS = ['GitHubClientSecret', 'SMTPToken', 'oidc.client_secret'];

/** Keeps what is written, as the server does. */
function settingsApi(): FakeApi {
  const texts = new Map(Object.entries(stored));
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/option/fields': { data: OPTION_FIELD_ROWS },
    'GET /api/option': () => ({
      data: [
        ...[...texts].map(([key, value]) => ({ key, value })),
        ...SECRETS.map((key) => ({ key, value: '', is_set: SET_SECRETS.has(key) })),
      ],
    }),
    'PUT /api/option': ({ body }) => {
      const { key, value } = body as { key: string; value: string };
      if (!SECRETS.includes(key)) texts.set(key, value);
      return { data: null };
    },
  });
  return api;
}

const changes = () => api.made('PUT /api/option').map((call) => call.body);

async function openSection(name: string) {
  const rendered = renderConsole('/setting?tab=system', api);
  const section = within(await screen.findByRole('region', { name }));
  const save = () => rendered.user.click(section.getByRole('button', { name: 'Save' }));
  return { ...rendered, section, save };
}

describe('login and registration settings', () => {
  it('links accounts by a verified mail address once root allows it', async () => {
    settingsApi();
    const { user, section, save } = await openSection('Login and registration');
    await user.click(section.getByRole('switch', { name: 'Link accounts by verified email address' }));
    await save();
    expect(await screen.findByText('Saved')).toBeVisible();
    expect(changes()).toEqual([{ key: 'LinkAccountsByVerifiedMail', value: 'true' }]);
  });

  it('asks before password login is switched off, and does nothing on second thoughts', async () => {
    settingsApi();
    const { user, section, save } = await openSection('Login and registration');
    await user.click(section.getByRole('switch', { name: 'Password login' }));
    await save();
    const question = await screen.findByRole('alertdialog', { name: 'Turn off password login?' });
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    await waitForElementToBeRemoved(question);
    expect(changes()).toEqual([]);
    await save();
    const again = await screen.findByRole('alertdialog', { name: 'Turn off password login?' });
    await user.click(within(again).getByRole('button', { name: 'Turn off' }));
    expect(await screen.findByText('Saved')).toBeVisible();
    expect(changes()).toEqual([{ key: 'PasswordLoginEnabled', value: 'false' }]);
  });

  it('shows beside the switch why the server kept it', async () => {
    settingsApi().answer({ 'PUT /api/option': { refused: 'root has no other way to sign in' } });
    const { user, section, save } = await openSection('Login and registration');
    await user.click(section.getByRole('switch', { name: 'Password login' }));
    await save();
    const question = await screen.findByRole('alertdialog');
    await user.click(within(question).getByRole('button', { name: 'Turn off' }));
    expect(await screen.findByText('Save failed, please retry')).toBeVisible();
    expect(await section.findByRole('switch', { name: 'Password login' })).toHaveAccessibleDescription(
      'root has no other way to sign in',
    );
  });

  it('trims trailing slashes, and sees no change in them', async () => {
    settingsApi();
    const { user, section, save } = await openSection('Address');
    const address = section.getByLabelText('Public address');
    await user.type(address, '///');
    await save();
    expect(await screen.findByText('You seem not to have changed anything')).toBeVisible();
    await user.clear(address);
    await user.type(address, 'https://ai.example/base/');
    await save();
    const question = await screen.findByRole('alertdialog', { name: 'Move to another host name?' });
    expect(question).toHaveTextContent('Passkeys created under gate.example work only there');
    await user.click(within(question).getByRole('button', { name: 'Move' }));
    expect(await screen.findByText('Saved')).toBeVisible();
    expect(changes()).toEqual([{ key: 'ServerAddress', value: 'https://ai.example/base' }]);
  });

  it('refuses an address without http before anything is sent', async () => {
    settingsApi();
    const { user, section, save } = await openSection('Log in with OIDC');
    await user.type(section.getByLabelText(/^Token endpoint/), 'ftp://id.example/token');
    await save();
    expect(await screen.findByText('Must start with http:// or https://')).toBeVisible();
    expect(changes()).toEqual([]);
  });
});

describe('the whitelist of mail domains', () => {
  it('adds what looks like a domain, once', async () => {
    settingsApi();
    const { user, section, save } = await openSection('Email rules');
    const input = section.getByLabelText('Domains');
    for (const wrong of ['@example.com', 'example', 'a b.c']) {
      await user.clear(input);
      await user.type(input, `${wrong}{Enter}`);
      expect(section.getByText(/is not an email domain; use a form like example\.com/)).toBeVisible();
    }
    await user.clear(input);
    await user.type(input, 'QQ.com{Enter}');
    expect(section.getByText('qq.com is already in the list')).toBeVisible();
    expect(input).toBeInvalid();
    await user.clear(input);
    await user.type(input, 'Example.org{Enter}');
    expect(section.getByRole('button', { name: 'Remove example.org' })).toBeVisible();
    expect(changes()).toEqual([]);
    await save();
    expect(await screen.findByText('Saved')).toBeVisible();
    expect(changes()).toEqual([{ key: 'EmailDomainWhitelist', value: 'gmail.com,qq.com,example.org' }]);
  });

  it('saves the list before the restriction that stands on it is switched on', async () => {
    settingsApi();
    const { user, section, save } = await openSection('Email rules');
    await user.click(section.getByRole('switch', { name: 'Allow listed domains only' }));
    await user.click(section.getByRole('button', { name: 'Remove qq.com' }));
    await save();
    expect(await screen.findByText('Saved')).toBeVisible();
    expect(changes()).toEqual([
      { key: 'EmailDomainWhitelist', value: 'gmail.com' },
      { key: 'EmailDomainRestrictionEnabled', value: 'true' },
    ]);
  });
});

describe('secrets', () => {
  it('shows that one is set, and never its value', async () => {
    settingsApi();
    const { section } = await openSection('Log in with GitHub');
    expect(section.getByText('Set')).toBeVisible();
    expect(section.getByLabelText(/^Client secret/)).toHaveValue('');
    const mail = within(screen.getByRole('region', { name: 'Mail' }));
    expect(mail.getByText('Not set')).toBeVisible();
  });

  it('keeps them when nothing is typed, replaces them by what is, and clears the form afterwards', async () => {
    settingsApi();
    const { user, section, save } = await openSection('Log in with GitHub');
    await user.click(section.getByRole('switch', { name: 'Log in with GitHub' }));
    await save();
    expect(await screen.findByText('Saved')).toBeVisible();
    expect(changes()).toEqual([{ key: 'GitHubOAuthEnabled', value: 'true' }]);
    const secret = section.getByLabelText(/^Client secret/);
    await user.type(secret, 'gh-secret');
    await save();
    await waitFor(() => expect(secret).toHaveValue(''));
    expect(changes().at(-1)).toEqual({ key: 'GitHubClientSecret', value: 'gh-secret' });
  });

  it('removes one only by a deliberate act, which can be taken back before saving', async () => {
    settingsApi();
    const { user, section, save } = await openSection('Log in with GitHub');
    await user.click(section.getByRole('button', { name: 'Remove Client secret' }));
    expect(section.getByText('Will be removed')).toBeVisible();
    await user.click(section.getByRole('button', { name: 'Keep Client secret' }));
    await user.click(section.getByRole('button', { name: 'Remove Client secret' }));
    await save();
    expect(await screen.findByText('Saved')).toBeVisible();
    expect(changes()).toEqual([{ key: 'GitHubClientSecret', value: null }]);
  });
});

describe('OIDC discovery', () => {
  const found = {
    issuer: 'https://id.example',
    authorization_endpoint: 'https://id.example/auth',
    token_endpoint: 'https://id.example/token',
    user_info_endpoint: 'https://id.example/me',
  };
  const WELL_KNOWN = 'https://id.example/.well-known/openid-configuration';

  it('fills the three endpoints by a press, and saves nothing by itself', async () => {
    settingsApi().answer({ 'POST /api/oauth/oidc/discover': { data: found } });
    const { user, section } = await openSection('Log in with OIDC');
    const button = section.getByRole('button', { name: 'Fill in the endpoints' });
    expect(button).toBeDisabled();
    await user.type(section.getByLabelText(/^Discovery address/), WELL_KNOWN);
    await user.click(button);
    await waitFor(() =>
      expect(section.getByLabelText(/^Authorization endpoint/)).toHaveValue(found.authorization_endpoint),
    );
    expect(section.getByLabelText(/^Token endpoint/)).toHaveValue(found.token_endpoint);
    expect(section.getByLabelText(/^User info endpoint/)).toHaveValue(found.user_info_endpoint);
    expect(api.made('POST /api/oauth/oidc/discover')[0]?.body).toEqual({ well_known: WELL_KNOWN });
    expect(changes()).toEqual([]);
  });

  it('happens when a new address is saved', async () => {
    settingsApi().answer({ 'POST /api/oauth/oidc/discover': { data: found } });
    const { user, section, save } = await openSection('Log in with OIDC');
    await user.type(section.getByLabelText(/^Discovery address/), WELL_KNOWN);
    await save();
    expect(await screen.findByText('Saved')).toBeVisible();
    expect(changes()).toEqual([
      { key: 'oidc.well_known', value: WELL_KNOWN },
      { key: 'oidc.authorization_endpoint', value: found.authorization_endpoint },
      { key: 'oidc.token_endpoint', value: found.token_endpoint },
      { key: 'oidc.user_info_endpoint', value: found.user_info_endpoint },
    ]);
  });

  it('warns that accounts have to bind their identity anew', async () => {
    settingsApi().answer({
      'PUT /api/option': { data: null, members: { lost_bindings: [{ provider: 'oidc', accounts: 3 }] } },
    });
    const { user, section, save } = await openSection('Log in with OIDC');
    await user.type(section.getByLabelText(/^User info endpoint/), 'https://id.example/me');
    await save();
    expect(
      await screen.findByText('The issuer of OIDC has changed: 3 accounts must be linked again'),
    ).toBeVisible();
  });

  it('leaves endpoints alone that were typed by hand', async () => {
    settingsApi();
    const { user, section, save } = await openSection('Log in with OIDC');
    await user.type(section.getByLabelText(/^Discovery address/), WELL_KNOWN);
    await user.type(section.getByLabelText(/^Token endpoint/), 'https://id.example/own');
    await save();
    expect(await screen.findByText('Saved')).toBeVisible();
    expect(changes()).toEqual([
      { key: 'oidc.well_known', value: WELL_KNOWN },
      { key: 'oidc.token_endpoint', value: 'https://id.example/own' },
    ]);
  });

  it('names the settings to check when it fails, and saves nothing', async () => {
    settingsApi().answer({ 'POST /api/oauth/oidc/discover': { refused: 'no such host' } });
    const { user, section, save } = await openSection('Log in with OIDC');
    await user.type(section.getByLabelText(/^Discovery address/), WELL_KNOWN);
    await save();
    expect(
      await screen.findByText(
        'Failed to fetch the OIDC configuration, please check the network and the discovery address',
      ),
    ).toBeVisible();
    expect(changes()).toEqual([]);
  });
});

describe('the test mail', () => {
  it('sends by what is stored: first save, then try', async () => {
    settingsApi().answer({ 'POST /api/option/test_mail': { data: null } });
    const { user, section, save } = await openSection('Mail');
    await user.type(section.getByLabelText(/^Server/), 'smtp.example.com');
    expect(section.getByRole('button', { name: 'Send test email' })).toBeDisabled();
    await save();
    expect(await screen.findByText('Saved')).toBeVisible();
    const to = section.getByLabelText(/^Send a test email to/);
    await user.type(to, 'nobody');
    await user.click(section.getByRole('button', { name: 'Send test email' }));
    expect(await section.findByText('This is not an email address')).toBeVisible();
    await user.type(to, '@example.com');
    await user.click(section.getByRole('button', { name: 'Send test email' }));
    expect(await screen.findByText('The test email was sent')).toBeVisible();
    expect(api.made('POST /api/option/test_mail').map((call) => call.body)).toEqual([
      { to: 'nobody@example.com' },
    ]);
  });

  it('shows the reason of the failure beside the button', async () => {
    settingsApi().answer({
      'POST /api/option/test_mail': { refused: 'the mail server refused the password' },
    });
    const { user, section } = await openSection('Mail');
    await user.click(section.getByRole('button', { name: 'Send test email' }));
    expect(await section.findByText('the mail server refused the password')).toBeVisible();
  });
});
