import { expect, type Page } from '@playwright/test';
import { dress, ROOT_ACCOUNT, test } from './support/stage.js';

/** Presses Tab until the control with this role and name has the focus. */
async function tabTo(
  page: Page,
  role: Parameters<Page['getByRole']>[0],
  name: string | RegExp,
): Promise<void> {
  const target = page.getByRole(role, { name, exact: typeof name === 'string' }).first();
  await target.waitFor();
  for (let presses = 0; presses < 120; presses += 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${role} ${String(name)} cannot be reached with the keyboard`);
}

/** Presses an arrow key until the row of that name has the focus: other tests may have left rows between. */
async function arrowTo(page: Page, key: 'ArrowDown' | 'ArrowUp', name: string): Promise<void> {
  const target = page.getByRole('link', { name, exact: true });
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press(key);
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
  }
  throw new Error(`the row ${name} cannot be reached with ${key}`);
}

test('signs in, walks a table, edits in a drawer and undoes a deletion with the keyboard only', async ({
  page,
  gateway,
  furnished,
}) => {
  expect(furnished.tokenKey).toMatch(/^sk-/);
  await dress(page, {});
  await page.goto(`${gateway.url}/login`);
  await expect(page.getByLabel('Username or email')).toBeFocused();
  await page.keyboard.type(ROOT_ACCOUNT.username);
  await page.keyboard.press('Tab');
  await page.keyboard.type(ROOT_ACCOUNT.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'API tokens' })).toBeVisible();

  await test.step('the command palette goes to the channels', async () => {
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox')).toBeFocused();
    await page.keyboard.type('chan');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Channels' })).toBeVisible();
  });

  await test.step('arrow keys walk the rows, a menu edits one', async () => {
    await tabTo(page, 'link', 'Upstream one');
    await arrowTo(page, 'ArrowDown', 'Upstream two');
    await arrowTo(page, 'ArrowUp', 'Upstream one');
    await tabTo(page, 'button', 'Actions for Upstream one');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Edit channel' })).toBeVisible();
  });

  await test.step('closes the drawer by Escape, after a confirmation of unsaved input', async () => {
    await tabTo(page, 'textbox', /^Name/);
    await page.keyboard.press('End');
    await page.keyboard.type(' renamed');
    await page.keyboard.press('Escape');
    const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(question).toBeHidden();
    await expect(page.getByRole('textbox', { name: /^Name/ })).toBeFocused();
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('link', { name: 'Upstream one renamed', exact: true })).toBeVisible();
  });

  await test.step('a menu deletes, and Undo is reached and pressed without a mouse', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('API tok');
    await page.keyboard.press('Enter');
    await tabTo(page, 'button', 'Actions for laptop');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    const row = page.getByRole('button', { name: 'laptop', exact: true });
    await expect(page.getByRole('status').getByText('laptop was deleted')).toBeVisible();
    await expect(row).toHaveCount(0);
    await tabTo(page, 'button', 'Undo');
    await page.keyboard.press('Enter');
    await expect(row).toBeVisible();
    await tabTo(page, 'button', 'Actions for laptop');
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect(row).toHaveCount(0);
    await page.keyboard.press('Control+z');
    await expect(row).toBeVisible();
  });
});
