import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@playwright/test';
import { LOOKS } from './support/looks.js';
import { complaintsOf, dress, signIn, test } from './support/stage.js';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const PUBLIC = [
  '/',
  '/login',
  '/login?expired=true',
  '/register',
  '/reset',
  '/user/reset?email=ada@mail.test&token=none',
  '/nowhere',
];
const SCREENS = [
  '/detail',
  '/channel',
  '/channel?tags=true',
  '/channel/add',
  '/channel/edit/1',
  '/token',
  '/token?edit=new',
  '/log',
  '/log?type=2&range=day',
  '/setting',
  '/setting?prices=model',
  '/setting?prices=groups',
  '/setting?prices=versions',
  '/setting?tab=ratelimit',
  '/setting?tab=models',
  '/setting?tab=system',
  '/setting?tab=other',
  '/user',
  '/user?add=1',
  '/user/edit/1',
  '/user/edit/2',
  '/audit',
  '/audit?open=1',
  '/personal',
  '/personal?tab=security',
  '/personal?tab=notifications',
  '/personal?tab=prices',
];
for (const look of LOOKS) {
  test(`every screen is readable in ${look.language}, ${look.theme}, at ${look.width} px`, async ({
    page,
    gateway,
    furnished,
  }) => {
    test.setTimeout(300_000);
    expect(furnished.tokenKey).toMatch(/^sk-/);
    const complaints = complaintsOf(page);
    const faults: string[] = [];
    await page.setViewportSize({ width: look.width, height: 900 });
    await dress(page, look);
    const check = async (path: string) => {
      await page.goto(gateway.url + path);
      await page.waitForLoadState('networkidle');
      const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
      for (const violation of violations) {
        faults.push(
          `${path} ${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`,
        );
      }
      const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      if (beyond > 0) faults.push(`${path} is ${beyond} px wider than the window`);
      const text = await page.locator('body').innerText();
      if (
        /\b(common|shell|signIn|setup|home|dashboard|channels|tokens|logs|settings|personal|users|audit|identity|reset|oauthCallback)\.\w+\.\w+/.test(
          text,
        )
      ) {
        faults.push(`${path} shows a text key`);
      }
    };
    for (const path of PUBLIC) await check(path);
    await signIn(page, gateway.url, look);
    for (const path of SCREENS) await check(path);
    expect(faults).toEqual([]);
    expect(complaints).toEqual([]);
  });
}

for (const theme of ['light', 'dark'] as const) {
  test(`dialogs over the users are readable in ${theme}`, async ({ page, gateway, furnished }) => {
    expect(furnished.tokenKey).toMatch(/^sk-/);
    await signIn(page, gateway.url, { theme });
    const faults: string[] = [];
    for (const action of ['Adjust balance', 'Sign-in security', 'Ban', 'Delete']) {
      await page.goto(`${gateway.url}/user`);
      await page.getByRole('button', { name: 'Actions for ada' }).click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
      const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog')).first();
      await expect(dialog).toBeVisible();
      await page.waitForLoadState('networkidle');
      const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
      faults.push(...violations.map(({ id }) => `${action}: ${id}`));
    }
    expect(faults).toEqual([]);
  });
}
