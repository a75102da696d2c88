import { expect, test } from '@playwright/test';
import { CLIENT } from '../e2e/console/identities/scripted-oauth.ts';
import { MAIL_ACCOUNT } from '../support/mail-server.js';
import { startGatewayWithMail } from './support/gateway-with-mail.js';
import { dress, ROOT_ACCOUNT } from './support/stage.js';
import { startsWith, textsOf } from './support/texts.js';

for (const language of ['en', 'zh'] as const) {
  test(`mail, OIDC and the whitelist are set up by the screens, in ${language}`, async ({ browser }) => {
    test.setTimeout(120_000);
    const say = textsOf(language);
    const house = await startGatewayWithMail();
    const context = await browser.newContext();
    context.setDefaultNavigationTimeout(15_000);
    try {
      const { address, mail, oidc } = house;
      const page = await context.newPage();
      await dress(page, { language });
      await page.goto(`${address}/login`);
      await page.locator('input[name=username]').fill(ROOT_ACCOUNT.username);
      await page.locator('input[name=password]').fill(ROOT_ACCOUNT.password);
      await page.locator('button[type=submit]').click();
      await page.waitForURL(`${address}/token`);
      await page.goto(`${address}/setting?tab=system`);

      const section = (name: string) =>
        page.getByRole('region', { name: say(`settings.heading.${name}`), exact: true });
      const field = (name: string, id: string) =>
        section(name).getByLabel(startsWith(say(`settings.option.${id}.label`)));
      const toggle = (name: string, id: string) =>
        section(name).getByRole('switch', { name: say(`settings.option.${id}.label`) });
      const save = async (name: string) => {
        await section(name)
          .getByRole('button', { name: say('settings.save'), exact: true })
          .click();
      };
      const whitelist = section('emailRules').getByRole('textbox');
      const saved = page.getByText(say('settings.saved'), { exact: true }).first();

      await test.step('reports that nothing changed, and sends nothing', async () => {
        let sent = 0;
        page.on('request', (request) => (sent += request.method() === 'PUT' ? 1 : 0));
        await save('login');
        await expect(page.getByText(say('settings.nothing'))).toBeVisible();
        expect(sent).toBe(0);
      });

      await test.step('mail: typed, saved, tried; the password is never shown again', async () => {
        await field('mail', 'mailServer').fill('127.0.0.1');
        await field('mail', 'mailPort').fill(String(mail.port));
        await field('mail', 'mailAccount').fill(MAIL_ACCOUNT.user);
        await section('mail').locator('input[name=mailToken]').fill(MAIL_ACCOUNT.password);
        await toggle('mail', 'mailAnyCertificate').click();
        await save('mail');
        await expect(saved).toBeVisible();
        await expect(section('mail').getByText(say('settings.secret.set'), { exact: true })).toBeVisible();
        await expect(section('mail').locator('input[name=mailToken]')).toHaveValue('');
        await section('mail')
          .getByLabel(startsWith(say('settings.testMail.to')))
          .fill('ops@mail.test');
        await section('mail')
          .getByRole('button', { name: say('settings.testMail.send') })
          .click();
        await expect(page.getByText(say('settings.testMail.sent'))).toBeVisible();
        expect((await mail.letterTo('ops@mail.test')).user).toBe(MAIL_ACCOUNT.user);
      });

      await test.step('reports a discovery address that leads nowhere, and saves nothing', async () => {
        await field('oidc', 'oidcWellKnown').fill('http://127.0.0.1:9/.well-known/openid-configuration');
        await section('oidc')
          .getByRole('button', { name: say('settings.oidc.discover') })
          .click();
        await expect(page.getByText(say('settings.oidc.failed'))).toBeVisible();
        await expect(field('oidc', 'oidcToken')).toHaveValue('');
      });

      await test.step('the real one fills the endpoints; switched on, the login page offers it', async () => {
        await field('oidc', 'oidcWellKnown').fill(oidc.wellKnown);
        await section('oidc')
          .getByRole('button', { name: say('settings.oidc.discover') })
          .click();
        await expect(field('oidc', 'oidcToken')).toHaveValue(`${oidc.issuer}/token`);
        await field('oidc', 'oidcClientId').fill(CLIENT.id);
        await section('oidc').locator('input[name=oidcClientSecret]').fill(CLIENT.secret);
        await toggle('oidc', 'oidcEnabled').click();
        await save('oidc');
        await expect(section('oidc').getByText(say('settings.on'), { exact: true })).toBeVisible();
        const guests = await browser.newContext();
        const guest = await guests.newPage();
        await dress(guest, { language });
        await guest.goto(`${address}/login`);
        await expect(
          guest.getByRole('button', { name: say('signIn.other.with', { name: 'OIDC' }) }),
        ).toBeVisible();
        await guests.close();
      });

      await test.step('keeps a provider without credentials off, and names the missing ones', async () => {
        await toggle('github', 'githubEnabled').click();
        await save('github');
        await expect(page.getByText(say('settings.failed'))).toBeVisible();
        await expect(section('github').getByText(/GitHubClientId/)).toBeVisible();
      });

      await test.step('keeps password login on while root has no other sign-in method', async () => {
        await toggle('login', 'passwordLogin').click();
        await save('login');
        const question = page.getByRole('alertdialog', { name: say('settings.confirm.password') });
        await question.getByRole('button', { name: say('settings.confirm.passwordAction') }).click();
        await expect(toggle('login', 'passwordLogin')).toHaveAccessibleDescription(/.+/);
        await page.reload();
        await expect(toggle('login', 'passwordLogin')).toBeChecked();
      });

      await test.step('the whitelist takes domains, and the restriction is felt at once', async () => {
        await whitelist.fill('not a domain');
        await section('emailRules')
          .getByRole('button', { name: say('settings.domains.add') })
          .click();
        await expect(whitelist).toHaveAttribute('aria-invalid', 'true');
        await whitelist.fill('Mail.Test');
        await whitelist.press('Enter');
        await toggle('emailRules', 'domainRestriction').click();
        await save('emailRules');
        await expect(
          section('emailRules').getByRole('button', {
            name: say('settings.domains.remove', { domain: 'mail.test' }),
          }),
        ).toBeVisible();
        await expect(saved).toBeVisible();
        await toggle('login', 'emailVerification').click();
        await save('login');
        const asked = await fetch(`${address}/api/verification?email=somebody@elsewhere.example`);
        expect(await asked.json()).toMatchObject({ success: false });
      });
    } finally {
      await context.close();
      await house.close();
    }
  });
}
