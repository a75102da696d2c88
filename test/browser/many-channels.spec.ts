import { expect } from '@playwright/test';
import { LOOKS } from './support/looks.js';
import { Inspection } from './support/inspection.js';
import { complaintsOf, signIn, test } from './support/stage.js';

/** The part of a document that counting needs. */
interface Listening {
  addEventListener(type: string, listener: () => void, capture: boolean): void;
}

test('ten pasted rows become ten channels in two clicks', async ({ page, gateway, upstream, furnished }) => {
  expect(furnished.tokenKey).toMatch(/^sk-/);
  const complaints = complaintsOf(page);
  await signIn(page, gateway.url);
  await page.goto(`${gateway.url}/channel`);
  await expect(page.getByRole('button', { name: 'Add many' })).toBeVisible();
  await page.evaluate(() => {
    Object.assign(globalThis, { clicks: 0 });
    const { document } = globalThis as unknown as { document: Listening };
    const counted = globalThis as unknown as { clicks: number };
    document.addEventListener('pointerdown', () => (counted.clicks += 1), true);
  });

  await page.getByRole('button', { name: 'Add many' }).click();
  const dialog = page.getByRole('dialog', { name: /^Add many channels/ });
  await expect(dialog.getByLabel('Rows or JSON')).toBeFocused();
  const rows = Array.from(
    { length: 10 },
    (_, index) => `OpenAI\tpasted-key-${index}\tfx-std\tPasted\t${upstream.url}`,
  );
  await page.keyboard.insertText(rows.join('\n'));
  await expect(dialog.getByText('10 of 10 rows can be added')).toBeVisible();
  await dialog.getByRole('button', { name: 'Add 10 channels' }).click();
  await expect(page.getByText('10 channels were added')).toBeVisible();
  await expect(dialog).toBeHidden();
  expect(await page.evaluate(() => (globalThis as unknown as { clicks: number }).clicks)).toBe(2);
  await page.goto(`${gateway.url}/channel?keyword=Pasted`);
  await expect(page.getByText('1–10 of 10')).toBeVisible();
  for (const name of ['Pasted 1', 'Pasted 10'])
    await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
  expect(complaints).toEqual([]);
});

for (const look of LOOKS) {
  test(`pasted rows and their faults are readable in ${look.language}, ${look.theme}, at ${look.width} px`, async ({
    page,
    gateway,
    furnished,
  }) => {
    expect(furnished.tokenKey).toMatch(/^sk-/);
    await signIn(page, gateway.url, look);
    await page.setViewportSize({ width: look.width, height: 900 });
    await page.goto(`${gateway.url}/channel`);
    await page.getByRole('button', { name: /^(Add many|批量添加)$/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('textbox')
      .fill('xai-a-long-scripted-key\nsk-of-no-vendor-alone');
    await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(2);
    const inspection = new Inspection(page);
    await inspection.look('many');
    expect(inspection.faults).toEqual([]);
  });
}
