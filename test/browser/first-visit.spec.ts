import { expect, type CDPSession, type Page } from '@playwright/test';
import { ROOT_ACCOUNT, signIn, test } from './support/stage.js';

/** Most requests of one visit with an empty cache until the network is idle; console-assets.mjs has the bytes. */
const MOST_REQUESTS = 35;
const MOST_CODE = 25;

/** A line of 1.6 Mbit/s with 150 ms each way and a processor four times slower, as docs/performance.md measures. */
const SLOW_LINE = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};

/** Requests of a visit with an empty cache until the network is idle. */
async function visit(page: Page, address: string): Promise<{ all: string[]; code: string[] }> {
  const all: string[] = [];
  const note = (request: { url(): string }) => all.push(new URL(request.url()).pathname);
  page.on('request', note);
  await page.goto(address);
  await page.locator('main h1').first().waitFor();
  await page.waitForLoadState('networkidle');
  page.off('request', note);
  return { all, code: all.filter((path) => /\.(?:js|css)$/.test(path)) };
}

test('a first visit makes few requests, and asks for nothing the page brought along', async ({
  browser,
  page,
  gateway,
  furnished,
}) => {
  expect(furnished.tokenKey).toMatch(/^sk-/);
  const guest = await visit(page, `${gateway.url}/login`);
  expect(guest.all.length).toBeLessThanOrEqual(MOST_REQUESTS);
  await signIn(page, gateway.url);
  const storageState = await page.context().storageState();
  for (const path of ['/token', '/channel', '/user', '/status']) {
    const context = await browser.newContext({ storageState, locale: 'en-US' });
    const { all, code } = await visit(await context.newPage(), gateway.url + path);
    await context.close();
    expect(all.length, `${path}: ${all.join(' ')}`).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(code.length, `${path}: ${code.join(' ')}`).toBeLessThanOrEqual(MOST_CODE);
    expect(all.filter((each) => ['/api/status', '/api/notice'].includes(each))).toEqual([]);
  }
});

test('the sidebar is there while the code of the page is still on its way', async ({
  browser,
  page,
  gateway,
  furnished,
}) => {
  expect(furnished.tokenKey).toMatch(/^sk-/);
  await signIn(page, gateway.url);
  const context = await browser.newContext({ storageState: await page.context().storageState() });
  const visitor = await context.newPage();
  const held = Promise.withResolvers<void>();
  await visitor.route(/channels-page-[\w-]+\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await visitor.goto(`${gateway.url}/channel`);
  const navigation = visitor.getByRole('navigation', { name: 'Navigation' });
  await expect(navigation.getByRole('link', { name: 'Channels' })).toBeVisible();
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveCount(0);
  held.resolve();
  await expect(visitor.getByRole('heading', { level: 1, name: 'Channels' })).toBeVisible();
  await context.close();
});

/** Network events of a visit on the slow line, in their order. */
async function slowly(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW_LINE);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  return session;
}

test('a slow line brings the code of the page beside the entry, and fonts after it', async ({
  browser,
  page,
  gateway,
  furnished,
}) => {
  expect(furnished.tokenKey).toMatch(/^sk-/);
  await signIn(page, gateway.url);
  const context = await browser.newContext({ storageState: await page.context().storageState() });
  const visitor = await context.newPage();
  await slowly(visitor);
  const asked: string[] = [];
  const finished: string[] = [];
  visitor.on('request', (request) => asked.push(new URL(request.url()).pathname));
  visitor.on('requestfinished', (request) => finished.push(new URL(request.url()).pathname));
  const started = performance.now();
  await visitor.goto(`${gateway.url}/channel`, { waitUntil: 'commit' });
  const first = await visitor.waitForEvent('requestfinished', (request) =>
    /\/react-[\w-]+\.js$/.test(request.url()),
  );
  expect(first.url()).toContain(gateway.url);
  const names = (list: string[]) => list.filter((path) => path.startsWith('/assets/'));
  const askedEarly = names(asked);
  for (const part of ['channels-page', 'signed-in-parts', 'signed-in-routes', 'start'])
    expect(
      askedEarly.some((path) => path.includes(`/${part}-`)),
      part,
    ).toBe(true);
  expect(askedEarly.filter((path) => path.endsWith('.woff2'))).toEqual([]);
  await visitor.locator('tbody tr').first().waitFor();
  test.info().annotations.push({
    type: 'slow line',
    description: `/channel usable after ${Math.round(performance.now() - started)} ms, ${finished.length} answers`,
  });
  await context.close();
});

const ADDRESSES = ['/topup?page=2', '/log?type=2', '/playground?mode=image', '/setting?tab=operation'];

test('the first visit keeps its address: with a session alone, after a log-in, and when the session has expired', async ({
  browser,
  page,
  gateway,
  furnished,
}) => {
  expect(furnished.tokenKey).toMatch(/^sk-/);
  await signIn(page, gateway.url);
  const { cookies, origins } = await page.context().storageState();
  const kept = [
    { name: 'session alone', storageState: { cookies, origins: [] }, isSignedIn: true },
    { name: 'guest', storageState: { cookies: [], origins: [] }, isSignedIn: false },
    { name: 'expired session', storageState: { cookies: [], origins }, isSignedIn: false },
  ];
  for (const { name, storageState, isSignedIn } of kept)
    for (const path of ADDRESSES) {
      const context = await browser.newContext({ storageState, locale: 'en-US' });
      const visitor = await context.newPage();
      await visitor.goto(gateway.url + path);
      if (!isSignedIn) {
        await visitor.waitForURL(/\/login/);
        await visitor.locator('input[name=username]').fill(ROOT_ACCOUNT.username);
        await visitor.locator('input[name=password]').fill(ROOT_ACCOUNT.password);
        await visitor.locator('button[type=submit]').click();
      }
      await expect(visitor, `${name}, ${path}`).toHaveURL(gateway.url + path);
      await expect(visitor.locator('main h1').first()).toBeVisible();
      expect(visitor.url(), `${name}, ${path}`).toBe(gateway.url + path);
      await context.close();
    }
});
