import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { callOnce, complaintsOf, openExplanation, signIn, test } from './support/stage.js';
import { startsWith, textsOf } from './support/texts.js';

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
      const editor = page.getByRole('textbox', { name: say('prices.ModelRatio.label') });
      await editor.click();
      await page.keyboard.press('Control+Home');
      await page.keyboard.type('{\n');
      const fault = say('prices.fault.line', { line: '2', reason: say('common.form.notJson') });
      await expect(page.getByText(fault).first()).toBeVisible();
      await expect(page.getByRole('button', { name: say('prices.draft.review') })).toBeDisabled();
      await page.getByRole('button', { name: say('prices.draft.discard') }).click();
      await expect(page.getByText(fault)).toHaveCount(0);
    });

    await test.step('previews the change against the real calls', async () => {
      await tab('visual');
      await page.getByRole('searchbox', { name: say('prices.search') }).fill(MODEL);
      await page.getByRole('button', { name: say('prices.edit', { model: MODEL }) }).click();
      const dialog = page.getByRole('dialog', {
        name: say('prices.dialogTitleOf', { model: MODEL }),
      });
      await dialog.getByLabel(startsWith(say('prices.column.input'))).fill('6');
      await dialog.getByLabel(startsWith(say('prices.column.output'))).fill('12');
      await dialog.getByRole('button', { name: say('prices.apply') }).click();
      await page.getByRole('button', { name: say('prices.draft.review') }).click();
      const dialogOfReview = review(say('prices.review.title'));
      await expect(dialogOfReview.getByText(/^\(\+\d+\.\d%\)$/)).toBeVisible();
      await expect(
        dialogOfReview
          .getByRole('table', { name: say('prices.effect.users') })
          .getByRole('cell', { name: 'root' }),
      ).toBeVisible();
      await dialogOfReview.getByRole('button', { name: say('prices.review.save') }).click();
      await expect(dialogOfReview).toBeHidden();
      await expect(page.getByText(say('prices.review.stored'))).toBeVisible();
    });

    const reference = await callOnce(gateway.url, furnished.tokenKey);
    await test.step('the call is explained by the new price', async () => {
      await openExplanation(page, gateway.url, reference);
      await expect(page.getByRole('group', { name: say('logs.why.formula') })).toHaveText(/ × \$6\.00\/1M /);
      await expect(page.getByText(say('logs.why.consistent'))).toBeVisible();
    });

    await test.step('one click undoes the change, and leaves the paid call as it was', async () => {
      await tab('versions');
      await page.getByRole('button', { name: say('prices.versions.roll_before') }).click();
      const dialog = page.getByRole('dialog').filter({ hasText: say('prices.review.note') });
      await expect(dialog.getByText(say('prices.effect.after')).first()).toBeVisible();
      await dialog.getByLabel(startsWith(say('prices.review.reason'))).fill(`typo in ${language}`);
      await dialog.getByRole('button', { name: say('prices.review.rollBack') }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByText(`typo in ${language}`)).toBeVisible();
      await openExplanation(page, gateway.url, reference);
      await expect(page.getByRole('group', { name: say('logs.why.formula') })).toHaveText(/ × \$6\.00\/1M /);
      const later = await callOnce(gateway.url, furnished.tokenKey);
      await openExplanation(page, gateway.url, later);
      await expect(page.getByRole('group', { name: say('logs.why.formula') })).toHaveText(/ × \$2\.00\/1M /);
    });

    await test.step('the log of the current filters is a file', async () => {
      await page.goto(`${gateway.url}/log?type=2&model_name=${MODEL}`);
      const started = page.waitForEvent('download');
      await page.getByRole('button', { name: say('logs.export') }).click();
      const file = await started;
      expect(file.suggestedFilename()).toMatch(/^log-\d{4}-\d\d-\d\d\.csv$/);
      const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
      expect(lines.length).toBeGreaterThan(3);
      // The last line is the sum of all.
      expect(lines.slice(1, -1).every((line) => line.includes(MODEL))).toBe(true);
      expect(lines.at(-1)).toMatch(/^,sum,/);
    });
    expect(complaints).toEqual([]);
  });
}
