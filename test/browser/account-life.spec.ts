import { expect, test } from '@playwright/test';
import { generateSync } from 'otplib';
import { GatewayConsole } from '../support/gateway-console.js';
import {
  addVirtualAuthenticator,
  codeFor,
  switchMailAndOidcOn,
  type GatewayWithMail,
  startGatewayWithMail,
} from './support/gateway-with-mail.js';
import { dress } from './support/stage.js';
import { startsWith, textsOf } from './support/texts.js';

const GIFT = { newUser: 1_000_000, invitee: 500_000, inviter: 2_000_000 } as const;
const PASSWORD = 'a long enough one';
const NEXT_PASSWORD = 'another long one';

for (const language of ['en', 'zh'] as const) {
  test(`a whole life of an account, in ${language}`, async ({ browser }) => {
    test.setTimeout(120_000);
    const say = textsOf(language);
    const house = await startGatewayWithMail();
    const context = await browser.newContext();
    try {
      const { address, mail, oidc, root } = house;
      await switchMailAndOidcOn(house);
      await root.send('POST', '/api/option/test_mail', { to: 'proof@example.test' });
      await root.setOptions({
        EmailVerificationEnabled: true,
        QuotaForNewUser: GIFT.newUser,
        QuotaForInvitee: GIFT.invitee,
        QuotaForInviter: GIFT.inviter,
      });
      const host = await root.addUser('host', 0);
      const inviteCode = await host.send<string>('GET', '/api/user/aff');

      context.setDefaultNavigationTimeout(15_000);
      const page = await context.newPage();
      await dress(page, { language });
      const security = () => page.goto(`${address}/personal?tab=security`);

      await test.step('sign up by a mail code, with an invite link', async () => {
        await page.goto(`${address}/register?aff=${inviteCode}`);
        await page.getByLabel(startsWith(say('signIn.register.username'))).fill('ada');
        await page.locator('input[name=password]').fill(PASSWORD);
        await page.locator('input[name=confirm]').fill(PASSWORD);
        await page.getByLabel(say('identity.email.label')).fill('ada@mail.test');
        await page.getByRole('button', { name: say('identity.code.send') }).click();
        await expect(page.getByText(say('identity.code.sent'))).toBeVisible();
        await page.getByLabel(say('identity.code.label')).fill(await codeFor(mail, 'ada@mail.test'));
        await page.getByRole('button', { name: say('signIn.register.submit') }).click();
        await expect(page.getByRole('heading', { name: say('signIn.login.title') })).toBeVisible();
      });

      await test.step('both are rewarded, once', async () => {
        const own = await host.send<{ aff_count: number; aff_quota: number }>('GET', '/api/user/self');
        expect(own).toMatchObject({ aff_count: 1, aff_quota: GIFT.inviter });
        await page.locator('input[name=username]').fill('ada');
        await page.locator('input[name=password]').fill(PASSWORD);
        await page.getByRole('button', { name: say('signIn.login.submit') }).click();
        await page.waitForURL(`${address}/token`);
        await page.goto(`${address}/personal`);
        // 1,000,000 for a new account and 500,000 for an invited one are $3.00.
        await expect(page.getByText('$3.00')).toBeVisible();
      });

      await test.step('bind the OpenID provider', async () => {
        oidc.know({ sub: 'ada-at-the-provider', email: 'ada@elsewhere.test', email_verified: true });
        await security();
        await page
          .getByRole('button', { name: say('personal.bindings.bindNamed', { name: 'OIDC' }) })
          .click();
        await page.waitForURL((url) => url.origin === oidc.issuer);
        await page.locator('input[name=login]').fill('ada-at-the-provider');
        await page.locator('input[name=password]').fill('any');
        await page.locator('button[type=submit]').click();
        await page.locator('button[type=submit]').click();
        await page.waitForURL(`${address}/personal?tab=security`);
        await expect(page.getByText(say('oauthCallback.bound'))).toBeVisible();
        await expect(
          page.getByRole('button', { name: say('personal.bindings.unbindNamed', { name: 'OIDC' }) }),
        ).toBeVisible();
      });

      const recoveryCodes = await test.step('protect it by codes of an app', async () => {
        await page.getByRole('button', { name: say('personal.twoFactor.setup') }).click();
        const dialog = page.getByRole('dialog', { name: say('personal.twoFactor.setup') });
        const secret = await dialog.locator('code').innerText();
        await dialog.locator('input[name=code]').fill(generateSync({ secret: secret.trim() }));
        await dialog.locator('input[name=password]').fill(PASSWORD);
        await dialog.getByRole('button', { name: say('personal.twoFactor.enable') }).click();
        const kept = page.getByRole('dialog', { name: say('personal.recovery.title') });
        await expect(kept.getByRole('listitem')).toHaveCount(10);
        const codes = await kept.getByRole('listitem').allInnerTexts();
        await kept.getByRole('button', { name: say('personal.recovery.saved') }).click();
        await expect(kept).toBeHidden();
        return codes;
      });

      await test.step('add a passkey, sign out, come back by it', async () => {
        await addVirtualAuthenticator(context, page);
        await page.getByRole('button', { name: say('personal.passkeys.add') }).click();
        const dialog = page.getByRole('dialog', { name: say('personal.passkeys.add') });
        await dialog.locator('input[name=name]').fill('laptop');
        await dialog.getByRole('button', { name: say('personal.passkeys.addAction') }).click();
        await expect(page.getByText(say('personal.passkeys.added'))).toBeVisible();
        await page.getByRole('button', { name: say('shell.account', { name: 'ada' }) }).click();
        await page.getByRole('menuitem', { name: say('shell.signOut') }).click();
        await page.waitForURL(`${address}/login`);
        await expect(page.getByText(say('shell.signedOut'))).toBeVisible();
        await page.getByRole('button', { name: say('signIn.other.passkey') }).click();
        await page.waitForURL(`${address}/token`);
      });

      await test.step('a second browser, by password and a recovery code', async () => {
        const elsewhere = await browser.newContext();
        const second = await elsewhere.newPage();
        await dress(second, { language });
        await second.goto(`${address}/login`);
        await second.locator('input[name=username]').fill('ada@mail.test');
        await second.locator('input[name=password]').fill(PASSWORD);
        await second.getByRole('button', { name: say('signIn.login.submit') }).click();
        await second.getByRole('button', { name: say('signIn.second.useRecovery') }).click();
        await second
          .locator('form input')
          .first()
          .fill(recoveryCodes[0] ?? '');
        await second.getByRole('button', { name: say('signIn.second.submit') }).click();
        await second.waitForURL(`${address}/token`);

        await security();
        await page.locator('input[name=original]').fill(PASSWORD);
        await page.locator('input[name=next]').fill(NEXT_PASSWORD);
        await page.locator('input[name=confirm]').fill(NEXT_PASSWORD);
        await page.getByRole('button', { name: say('personal.password.submit') }).click();
        await expect(page.getByText(say('personal.password.saved'))).toBeVisible();

        // The other session ends, this one stays.
        await second.goto(`${address}/personal`);
        await second.waitForURL(`${address}/login?expired=true`);
        await expect(second.getByText(say('signIn.login.expired'))).toBeVisible();
        await security();
        await expect(page.getByText(say('personal.sessions.current'))).toBeVisible();
        await elsewhere.close();
      });

      await test.step('invite a friend, and move the earnings into the balance', async () => {
        await page.goto(`${address}/personal`);
        const link = await page.getByLabel(say('personal.invite.link')).inputValue();
        await inviteFriend(house, new URL(link).searchParams.get('aff') ?? '');
        await page.reload();
        await page.getByRole('button', { name: say('personal.invite.transfer') }).click();
        const dialog = page.getByRole('dialog', { name: say('personal.transfer.title') });
        await dialog.getByRole('button', { name: say('personal.transfer.submit') }).click();
        await expect(page.getByText(say('personal.transfer.done', { amount: '$4.00' }))).toBeVisible();
        await expect(page.getByText('$7.00')).toBeVisible();
      });

      await test.step('delete the account by typing its name', async () => {
        await page.getByRole('button', { name: say('personal.delete.action') }).click();
        const question = page.getByRole('alertdialog', { name: say('personal.delete.confirm') });
        const confirm = question.getByRole('button', { name: say('personal.delete.action') });
        await expect(confirm).toBeDisabled();
        await question.getByRole('textbox').fill('ada');
        await confirm.click();
        await page.waitForURL((url) => url.pathname !== '/personal');
        const own = new GatewayConsole(house.gateway.url);
        await expect(own.signIn('ada', NEXT_PASSWORD)).rejects.toThrow('sign-in');
      });
    } finally {
      await context.close();
      await house.close();
    }
  });
}

/** A friend registers with the code, over HTTP: the screens were walked already. */
async function inviteFriend({ root, mail, gateway }: GatewayWithMail, affCode: string): Promise<void> {
  const friend = new GatewayConsole(gateway.url);
  await friend.send('GET', '/api/verification?email=friend@mail.test');
  await friend.send('POST', '/api/user/register', {
    username: 'friend',
    password: PASSWORD,
    password2: PASSWORD,
    email: 'friend@mail.test',
    verification_code: await codeFor(mail, 'friend@mail.test'),
    aff_code: affCode,
  });
  const { items } = await root.send<{ items: { inviter_id: number }[] }>(
    'GET',
    '/api/user/search?keyword=friend&p=1&page_size=10',
  );
  expect(items).toHaveLength(1);
}
