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
  '/docs',
  '/docs/errors',
  '/nowhere',
];
const SCREENS = [
  '/detail',
  '/start',
  '/channel',
  '/channel?tags=true',
  '/channel/add',
  '/channel/edit/1',
  '/channel/1',
  '/latency',
  '/token',
  '/token?edit=new',
  '/log',
  '/log?type=2&range=day',
  '/midjourney',
  '/task',
  '/prices',
  '/setting',
  '/setting?prices=model',
  '/setting?prices=groups',
  '/setting?prices=versions',
  '/setting?tab=ratelimit',
  '/setting?tab=models',
  '/setting?tab=system',
  '/setting?tab=other',
  '/setting/import',
  '/limit',
  '/limit?edit=new',
  '/token?limits=1',
  '/status',
  '/job',
  '/user',
  '/user?add=1',
  '/user/2',
  '/user/2?tab=tokens',
  '/user/tokens',
  '/user/edit/1',
  '/user/2',
  '/user/2/calls',
  '/user/2/tokens',
  '/user/2/money',
  '/user/2/security',
  '/user/edit/2',
  '/playground',
  '/chat/0',
  '/audit',
  '/bin',
  '/bin?section=user',
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
    for (const action of ['Adjust balance', 'Login security', 'Ban']) {
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
  test(`prices, figures and explanations are readable in ${look.language}, ${look.theme}, at ${look.width} px`, async ({
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
/** Sums the shifts; the elements that moved are listed for the message of a failure. */
const SUM_SHIFTS = `{
  let sum = 0;
  const moved = [];
  const name = (node) => ((node?.nodeType === 1 ? node : node?.parentElement)?.outerHTML ?? '?').slice(0, 160);
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
  const add = (entries) => {
    for (const { value, hadRecentInput, sources } of entries) {
      if (hadRecentInput) continue;
      sum += value;
      for (const { node, previousRect, currentRect } of sources)
        moved.push(value.toFixed(4) + ' from ' + place(previousRect) + ' to ' + place(currentRect) + ' ' + name(node));
    }
  };
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  globalThis.shifts = () => (add(observer.takeRecords()), { sum, moved });
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
      ['/channel', 'main :is(li, tbody tr)'],
      ['/token', 'main :is(li, tbody tr)'],
      ['/log', 'main :is(li, tbody tr)'],
      ['/playground', 'main [role=log] article'],
      ['/docs', 'main h1'],
    ] as const) {
      await page.goto(`${gateway.url}${path}`);
      await page.locator(ready).first().waitFor();
      await inspection.settle();
      const { sum, moved } = await page.evaluate<{ sum: number; moved: readonly string[] }>('shifts()');
      expect(sum, `${path}\n${moved.join('\n')}`).toBeLessThan(GOOD_SHIFT);
    }
  });
}
