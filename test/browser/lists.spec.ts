import { expect } from '@playwright/test';
import { GatewayConsole } from '../support/gateway-console.js';
import { Inspection } from './support/inspection.js';
import { signIn, test } from './support/stage.js';

const BEYOND = `[...document.querySelectorAll('.MuiTableContainer-root')]
  .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)`;
/** Colours of the row of ada and of its last cell. */
const COLOURS = `(() => {
  const row = [...document.querySelectorAll('tbody tr')].find(({ textContent }) => textContent.includes('ada'));
  return [row, row.lastElementChild].map((each) => getComputedStyle(each).backgroundColor);
})()`;

test('shows lists without a scroll bar for a hidden heading, and the last cell in the colour of its row', async ({
  page,
  gateway,
  furnished,
}) => {
  expect(furnished.tokenKey).toMatch(/^sk-/);
  await signIn(page, gateway.url);
  const inspection = new Inspection(page);
  for (const path of ['/user', '/token', '/pricing', '/job']) {
    await inspection.open(gateway.url, path);
    await page.locator('.MuiTableContainer-root td').first().waitFor();
    await inspection.settle();
    const beyond = await page.evaluate<number[]>(BEYOND);
    expect({ path, beyond }).toEqual({ path, beyond: beyond.map(() => 0) });
  }
  await page.goto(`${gateway.url}/user`);
  const row = page.getByRole('row', { name: /ada/ });
  await row.waitFor();
  const colours = (): Promise<string[]> => page.evaluate<string[]>(COLOURS);
  const [plain] = await colours();
  await row.hover();
  await expect.poll(async () => (await colours())[0]).not.toBe(plain);
  await expect.poll(async () => new Set(await colours()).size).toBe(1);
});

test('shows every column of the health card beside a long channel name', async ({
  page,
  freshGateway,
  upstream,
}) => {
  const console = new GatewayConsole(freshGateway.url);
  await console.setUp();
  await console.setOptions({ ModelRatio: { 'fx-std': 1 } });
  const name = 'The account of the research department, Frankfurt';
  await console.addChannel({ base_url: upstream.url, models: ['fx-std'], name });
  const { key } = await console.addToken();
  await fetch(`${freshGateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'fx-std', messages: [{ role: 'user', content: 'Hello' }] }),
  }).then((response) => response.text());
  await signIn(page, freshGateway.url);
  await expect(async () => {
    await page.goto(`${freshGateway.url}/detail`);
    await expect(page.getByRole('link', { name })).toBeVisible({ timeout: 5_000 });
  }).toPass();
  const table = page.getByRole('table', { name: 'Health, last 24 hours' });
  const [inner, outer] = await Promise.all([
    table.boundingBox(),
    page.getByRole('region', { name: 'Health, last 24 hours' }).boundingBox(),
  ]);
  expect((inner?.x ?? 0) + (inner?.width ?? 0)).toBeLessThan((outer?.x ?? 0) + (outer?.width ?? 0));
});
