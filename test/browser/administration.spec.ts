import { expect, type Page, test } from '@playwright/test';
import { GatewayConsole } from '../support/gateway-console.js';
import { type GatewayWithMail, startGatewayWithMail } from './support/gateway-with-mail.js';
import { complaintsOf, dress, ROOT_ACCOUNT } from './support/stage.js';
import { startsWith, textsOf } from './support/texts.js';

const PASSWORD = 'correct horse battery';
/** Longest time until a ban is in force everywhere. */
const BAN_MS = 1_000;

for (const language of ['en', 'zh'] as const) {
  test(`an administrator looks after accounts, in ${language}`, async ({ browser }) => {
    test.setTimeout(120_000);
    const say = textsOf(language);
    const house = await startGatewayWithMail();
    const context = await browser.newContext();
    context.setDefaultNavigationTimeout(15_000);
    const elsewhere = await browser.newContext();
    elsewhere.setDefaultNavigationTimeout(15_000);
    try {
      const { address } = house;
      const page = await context.newPage();
      const theirs = await elsewhere.newPage();
      const complaints = complaintsOf(page);
      await dress(page, { language });
      await dress(theirs, { language });
      await signInAs(page, address, ROOT_ACCOUNT.username, ROOT_ACCOUNT.password);

      const row = page.getByRole('row', { name: /mallory/ });
      const act = async (action: string) => {
        await page.getByRole('button', { name: say('users.action.of', { name: 'mallory' }) }).click();
        await page.getByRole('menuitem', { name: say(`users.action.${action}`), exact: true }).click();
      };
      const agree = async (action: string) => {
        const question = page.getByRole('alertdialog', {
          name: say(`users.confirm.${action}`, { name: 'mallory' }),
        });
        await question.getByRole('button', { name: say(`users.action.${action}`) }).click();
        await expect(question).toBeHidden();
      };

      await test.step('add a user', async () => {
        await page.goto(`${address}/user`);
        await page.getByRole('button', { name: say('users.add') }).click();
        const drawer = page.getByRole('dialog', { name: say('users.form.addTitle') });
        await drawer.getByRole('button', { name: say('users.form.create') }).click();
        await expect(drawer.getByText(say('users.error.required')).first()).toBeVisible();
        await drawer.getByLabel(startsWith(say('users.form.username'))).fill('mallory');
        await drawer.locator('input[name=password]').fill(PASSWORD);
        await drawer.getByRole('button', { name: say('users.form.create') }).click();
        await expect(page.getByText(say('users.created'))).toBeVisible();
        await expect(row).toBeVisible();
      });

      await test.step('search', async () => {
        await page.getByRole('searchbox', { name: say('users.search') }).fill('mall');
        await page.waitForURL(/keyword=mall/);
        await expect(page.getByRole('row')).toHaveCount(2);
      });

      await test.step('give quota, with a reason', async () => {
        await act('quota');
        const dialog = page.getByRole('dialog', { name: say('users.quota.title', { name: 'mallory' }) });
        await dialog.getByRole('button', { name: '$5', exact: true }).click();
        await dialog.getByLabel(say('users.form.reason')).fill('welcome');
        await dialog.getByRole('button', { name: say('users.quota.submit') }).click();
        await expect(dialog).toBeHidden();
        await expect(row.getByText('$5.00')).toBeVisible();
      });

      await test.step('promote', async () => {
        await act('promote');
        await agree('promote');
        await expect(row.getByText(say('users.role.administrator'), { exact: true })).toBeVisible();
        await signInAs(theirs, address, 'mallory', PASSWORD);
        await theirs.goto(`${address}/user`);
        await expect(theirs.getByRole('row', { name: /root/ })).toBeVisible();
        // Actions on the same or a higher level are impossible: neither root nor the own row offers a ban.
        await expect(
          theirs.getByRole('button', { name: say('users.action.of', { name: 'root' }) }),
        ).toBeHidden();
      });

      const { session, key } = await sessionAndKey(house);
      await test.step('a ban ends sessions and tokens within a second', async () => {
        expect(await session.balance()).toBeGreaterThan(0);
        expect(await tokenStatus(address, key)).toBe(200);
        await act('disable');
        const answered = page.waitForResponse((response) => response.url().endsWith('/api/user/manage'));
        await agree('disable');
        await answered;
        const banned = performance.now();
        await expect
          .poll(() => tokenStatus(address, key), { intervals: [20], timeout: 5_000 })
          .toBeGreaterThanOrEqual(401);
        await expect.poll(() => isSignedIn(session), { intervals: [20], timeout: 5_000 }).toBe(false);
        expect(performance.now() - banned).toBeLessThan(BAN_MS);
        await expect(row.getByText(say('users.status.banned'))).toBeVisible();
        await theirs.reload();
        await theirs.waitForURL(`${address}/login?expired=true`);
      });

      await test.step('restored, the token works again and the owner may sign in', async () => {
        await act('enable');
        await expect(row.getByText(say('users.status.active'))).toBeVisible();
        await expect.poll(() => tokenStatus(address, key), { intervals: [20], timeout: 5_000 }).toBe(200);
        await signInAs(theirs, address, 'mallory', PASSWORD);
      });

      await test.step('all of it is in the audit log, whose chain holds', async () => {
        await page.goto(`${address}/audit?action=user`);
        for (const verb of ['create', 'promote', 'disable', 'enable']) {
          const name = say(`audit.action.user.${verb}`);
          await expect(page.getByRole('button', { name: startsWith(name) }).first()).toBeVisible();
          await expect(page.getByText(`user.${verb}`, { exact: true }).first()).toBeVisible();
        }
        await expect(page.getByText(say('audit.chain.intact'))).toBeVisible();
        await page
          .getByRole('button', { name: startsWith(say('audit.action.user.disable')) })
          .first()
          .click();
        await expect(
          page.getByRole('dialog', { name: new RegExp(`#\\d+ ${say('audit.action.user.disable')}`) }),
        ).toBeVisible();
        await page.keyboard.press('Escape');
      });

      await test.step('root deletes at once, which leaves a deregistered row, and restores it from the bin', async () => {
        await page.goto(`${address}/user`);
        await act('delete');
        await expect(page.getByRole('button', { name: say('common.undo') })).toBeVisible();
        // Hidden from the list until the filter shows it.
        await expect(row).toHaveCount(0);
        await page.goto(`${address}/user?deregistered=only`);
        await expect(row.getByText(say('users.status.deleted'))).toBeVisible();
        await expect.poll(() => tokenStatus(address, key), { intervals: [20], timeout: 5_000 }).toBe(401);
        await page.goto(`${address}/bin?section=user`);
        await page.getByRole('button', { name: say('bin.action.restore'), exact: true }).click();
        await expect(page.getByText(say('bin.done.restored', { name: 'mallory' }))).toBeVisible();
        const answers = async () => (await tokenStatus(address, key)) !== 401;
        await expect.poll(answers, { intervals: [20], timeout: 5_000 }).toBe(true);
      });
      expect(complaints).toEqual([]);
    } finally {
      await Promise.all([context.close(), elsewhere.close()]);
      await house.close();
    }
  });
}

async function signInAs(page: Page, address: string, username: string, password: string): Promise<void> {
  await page.goto(`${address}/login`);
  await page.locator('input[name=username]').fill(username);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL(`${address}/token`);
}

/** A session of the account beside its browser, and an API token. */
async function sessionAndKey({
  gateway,
}: GatewayWithMail): Promise<{ session: GatewayConsole; key: string }> {
  const session = new GatewayConsole(gateway.url);
  await session.signIn('mallory', PASSWORD);
  const { key } = await session.addToken();
  return { session, key };
}

/** Status of a call that only needs a token which still counts. */
async function tokenStatus(address: string, key: string): Promise<number> {
  const response = await fetch(`${address}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
  await response.text();
  return response.status;
}

async function isSignedIn(session: GatewayConsole): Promise<boolean> {
  return (await session.sendRaw<{ success: boolean }>('GET', '/api/user/self')).success;
}
