import { expect } from '@playwright/test';
import { signIn, test } from './support/stage.js';
import { textsOf } from './support/texts.js';

const TABS = ['overview', 'calls', 'tokens', 'money', 'security'] as const;
const ADDRESSES = ['/user/1', '/user/1/calls', '/user/1/tokens', '/user/1/money', '/user/1/security'];

for (const [language, width] of [
  ['en', 1440],
  ['zh', 390],
] as const) {
  test(`walks the tabs of an account by keyboard in ${language} at ${width} px`, async ({
    page,
    gateway,
    furnished,
  }) => {
    expect(furnished.tokenKey).toMatch(/^sk-/);
    const t = textsOf(language);
    await page.setViewportSize({ width, height: 900 });
    await signIn(page, gateway.url, { language });

    await test.step('the name in the usage log leads there', async () => {
      await page.goto(`${gateway.url}/log`);
      await page.getByRole('link', { name: 'root', exact: true }).first().press('Enter');
      await expect(page.getByRole('heading', { level: 1, name: 'root' })).toBeVisible();
    });

    for (const [index, tab] of TABS.entries()) {
      await test.step(tab, async () => {
        if (index > 0) {
          await page.getByRole('tab', { selected: true }).first().focus();
          await page.keyboard.press('ArrowRight');
          await page.keyboard.press('Enter');
        }
        await expect(page).toHaveURL(gateway.url + (ADDRESSES[index] ?? ''));
        await expect(
          page.getByRole('tab', { name: t(`users.account.tab.${tab}`), selected: true }),
        ).toBeVisible();
        await expect(page.getByRole('tabpanel').first()).not.toBeEmpty();
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      });
    }

    await test.step('the address opens the tab again', async () => {
      await page.reload();
      await expect(
        page.getByRole('tab', { name: t('users.account.tab.security'), selected: true }),
      ).toBeVisible();
      await page.goBack();
      await expect(
        page.getByRole('tab', { name: t('users.account.tab.money'), selected: true }),
      ).toBeVisible();
    });
  });
}
