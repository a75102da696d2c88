import { expect, type Page } from '@playwright/test';
import { generateSync } from 'otplib';
import { Inspection } from './support/inspection.js';
import { LOOKS } from './support/looks.js';
import {
  agreeOnGitHub,
  dress,
  enter,
  fillPassword,
  forget,
  PASSWORD,
  playTelegram,
  playTurnstile,
  test,
} from './support/sign-in-site.js';
import { complaintsOf } from './support/stage.js';

const codeOf = (secret: string): string => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) });

/** Adds a virtual authenticator in place of a person. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('makes each form bring a proof of its own with the human check on, under the policy [AUTH-08]', async ({
  page,
  context,
  site,
}) => {
  await site.addUser('human');
  await playTurnstile(context, site);
  await site.root.setOptions({ TurnstileCheckEnabled: true });
  try {
    const complaints = complaintsOf(page);
    await dress(page, {});
    await page.goto(`${site.url}/login`);
    await page.getByRole('button', { name: 'I am human' }).waitFor();
    await fillPassword(page, 'human');
    await expect(page.getByText('Please retry in a few seconds, checking the environment')).toBeVisible();
    await page.getByRole('button', { name: 'I am human' }).click();
    await page.getByRole('button', { name: 'Human', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.waitForURL(`${site.url}/token`);
    expect(site.turnstile.verifications).toHaveLength(1);
    expect(complaints).toEqual([]);
  } finally {
    await site.root.setOptions({ TurnstileCheckEnabled: false });
  }
});

test('a code from the mail opens an account, and the countdown holds the next one back', async ({
  page,
  site,
}) => {
  await site.root.send('POST', '/api/option/test_mail', { to: 'proof@example.test' });
  await site.root.setOptions({ EmailVerificationEnabled: true });
  try {
    const complaints = complaintsOf(page);
    await dress(page, {});
    await page.goto(`${site.url}/register`);
    await page.getByLabel('Email', { exact: true }).fill('mina@mail.example');
    await page.getByRole('button', { name: 'Send code' }).click();
    await expect(page.getByRole('button', { name: /^Resend \(\d+\)$/ })).toBeDisabled();
    const letter = await site.mail.letterTo('mina@mail.example');
    const code = /^\s*([A-Z0-9]{6,8})\s*$/im.exec(letter.text)?.[1] ?? '';
    expect(code).not.toBe('');
    await page.getByLabel('Username', { exact: true }).fill('mina');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Verification code').fill(code);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await page.waitForURL(`${site.url}/login`);
    await fillPassword(page, 'mina@mail.example');
    await page.waitForURL(`${site.url}/token`);
    expect(complaints).toEqual([]);
  } finally {
    await site.root.setOptions({ EmailVerificationEnabled: false });
  }
});

test('lets an account from GitHub reset a password by mail, shows it once and signs in with it [CODE-02]', async ({
  page,
  site,
}) => {
  const complaints = complaintsOf(page);
  site.github.mails = [{ email: 'grace@mail.example', primary: true, verified: true }];
  await agreeOnGitHub(page, site, { id: 4711, login: 'grace', name: 'Grace' });
  await dress(page, {});
  await page.goto(`${site.url}/login`);
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await page.waitForURL(`${site.url}/token`);
  await expect(page.getByText('Login succeeded')).toBeVisible();

  await forget(page);
  await page.goto(`${site.url}/reset`);
  await page.getByLabel('Email').fill('grace@mail.example');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText(/If an account has this address/)).toBeVisible();
  const letter = await site.mail.letterTo('grace@mail.example');
  const link = /http:\/\/localhost:\d+\/\S+token=[\w-]+/.exec(letter.text)?.[0] ?? '';
  await page.goto(link);
  await page.getByRole('button', { name: 'Reset the password' }).click();
  const field = page.getByLabel('Your new password');
  await expect(field).toBeVisible();
  const password = await field.inputValue();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(password);
  expect(page.url()).toBe(`${site.url}/reset`);
  await page.goto(link);
  await page.getByRole('button', { name: 'Reset the password' }).click();
  await expect(page.getByText(/invalid or has expired/)).toBeVisible();
  await page.goto(`${site.url}/login`);
  await page.locator('input[name=username]').fill('grace@mail.example');
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL(`${site.url}/token`);
  expect(complaints).toEqual([]);
});

test('a used state is refused with a sentence, back at the login page [OAUTH-01]', async ({ page, site }) => {
  await dress(page, {});
  await page.goto(`${site.url}/oauth/github?code=abc&state=made-up`);
  await page.waitForURL(`${site.url}/login`);
  await expect(page.getByText(/login attempt is unknown/)).toBeVisible();
});

test('enrols an authenticator app, requires it at the next login, and accepts a recovery code instead', async ({
  page,
  site,
}) => {
  await site.addUser('totp');
  const complaints = complaintsOf(page);
  await enter(page, site, 'totp');
  await page.goto(`${site.url}/personal?tab=security`);
  await page.getByRole('button', { name: 'Set up two-factor login' }).click();
  const dialog = page.getByRole('dialog');
  const secret = await dialog.locator('code').innerText();
  await dialog.getByLabel('Authenticator code').fill(codeOf(secret));
  await dialog.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByText('Your recovery codes')).toBeVisible();
  const [recovery = ''] = await page
    .getByRole('listitem')
    .filter({ hasText: /^[\w-]{8,}$/ })
    .allInnerTexts();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('Tollgate-recovery-codes.txt');
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByText('10 recovery codes left')).toBeVisible();

  await forget(page);
  await page.goto(`${site.url}/login`);
  await fillPassword(page, 'totp');
  await expect(page.getByRole('heading', { name: 'Two-factor login' })).toBeVisible();
  // The code of the enrolment counts once; one of another time is refused either way.
  await page.getByLabel('Authenticator code').fill('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/code is wrong/)).toBeVisible();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recovery);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${site.url}/token`);
  await page.goto(`${site.url}/personal?tab=security`);
  await expect(page.getByText('9 recovery codes left')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a passkey is added under a name and opens the account without one', async ({ page, site }) => {
  await site.addUser('keys');
  await addAuthenticator(page);
  const complaints = complaintsOf(page);
  await enter(page, site, 'keys');
  await page.goto(`${site.url}/personal?tab=security`);
  const section = page.getByRole('region', { name: 'Passkeys' });
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Laptop');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Passkey added')).toBeVisible();
  await section.getByRole('button', { name: 'Rename the passkey Laptop' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Desk');
  await page.keyboard.press('Enter');
  await expect(section.getByRole('button', { name: 'Rename the passkey Desk' })).toBeVisible();

  await forget(page);
  await page.goto(`${site.url}/login`);
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await page.waitForURL(`${site.url}/token`);
  await page.goto(`${site.url}/personal?tab=security`);
  await expect(section.getByText(/last used/)).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'Where you are logged in' }).getByText('· passkey'),
  ).toBeVisible();
  await section.getByRole('button', { name: 'Delete the passkey Desk' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Passkey deleted')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('signing out everywhere else ends the other browser', async ({ page, browser, site }) => {
  await site.addUser('twice');
  const other = await browser.newContext();
  const elsewhere = await other.newPage();
  await enter(elsewhere, site, 'twice');
  await enter(page, site, 'twice');
  await page.goto(`${site.url}/personal?tab=security`);
  await page.getByRole('button', { name: 'Log out everywhere else' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByText('Logged out everywhere else')).toBeVisible();
  await elsewhere.goto(`${site.url}/personal`);
  await elsewhere.waitForURL('**/login?expired=true');
  await expect(page.getByText('This browser')).toBeVisible();
  await other.close();
});

