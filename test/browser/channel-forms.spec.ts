import { expect } from '@playwright/test';
import { LOOKS } from './support/looks.js';
import { complaintsOf, signIn, test } from './support/stage.js';

test('a channel of several keys: the form, a streamed test, one key off and on again', async ({
  page,
  gateway,
  upstream,
  furnished,
}) => {
  expect(furnished.tokenKey).toMatch(/^sk-/);
  const complaints = complaintsOf(page);
  await signIn(page, gateway.url);
  await page.goto(`${gateway.url}/channel/add`);
  const drawer = page.getByRole('dialog', { name: 'Add channel' });
  await drawer.getByRole('button', { name: 'OpenAI' }).click();
  await drawer.getByLabel(/^Name/).fill('Three keys');
  await drawer.getByRole('button', { name: 'Advanced' }).click();
  await drawer.getByLabel(/^Base address/).fill(upstream.url);
  await drawer.getByRole('combobox', { name: /^How to use the keys/ }).click();
  await page.getByRole('option', { name: /^Several keys in this channel/ }).click();
  await drawer.getByLabel(/^Keys/).fill('browser-key-aaaa\nbrowser-key-bbbb\nbrowser-key-cccc');
  await drawer.getByRole('button', { name: 'Fetch from the provider' }).click();
  await expect(page.getByText(/models? (was|were) fetched/)).toBeVisible();
  await drawer.getByRole('switch', { name: 'Reasoning in the answer' }).check();
  await drawer.getByRole('button', { name: 'Save and test' }).click();
  await expect(page.getByText(/^Saved: fx-(std|json) answered in/)).toBeVisible();

  const row = page.getByRole('row').filter({ hasText: 'Three keys' });
  await expect(row.getByText('3 keys')).toBeVisible();

  await test.step('a streamed test shows the answer and the first-token time', async () => {
    await row.getByRole('button', { name: 'Test', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: /^Test Three keys/ });
    await dialog.getByRole('switch', { name: 'Streamed' }).check();
    await dialog.getByRole('button', { name: 'Test fx-std' }).click();
    await expect(dialog.getByText(/first token/)).toBeVisible();
    await expect(dialog.getByText('tok tok').first()).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('one key is switched off and on', async () => {
    await row.getByRole('button', { name: 'Actions for Three keys' }).click();
    await page.getByRole('menuitem', { name: 'Keys' }).click();
    const dialog = page.getByRole('dialog', { name: /^Keys of Three keys/ });
    await expect(dialog.getByText('…bbbb')).toBeVisible();
    await dialog.getByRole('button', { name: 'Disable Key 2' }).click();
    await expect(dialog.getByText('2 enabled, 1 disabled manually, 0 disabled automatically')).toBeVisible();
    await dialog.getByRole('button', { name: 'Enable Key 2' }).click();
    await expect(dialog.getByText('3 enabled, 0 disabled manually, 0 disabled automatically')).toBeVisible();
    await expect(dialog).not.toContainText('browser-key');
    await dialog.getByRole('button', { name: 'Close' }).click();
  });
  expect(complaints).toEqual([]);
});

for (const look of LOOKS) {
  test(`every type's form fits in ${look.language}, ${look.theme}, at ${look.width} px`, async ({
    page,
    gateway,
    furnished,
  }) => {
    expect(furnished.tokenKey).toMatch(/^sk-/);
    await signIn(page, gateway.url, look);
    await page.setViewportSize({ width: look.width, height: 900 });
    await page.goto(`${gateway.url}/channel/add`);
    const type = page.getByRole('dialog').getByRole('combobox').first();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^(Advanced|高级)/ })
      .click();
    for (const name of ['Vertex AI', 'AWS Bedrock', 'Azure', 'Gemini', 'Cloudflare']) {
      await type.click();
      await page
        .getByRole('option', { name: new RegExp(`^${name}`) })
        .first()
        .click();
      await expect(type).toHaveValue(name);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - window.innerWidth',
      );
      expect(overflow, name).toBeLessThanOrEqual(0);
    }
  });
}
