import { expect } from '@playwright/test';
import { GatewayConsole } from '../support/gateway-console.js';
import { complaintsOf, ROOT_ACCOUNT, signIn, test } from './support/stage.js';

test('a session that ended on the server leads to the login page, and back [AUTH-04]', async ({
  page,
  gateway,
  furnished,
}) => {
  expect(furnished.tokenKey).toMatch(/^sk-/);
  await signIn(page, gateway.url);
  await page.context().clearCookies();
  await page.goto(`${gateway.url}/log?type=2`);
  await page.waitForURL('**/login?expired=true');
  await expect(page.getByText(/login has expired/)).toBeVisible();
  await page.getByLabel('Username or email').fill(ROOT_ACCOUNT.username);
  await page.getByLabel('Password', { exact: true }).fill(ROOT_ACCOUNT.password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/log?type=2');
});

test('an operator’s HTML is shown without anything that acts, under a policy without inline script [WEB-04]', async ({
  page,
  gateway,
  furnished,
}) => {
  expect(furnished.tokenKey).toMatch(/^sk-/);
  const root = new GatewayConsole(gateway.url);
  await root.signIn();
  const hostile =
    '<h2>Welcome</h2><img src=x onerror="window.hacked=1"><script>window.hacked=1</script><a href="javascript:window.hacked=1">go</a>';
  await root.setOptions({ HomePageContent: hostile, Footer: hostile });
  const response = await page.goto(gateway.url);
  await expect(page.getByRole('main').getByRole('heading', { name: 'Welcome' })).toBeVisible();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  const policy = response?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("script-src 'self'");
  expect(policy.match(/script-src [^;]*/)?.[0]).not.toContain('unsafe-inline');
  await root.setOptions({ HomePageContent: '', Footer: '' });
});

test('language and theme are remembered, and nothing flashes', async ({ page, gateway, furnished }) => {
  expect(furnished.tokenKey).toMatch(/^sk-/);
  const complaints = complaintsOf(page);
  await page.goto(gateway.url);
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitemradio', { name: '中文' }).click();
  await expect(page.getByRole('button', { name: '语言' })).toBeVisible();
  await page.getByRole('button', { name: '主题' }).click();
  await page.getByRole('menuitemradio', { name: '深色' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.addInitScript(`
    document.addEventListener('DOMContentLoaded', () => {
      window.firstTheme = document.documentElement.getAttribute('data-theme');
    });
  `);
  await page.reload();
  await expect(page.getByRole('button', { name: '语言' })).toBeVisible();
  expect(await page.evaluate('window.firstTheme')).toBe('dark');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  expect(complaints).toEqual([]);
});
