import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { LOOKS } from './support/looks.js';
import { complaintsOf, dress, signIn, test } from './support/stage.js';
import { startsWith, textsOf } from './support/texts.js';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const MODEL = 'fx-std';

for (const language of ['en', 'zh'] as const) {
  test(`a price is changed, previewed, paid, explained and rolled back, in ${language}`, async ({
    page,
    gateway,
    furnished,
  }) => {
    test.setTimeout(150_000);
    const say = textsOf(language);
    const complaints = complaintsOf(page);
    await signIn(page, gateway.url, { language });
    const tab = (name: string) => page.goto(`${gateway.url}/setting?prices=${name}`);
    const review = (title: string) => page.getByRole('dialog', { name: startsWith(title) });

    await test.step('a broken document is named by its line and cannot be stored', async () => {
      await tab('model');
      const editor = page.getByRole('textbox', { name: say('settings.prices.ModelRatio.label') });
      await editor.click();
      await page.keyboard.press('Control+Home');
      await page.keyboard.type('{\n');
      const fault = say('settings.prices.fault.line', { line: '2', reason: say('common.form.notJson') });
      await expect(page.getByText(fault).first()).toBeVisible();
      await expect(page.getByRole('button', { name: say('settings.prices.draft.review') })).toBeDisabled();
      await page.getByRole('button', { name: say('settings.prices.draft.discard') }).click();
      await expect(page.getByText(fault)).toHaveCount(0);
    });

    await test.step('the change is previewed against what was really called', async () => {
      await tab('visual');
      await page.getByRole('searchbox', { name: say('settings.prices.search') }).fill(MODEL);
      await page.getByRole('button', { name: say('settings.prices.edit', { model: MODEL }) }).click();
      const dialog = page.getByRole('dialog', { name: say('settings.prices.dialogTitle') });
      await dialog.getByLabel(startsWith(say('settings.prices.column.input'))).fill('6');
      await dialog.getByLabel(startsWith(say('settings.prices.column.output'))).fill('12');
      await dialog.getByRole('button', { name: say('settings.prices.apply') }).click();
      await page.getByRole('button', { name: say('settings.prices.draft.review') }).click();
      const dialogOfReview = review(say('settings.prices.review.title'));
      await expect(dialogOfReview.getByText(/^\(\+\d+\.\d%\)$/)).toBeVisible();
      await expect(
        dialogOfReview
          .getByRole('table', { name: say('settings.prices.effect.users') })
          .getByRole('cell', { name: 'root' }),
      ).toBeVisible();
      await dialogOfReview.getByRole('button', { name: say('settings.prices.review.save') }).click();
      await expect(dialogOfReview).toBeHidden();
      await expect(page.getByText(say('settings.prices.review.stored'))).toBeVisible();
    });

    const reference = await callOnce(gateway.url, furnished.tokenKey);
    await test.step('the call is explained by the new price', async () => {
      await openExplanation(page, gateway.url, reference);
      await expect(page.getByRole('group', { name: say('logs.why.formula') })).toHaveText(/\) × 3 × 1 = /);
      await expect(page.getByText(say('logs.why.consistent'))).toBeVisible();
    });

    await test.step('one click undoes the change, and leaves the paid call as it was', async () => {
      await tab('versions');
      await page.getByRole('button', { name: say('settings.prices.versions.roll_before') }).click();
      const dialog = page.getByRole('dialog').filter({ hasText: say('settings.prices.review.note') });
      await expect(dialog.getByText(say('settings.prices.effect.after')).first()).toBeVisible();
      await dialog.getByLabel(startsWith(say('settings.prices.review.reason'))).fill(`typo in ${language}`);
      await dialog.getByRole('button', { name: say('settings.prices.review.rollBack') }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByText(`typo in ${language}`)).toBeVisible();
      await openExplanation(page, gateway.url, reference);
      await expect(page.getByRole('group', { name: say('logs.why.formula') })).toHaveText(/\) × 3 × 1 = /);
      const later = await callOnce(gateway.url, furnished.tokenKey);
      await openExplanation(page, gateway.url, later);
      await expect(page.getByRole('group', { name: say('logs.why.formula') })).toHaveText(/\) × 1 × 1 = /);
    });

    await test.step('the log of the current filters is a file', async () => {
      await page.goto(`${gateway.url}/log?type=2&model_name=${MODEL}`);
      const started = page.waitForEvent('download');
      await page.getByRole('button', { name: say('logs.export') }).click();
      const file = await started;
      expect(file.suggestedFilename()).toMatch(/^log-\d{4}-\d\d-\d\d\.csv$/);
      const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
      expect(lines.length).toBeGreaterThan(3);
      expect(lines.slice(1).every((line) => line.includes(MODEL))).toBe(true);
    });
    expect(complaints).toEqual([]);
  });
}

for (const look of LOOKS) {
  test(`prices, figures and explanations are readable in ${look.theme} at ${look.width} px`, async ({
    page,
    gateway,
    furnished,
  }) => {
    test.setTimeout(150_000);
    await page.setViewportSize({ width: look.width, height: 900 });
    await dress(page, look);
    await signIn(page, gateway.url, look);
    const reference = await callOnce(gateway.url, furnished.tokenKey);
    const faults: string[] = [];
    const check = async (path: string, ready: string) => {
      await page.goto(gateway.url + path);
      await page.locator(ready).first().waitFor();
      await page.waitForLoadState('networkidle');
      const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
      for (const { id, nodes } of violations)
        faults.push(`${path} ${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
      const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      if (beyond > 0) faults.push(`${path} is ${beyond} px wider than the window`);
    };
    for (const name of ['visual', 'unset_models', 'model', 'groups', 'tools', 'sync', 'versions'])
      await check(`/setting?prices=${name}`, '#prices-panel');
    await check('/detail', 'section [role=img]');
    await check('/detail?by=account&grain=day', 'section [role=img]');
    await check(`/log?open=${reference}`, '#charge-why');
    expect(faults).toEqual([]);
  });
}

/** @returns the request id, once the call stands in the log */
async function callOnce(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  await response.text();
  const reference = response.headers.get('x-request-id');
  expect([response.status, reference]).toEqual([200, expect.stringContaining('-')]);
  return reference ?? '';
}

async function openExplanation(page: Page, url: string, reference: string): Promise<void> {
  // A settlement may still be on its way to the database.
  await expect(async () => {
    await page.goto(`${url}/log?open=${reference}`);
    await expect(page.locator('#charge-why')).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 20_000 });
}
