import { expect, type Page } from '@playwright/test';
import { GatewayConsole } from '../support/gateway-console.js';
import { countHands } from './support/hands.js';
import { signIn, test } from './support/stage.js';

/** Most clicks and milliseconds for "$5 a day for this key, warn at 80 %". */
const MOST = { clicks: 6, ms: 30_000 };

interface Stored {
  readonly measure: string;
  readonly amount: number;
  readonly period: string;
  readonly warn_at: number[];
  readonly subject: string;
}

async function setFiveDollarsADay(page: Page, url: string): Promise<{ clicks: number; ms: number }> {
  await page.goto(`${url}/token`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const hands = await countHands(page);
  const startedMs = performance.now();
  await page.getByRole('button', { name: 'Actions for laptop' }).click();
  await page.getByRole('menuitem', { name: 'Limits' }).click();
  await page.getByRole('button', { name: 'Add limit' }).click();
  const drawer = page.getByRole('dialog', { name: 'Add limit' });
  await drawer.getByLabel(/dollars/).click();
  await page.keyboard.type('5');
  await expect(drawer.getByRole('checkbox', { name: '80 %' })).toBeChecked();
  await drawer.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByText('$5.00 a day').first()).toBeVisible();
  return { clicks: (await hands()).clicks, ms: performance.now() - startedMs };
}

for (const [size, viewport] of [
  ['desktop', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 844 }],
] as const)
  test(`a limit of $5 a day with a warning at 80 % takes six clicks at most (${size})`, async ({
    page,
    freshGateway: gateway,
  }) => {
    const root = new GatewayConsole(gateway.url);
    await root.setUp();
    const { id } = await root.addToken({ name: 'laptop' });
    await page.setViewportSize(viewport);
    await signIn(page, gateway.url);
    const { clicks, ms } = await setFiveDollarsADay(page, gateway.url);
    expect(clicks).toBeLessThanOrEqual(MOST.clicks);
    expect(ms).toBeLessThan(MOST.ms);
    const { items } = await root.send<{ items: Stored[] }>('GET', '/api/limits');
    expect(items).toMatchObject([
      { subject: String(id), measure: 'quota', amount: 2_500_000, period: 'day', warn_at: [80] },
    ]);
    await page.goto(`${gateway.url}/limit`);
    await expect(page.getByText('$5.00 a day').first()).toBeVisible();
    await expect(page.getByText(/^Resets in /).first()).toBeVisible();
    await page.goto(`${gateway.url}/topup`);
    await expect(
      page.getByRole('region', { name: 'Your limits' }).getByText('$5.00 a day').first(),
    ).toBeVisible();
  });
