import { expect } from '@playwright/test';
import { Inspection } from './support/inspection.js';
import { LOOKS } from './support/looks.js';
import { callOnce, complaintsOf, dress, openExplanation, signIn, test } from './support/stage.js';

// Each look has a page of its own: two workers share them.
test.describe.configure({ mode: 'parallel' });

const PUBLIC = [
  '/',
  '/login',
  '/login?expired=true',
  '/register',
  '/reset',
  '/user/reset?email=ada@mail.test&token=none',
  '/about',
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
  '/midjourney',
  '/task',
  '/setting',
  '/setting?prices=model',
  '/setting?prices=groups',
  '/setting?prices=versions',
  '/setting?tab=ratelimit',
  '/setting?tab=models',
  '/setting?tab=system',
  '/setting?tab=other',
  '/status',
  '/job',
  '/user',
  '/user?add=1',
  '/user/edit/1',
  '/user/edit/2',
  '/playground',
  '/chat/0',
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
    const inspection = new Inspection(page);
    await page.setViewportSize({ width: look.width, height: 900 });
    await dress(page, look);
    const check = (path: string) => inspection.visit(gateway.url, path);
    for (const path of PUBLIC) await check(path);
    await signIn(page, gateway.url, look);
    for (const path of SCREENS) await check(path);
    expect(inspection.faults).toEqual([]);
    expect(complaints).toEqual([]);
  });
}

for (const theme of ['light', 'dark'] as const) {
  test(`dialogs over the users are readable in ${theme}`, async ({ page, gateway, furnished }) => {
    expect(furnished.tokenKey).toMatch(/^sk-/);
    await signIn(page, gateway.url, { theme });
    const inspection = new Inspection(page);
    for (const action of ['Adjust balance', 'Sign-in security', 'Ban', 'Delete']) {
      await page.goto(`${gateway.url}/user`);
      await page.getByRole('button', { name: 'Actions for ada' }).click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
      await expect(page.getByRole('dialog').or(page.getByRole('alertdialog')).first()).toBeVisible();
      await inspection.look(action);
    }
    expect(inspection.faults).toEqual([]);
  });
}

for (const look of LOOKS) {
  test(`prices, figures and explanations are readable in ${look.theme} at ${look.width} px`, async ({
    page,
    gateway,
    furnished,
  }) => {
    test.setTimeout(150_000);
    await page.setViewportSize({ width: look.width, height: 900 });
    await signIn(page, gateway.url, look);
    const reference = await callOnce(gateway.url, furnished.tokenKey);
    const inspection = new Inspection(page);
    const check = async (path: string, ready: string) => {
      await inspection.open(gateway.url, path);
      await page.locator(ready).first().waitFor();
      await inspection.look(path);
    };
    for (const name of ['visual', 'unset_models', 'model', 'groups', 'tools', 'sync', 'versions'])
      await check(`/setting?prices=${name}`, '#prices-panel');
    await check('/detail', 'section [role=img]');
    await check('/detail?by=account&grain=day', 'section [role=img]');
    await openExplanation(page, gateway.url, reference);
    await inspection.look('/log?open');
    expect(inspection.faults).toEqual([]);
  });
}

/** Everything that moves by itself counts: half of what https://web.dev/articles/cls calls good (read 2026-11-26). */
const GOOD_SHIFT = 0.05;
const SUM_SHIFTS = `{
  let sum = 0;
  const add = (entries) => entries.forEach(({ value, hadRecentInput }) => (sum += hadRecentInput ? 0 : value));
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  globalThis.sumShifts = () => (add(observer.takeRecords()), sum);
}`;

for (const width of [390, 1440]) {
  test(`pages stay in their place while they load, at ${width} px`, async ({ page, gateway, furnished }) => {
    expect(furnished.tokenKey).toMatch(/^sk-/);
    await page.setViewportSize({ width, height: 900 });
    await page.addInitScript({ content: SUM_SHIFTS });
    const inspection = new Inspection(page);
    await signIn(page, gateway.url);
    for (const [path, ready] of [
      ['/detail', 'section [role=img]'],
      ['/audit', 'main time'],
      ['/setting', '#settings-panel section'],
      ['/status', 'main time'],
      ['/job', 'main time'],
    ] as const) {
      await page.goto(`${gateway.url}${path}`);
      await page.locator(ready).first().waitFor();
      await inspection.settle();
      expect(await page.evaluate<number>('sumShifts()'), path).toBeLessThan(GOOD_SHIFT);
    }
  });
}
