import { expect, type Page } from '@playwright/test';
import { BEHAVIOURS } from '../support/fake-upstream-behaviours.js';
import { FakeUpstream } from '../support/fake-upstream.js';
import { GatewayConsole } from '../support/gateway-console.js';
import type { GatewayProcess } from '../support/gateway-process.js';
import { countHands } from './support/hands.js';
import { signIn, test } from './support/stage.js';

interface Seeded {
  readonly requestId: string;
  /** Key of a token of another account. */
  readonly leakedKey: string;
}

/** A channel that fails 30 % of its attempts behind a good one, a second account, and a call of each. */
async function seed(gateway: GatewayProcess, upstream: FakeUpstream): Promise<Seeded> {
  const root = new GatewayConsole(gateway.url);
  await root.setUp();
  await root.setOptions({ ModelRatio: { 'fx-std': 1 }, RetryTimes: 1 });
  let attempts = 0;
  upstream.on('fx-std', (exchange) => {
    if (exchange.entry.headers['authorization'] !== 'Bearer key-of-the-flaky-account')
      return BEHAVIOURS['fx-quick']?.(exchange);
    attempts += 1;
    return BEHAVIOURS[attempts % 10 < 3 ? 'fx-error-500' : 'fx-quick']?.(exchange);
  });
  const channel = { base_url: upstream.url, models: ['fx-std'] };
  await root.addChannel({ ...channel, name: 'flaky', key: 'key-of-the-flaky-account', priority: 9 });
  await root.addChannel({ ...channel, name: 'spare' });
  const { key } = await root.addToken({ name: 'laptop' });
  let requestId = '';
  for (let call = 0; call < 30; call += 1) {
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'fx-std', messages: [{ role: 'user', content: 'Hello' }] }),
    });
    await reply.text();
    requestId = reply.headers.get('x-request-id') ?? '';
  }
  await root.waitFor(
    () => root.send<{ total: number }>('GET', '/api/log/?p=1&page_size=10&type=2'),
    ({ total }) => total >= 30,
  );
  const ada = await root.addUser('ada', 500_000);
  const leaked = await ada.addToken({ name: 'leaked' });
  return { requestId, leakedKey: leaked.key };
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+K');
  await expect(page.getByRole('combobox', { name: /^Search pages/ })).toBeFocused();
}

/** One job from where an operator stands: the pages count the hands, and the job has its bound of presses. */
async function job(page: Page, url: string, from: string, most: number, run: () => Promise<void>) {
  await page.goto(url + from);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const hands = await countHands(page);
  await run();
  const { clicks, characters, pastes } = await hands();
  if (process.env['SHOW_HANDS'] !== undefined)
    process.stdout.write(`${from}: ${clicks} clicks, ${characters} characters, ${pastes} pastes\n`);
  expect(clicks).toBeLessThanOrEqual(most);
}

test('everyday jobs of an operator are done in the console alone, within their clicks', async ({
  page,
  freshGateway: gateway,
}) => {
  test.setTimeout(120_000);
  const upstream = await FakeUpstream.start();
  const { requestId, leakedKey } = await seed(gateway, upstream);
  await signIn(page, gateway.url);
  const at = (from: string, most: number, run: () => Promise<void>) =>
    job(page, gateway.url, from, most, run);

  await test.step('find a request by its id', () =>
    at('/token', 1, async () => {
      await openPalette(page);
      await page.keyboard.insertText(requestId);
      await expect(page.getByRole('option')).toHaveCount(1);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog', { name: /fx-std/ })).toBeVisible();
    }));
  await test.step('find the dearest call and why it cost so much', () =>
    at('/log', 2, async () => {
      await page.getByRole('button', { name: 'Amount' }).click();
      await page.locator('tbody tr').first().click();
      await expect(page.locator('#charge-why')).toBeVisible();
    }));
  await test.step('see which channel fails and why', () =>
    at('/detail', 1, async () => {
      await page
        .getByRole('region', { name: 'Needs attention' })
        .getByText(/flaky #1: \d+ of \d+/)
        .waitFor();
      await page.getByRole('link', { name: 'Open channel' }).click();
      await expect(page.getByText(/500/).first()).toBeVisible();
    }));
  await test.step('replace the key of a channel, tested as it is saved', () =>
    at('/channel', 4, async () => {
      await page.getByRole('button', { name: 'Actions for spare' }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await page.getByLabel(/^Key/).first().click();
      await page.keyboard.insertText('key-of-today');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }));
  await test.step('see who spent most yesterday', () =>
    at('/detail', 5, async () => {
      await page.getByRole('combobox', { name: 'Time range' }).click();
      await page.getByRole('option', { name: 'Yesterday' }).click();
      await page.getByRole('combobox', { name: 'Split by' }).click();
      await page.getByRole('option', { name: 'Account' }).click();
      await expect(page).toHaveURL(/by=account/);
    }));
  await test.step('get the configuration of Claude Code', () =>
    at('/token', 3, async () => {
      await page.getByRole('button', { name: 'Connect' }).first().click();
      await page.getByRole('dialog').getByText('Claude Code').first().click();
      await expect(page.getByRole('dialog')).toContainText('ANTHROPIC_BASE_URL');
    }));
  await test.step('disable the leaked token of another account', () =>
    at('/detail', 3, async () => {
      await openPalette(page);
      await page.keyboard.insertText(leakedKey);
      await expect(page.getByRole('option')).toHaveCount(1);
      await page.keyboard.press('Enter');
      await page.waitForURL(/tokens/);
      await page
        .getByRole('button', { name: /^Disable/ })
        .first()
        .click();
      await page.getByRole('dialog').getByRole('textbox').fill('Found in a public repository');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Disable/ })
        .click();
      await expect(page.getByText('Disabled').first()).toBeVisible();
    }));
  await test.step('undo the deletion of a token', () =>
    at('/token', 4, async () => {
      await page.getByRole('button', { name: 'Actions for laptop' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByText('laptop').first()).toBeVisible();
    }));
  await test.step('read the latency of a model over a week', () =>
    at('/channel', 3, async () => {
      await page.getByRole('link', { name: 'Latency' }).click();
      await page.getByRole('combobox', { name: 'Period' }).click();
      await page.getByRole('option', { name: /7 days/ }).click();
      await expect(page.getByRole('row', { name: /fx-std/ }).first()).toBeVisible();
    }));
  await test.step('export the month', () =>
    at('/detail', 4, async () => {
      await page.getByRole('combobox', { name: 'Time range' }).click();
      await page.getByRole('option', { name: 'This month' }).click();
      await page.getByRole('button', { name: 'Export' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: /CSV/ }).click();
      expect((await download).suggestedFilename()).toMatch(/\.csv$/);
    }));
});
