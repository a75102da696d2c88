/**
 * `npm run screenshots`: the built console in Chromium, with a week of made-up work in it, in both themes, and some pages in
 * Chinese. Writes docs/screenshots; `-- --folder FOLDER` writes elsewhere, `-- --only NAME` makes one of them.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type Page } from '@playwright/test';
import { getProgram } from '../support/programs.js';
import { furnishGateway, type FurnishedGateway } from './furnished-gateway.js';

const ROOT = join(import.meta.dirname, '../..');
const THEMES = ['light', 'dark'] as const;
const WINDOW = { width: 1_280, height: 800 };

interface Picture {
  readonly name: string;
  readonly path: (gateway: FurnishedGateway) => string;
  /** Also made in Chinese. */
  readonly inChinese?: boolean;
}

const PICTURES: readonly Picture[] = [
  { name: 'dashboard', path: () => '/detail', inChinese: true },
  { name: 'channels', path: () => '/channel' },
  { name: 'tokens', path: () => '/token' },
  { name: 'log', path: () => '/log', inChinese: true },
  { name: 'log-explanation', path: ({ explained }) => `/log?open=${explained}` },
  { name: 'wallet', path: () => '/topup' },
  { name: 'prices', path: () => '/setting?prices=visual' },
  { name: 'settings', path: () => '/setting?tab=system' },
  { name: 'status', path: () => '/status', inChinese: true },
];

const { values } = parseArgs({ options: { folder: { type: 'string' }, only: { type: 'string' } } });
const folder = values.folder ?? join(ROOT, 'docs/screenshots');
const wanted = PICTURES.filter(({ name }) => values.only === undefined || name === values.only);

/** Skeletons and spinners are gone, fonts are there, nothing moves. */
const AT_REST = `new Promise((done) => {
  const look = () => document.querySelector('.MuiSkeleton-root, [role=progressbar]:not([aria-valuenow])') === null
    ? requestAnimationFrame(() => requestAnimationFrame(done)) : setTimeout(look, 20);
  look();
}).then(() => document.fonts.ready).then(() => Promise.allSettled(document.getAnimations().map((each) => each.finished)))`;

async function signedIn(browser: Browser, gateway: FurnishedGateway, look: Look): Promise<Page> {
  const context = await browser.newContext({ viewport: WINDOW, colorScheme: look.theme, timezoneId: 'UTC' });
  const page = await context.newPage();
  await page.addInitScript(
    ([language, theme]) => {
      localStorage.setItem('i18nextLng', language);
      localStorage.setItem('theme-mode', theme);
      localStorage.setItem('first-steps', '{"logSeen":true,"hidden":true}');
    },
    [look.language, look.theme] as const,
  );
  await page.goto(`${gateway.url}/login`);
  await page.locator('input[name=username]').fill('root');
  await page.locator('input[name=password]').fill('correct horse battery');
  await page.locator('button[type=submit]').click();
  await page.waitForURL('**/token');
  return page;
}

interface Look {
  readonly language: 'en' | 'zh';
  readonly theme: (typeof THEMES)[number];
}

mkdirSync(folder, { recursive: true });
const gateway = await furnishGateway();
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? getProgram('chromium'),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars'],
});
try {
  for (const theme of THEMES) {
    for (const language of ['en', 'zh'] as const) {
      const pictures = wanted.filter(
        ({ inChinese }) => language === 'en' || (inChinese === true && theme === 'light'),
      );
      if (pictures.length === 0) continue;
      const page = await signedIn(browser, gateway, { language, theme });
      for (const { name, path } of pictures) {
        await page.goto(gateway.url + path(gateway));
        await page.waitForLoadState('networkidle');
        await page.evaluate(AT_REST);
        const file = language === 'en' ? `${name}-${theme}.png` : `${name}-zh.png`;
        await page.screenshot({ path: join(folder, file) });
        process.stdout.write(`  ${file}\n`);
      }
      await page.context().close();
    }
  }
} finally {
  await browser.close();
  await gateway.stop();
}