test('Telegram’s widget binds and signs in, under a policy without inline script [TG-03]', async ({
  page,
  context,
  site,
}) => {
  await site.addUser('tele');
  const telegramOff = await playTelegram(context, site, {
    id: '5150',
    first_name: 'Tele',
    username: 'tele',
  });
  const complaints = complaintsOf(page);
  await enter(page, site, 'tele');
  await page.goto(`${site.url}/personal?tab=security`);
  await page.getByRole('button', { name: 'Bind Telegram' }).click();
  await page.frameLocator('iframe[title=Telegram]').getByRole('button').click();
  await page.waitForURL('**/personal?tab=security');
  await expect(page.getByText('Binding succeeded')).toBeVisible();
  await expect(page.getByText('5150')).toBeVisible();

  await forget(page);
  // A confirmation names its second: the next one has to be of another.
  await expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(Math.floor(Date.now() / 1000));
  const response = await page.goto(`${site.url}/login`);
  expect(response?.headers()['content-security-policy']).toContain("script-src 'self' https://telegram.org;");
  expect(response?.headers()['cross-origin-opener-policy']).toBe('same-origin-allow-popups');
  await page.frameLocator('iframe[title=Telegram]').getByRole('button').click();
  await page.waitForURL(`${site.url}/`);
  await expect(page.getByRole('button', { name: 'Account of tele' })).toBeVisible();
  await telegramOff();
  expect(complaints).toEqual([]);
});

