import { expect, type Page, test as base } from '@playwright/test';
import { FakeUpstream } from '../../support/fake-upstream.js';
import { GatewayConsole } from '../../support/gateway-console.js';
import { GatewayProcess } from '../../support/gateway-process.js';

export const ROOT_ACCOUNT = { username: 'root', password: 'correct horse battery' } as const;

/** The product and an upstream, one pair for all files. */
interface Stage {
  gateway: GatewayProcess;
  upstream: FakeUpstream;
}

/** A gateway that is set up, with a channel, prices, a token and calls in its log. */
interface Furnished {
  furnished: { readonly tokenKey: string };
}

/** A gateway without a set-up, for one test alone. */
interface Fresh {
  freshGateway: GatewayProcess;
}

export const test = base.extend<Fresh, Stage & Furnished>({
  freshGateway: async ({ playwright: _playwright }, provide) => {
    const gateway = await GatewayProcess.start();
    await provide(gateway);
    await gateway.stop();
  },
  gateway: [
    async ({ playwright: _playwright }, provide) => {
      const gateway = await GatewayProcess.start();
      await provide(gateway);
      await gateway.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  upstream: [
    async ({ playwright: _playwright }, provide) => {
      const upstream = await FakeUpstream.start();
      await provide(upstream);
      await upstream.close();
    },
    { scope: 'worker' },
  ],
  furnished: [
    async ({ gateway, upstream }, provide) => {
      const console = new GatewayConsole(gateway.url);
      await console.setUp();
      await console.setOptions({
        ModelRatio: { 'fx-std': 1, 'fx-json': 1 },
        CompletionRatio: { 'fx-std': 2, 'fx-json': 2 },
      });
      await console.addChannel({
        base_url: upstream.url,
        models: ['fx-std', 'fx-json'],
        name: 'Upstream one',
        priority: 3,
      });
      await console.addChannel({
        base_url: upstream.url,
        models: ['fx-std'],
        name: 'Upstream two',
        tag: 'spare',
      });
      const { key } = await console.addToken({ name: 'laptop' });
      await console.send('POST', '/api/user/', {
        username: 'ada',
        password: 'correct horse battery',
        display_name: 'Ada',
      });
      for (const stream of [false, true, false]) await chat(gateway.url, key, 'fx-std', stream);
      await console.waitFor(
        () => console.send<{ total: number }>('GET', '/api/log/?p=1&page_size=10&type=2'),
        ({ total }) => total >= 3,
      );
      await provide({ tokenKey: key });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

async function chat(url: string, key: string, model: string, stream: boolean): Promise<void> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  if (!response.ok) throw new Error(`call failed: ${response.status} ${await response.text()}`);
  await response.text();
}

export interface Look {
  readonly language?: 'en' | 'zh';
  readonly theme?: 'light' | 'dark';
}

/** Language and theme as a returning visitor has them. */
export async function dress(page: Page, { language = 'en', theme = 'light' }: Look): Promise<void> {
  await page.addInitScript(
    ([lng, mode]) => {
      localStorage.setItem('i18nextLng', lng);
      localStorage.setItem('theme-mode', mode);
    },
    [language, theme] as const,
  );
}

/** Signs in as people do. */
export async function signIn(page: Page, url: string, look: Look = {}): Promise<void> {
  await dress(page, look);
  await page.goto(`${url}/login`);
  await page.locator('input[name=username]').fill(ROOT_ACCOUNT.username);
  await page.locator('input[name=password]').fill(ROOT_ACCOUNT.password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL(`${url}/token`);
}

/** Everything the browser complained about; a healthy console is silent. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

/** @returns the request id, once the call stands in the log */
export async function callOnce(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'fx-std', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  await response.text();
  const reference = response.headers.get('x-request-id');
  expect([response.status, reference]).toEqual([200, expect.stringContaining('-')]);
  return reference ?? '';
}

/** Opens a call in the log, once its charge is explained there. */
export async function openExplanation(page: Page, url: string, reference: string): Promise<void> {
  // A settlement may still be on its way to the database.
  await expect(async () => {
    await page.goto(`${url}/log?open=${reference}`);
    await expect(page.locator('#charge-why')).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
}
