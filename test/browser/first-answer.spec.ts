import { expect } from '@playwright/test';
import { countHands } from './support/hands.js';
import { complaintsOf, dress, openExplanation, ROOT_ACCOUNT, test } from './support/stage.js';

test('leads from a pasted key to a streamed answer and its receipt in six clicks', async ({
  page,
  freshGateway: gateway,
  upstream,
}) => {
  const complaints = complaintsOf(page);
  await dress(page, {});
  await page.goto(`${gateway.url}/setup`);
  await page.getByLabel(/^Username/).fill(ROOT_ACCOUNT.username);
  await page.getByLabel(/^Password/).fill(ROOT_ACCOUNT.password);
  await page.getByLabel(/^Confirm password/).fill(ROOT_ACCOUNT.password);
  await page.getByRole('button', { name: 'Initialize' }).click();
  await page.waitForURL(`${gateway.url}/start`);

  const key = page.getByLabel(/^Key/);
  await expect(key).toBeFocused();
  // Tests of the same worker share the scripted vendor.
  const callsBefore = upstream.journal.length;
  const hands = await countHands(page);
  await page.keyboard.insertText('xai-scripted-key');
  await expect(page.getByRole('combobox', { name: /^Provider/ })).toHaveValue('xAI');
  // The scripted vendor has an address of its own.
  await page.getByLabel(/^Base address/).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(upstream.url);
  expect(upstream.journal).toHaveLength(callsBefore);
  await page.getByRole('button', { name: /^Get the models from 127\.0\.0\.1/ }).click();

  await expect(page.getByLabel('Input price of fx-json, dollars per 1M tokens')).toBeFocused();
  await page.keyboard.type('2');
  await page.keyboard.press('Tab');
  await page.keyboard.type('4');
  await page.getByLabel('Input price of fx-std, dollars per 1M tokens').click();
  await page.keyboard.type('1');
  await page.keyboard.press('Tab');
  await page.keyboard.type('2');
  await expect(page.getByText('2 of 2 models will be offered')).toBeVisible();
  await page.getByRole('button', { name: 'Add, test and ask' }).click();
  await expect(page.getByRole('group', { name: 'The answer' })).not.toBeEmpty();
  const receipt = page.getByRole('link', { name: 'See the cost' });
  await expect(receipt).toBeInViewport();
  expect(await hands()).toEqual({ clicks: 4, characters: 4, pastes: 2 });
  expect(upstream.journal.length).toBeGreaterThan(callsBefore);

  const reference = new URL((await receipt.getAttribute('href')) ?? '', gateway.url).searchParams.get('open');
  await openExplanation(page, gateway.url, reference ?? '');
  expect(complaints).toEqual([]);
});