test('binding and unbinding GitHub from the personal settings', async ({ page, site }) => {
  await site.addUser('binder');
  await agreeOnGitHub(page, site, { id: 815, login: 'binder' });
  await enter(page, site, 'binder');
  await page.goto(`${site.url}/personal?tab=security`);
  await page.getByRole('button', { name: 'Bind GitHub' }).click();
  await expect(page.getByText('Binding succeeded')).toBeVisible();
  await expect(page.getByText('815')).toBeVisible();
  await page.getByRole('button', { name: 'Unbind GitHub' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unbind' }).click();
  await expect(page.getByText('Unbound', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Bind GitHub' })).toBeVisible();
});

test('keyboard alone signs in, opens the security tab and reaches the dialog of the app', async ({
  page,
  site,
}) => {
  await site.addUser('keyboard');
  await dress(page, {});
  await page.goto(`${site.url}/login`);
  await expect(page.locator('input[name=username]')).toBeFocused();
  await page.keyboard.type('keyboard');
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${site.url}/token`);
  await page.goto(`${site.url}/personal`);
  await page.getByRole('tab', { name: 'Account' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/personal?tab=security');
  await page.getByRole('button', { name: 'Set up two-factor login' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Set up two-factor login' })).toBeFocused();
});

const SIGN_IN_PAGES = [
  '/login?expired=true',
  '/register',
  '/reset',
  '/user/reset?email=a%40b.example&token=t',
];
const TABS = ['account', 'security', 'notifications', 'prices'];
const DIALOGS = {
  en: ['Set up two-factor login', 'Add a passkey', 'Bind an email address'],
  zh: ['设置两步验证', '添加通行密钥', '绑定邮箱'],
} as const;

for (const look of LOOKS) {
  test(`the pages of signing in and the personal settings are readable in ${look.language}, ${look.theme}, at ${look.width} px`, async ({
    page,
    context,
    site,
  }) => {
    test.setTimeout(240_000);
    const name = `look${look.language}${look.width}`;
    await site.addUser(name);
    const telegramOff = await playTelegram(context, site, { id: '1', first_name: 'A' });
    const complaints = complaintsOf(page);
    const inspection = new Inspection(page);
    await page.setViewportSize({ width: look.width, height: 900 });
    await dress(page, look);
    for (const path of SIGN_IN_PAGES) {
      await inspection.visit(site.url + path, path);
    }
    await enter(page, site, name, look);
    for (const tab of TABS) {
      await inspection.visit(`${site.url}/personal?tab=${tab}`, tab);
    }
    for (const dialog of DIALOGS[look.language]) {
      await page.goto(`${site.url}/personal?tab=security`);
      await page.getByRole('button', { name: dialog }).click();
      await page.getByRole('dialog').waitFor();
      await inspection.look(dialog);
    }
    await telegramOff();
    expect(inspection.faults).toEqual([]);
    expect(complaints).toEqual([]);
  });
}
