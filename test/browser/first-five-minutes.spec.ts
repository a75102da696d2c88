import { expect } from '@playwright/test';
import OpenAI from 'openai';
import { complaintsOf, dress, ROOT_ACCOUNT, test } from './support/stage.js';

// The whole way once with everything moving, as most people see it.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('leads from an empty instance to an explained call', async ({
  page,
  freshGateway: gateway,
  upstream,
}) => {
  const complaints = complaintsOf(page);
  await dress(page, {});

  await test.step('every address leads to the set-up page, which creates root', async () => {
    await page.goto(`${gateway.url}/channel`);
    await page.waitForURL('**/setup');
    await expect(page.getByText('The data is kept in a SQLite file')).toBeVisible();
    await page.getByLabel(/^Username/).fill(ROOT_ACCOUNT.username);
    await page.getByLabel(/^Password/).fill(ROOT_ACCOUNT.password);
    await page.getByLabel(/^Confirm password/).fill(ROOT_ACCOUNT.password);
    await page.getByRole('button', { name: 'Initialise' }).click();
    await page.waitForURL(`${gateway.url}/detail`);
    await expect(page.getByText('0 of 5 done')).toBeVisible();
  });

  await test.step('add a channel, taking its models from the provider', async () => {
    await page.getByRole('link', { name: 'Add a channel' }).click();
    const drawer = page.getByRole('dialog', { name: 'Add channel' });
    await drawer.getByLabel(/^Name/).fill('My upstream');
    await drawer.getByLabel(/^Base address/).fill(upstream.url);
    await drawer.getByLabel(/^Key/).fill('upstream-key');
    await drawer.getByRole('button', { name: 'Fetch from the provider' }).click();
    await expect(page.getByText('2 models were fetched')).toBeVisible();
    await drawer.getByRole('button', { name: 'Add channel' }).click();
    await expect(page.getByRole('button', { name: 'My upstream', exact: true })).toBeVisible();
  });

  await test.step('give its models a price', async () => {
    await page.goto(`${gateway.url}/setting?prices=unset_models`);
    for (const model of ['fx-std', 'fx-json']) {
      await page
        .getByRole('row', { name: new RegExp(model) })
        .getByRole('button', { name: 'Set price' })
        .click();
      const dialog = page.getByRole('dialog', { name: `Price of ${model}` });
      await dialog.getByLabel(/^Input/).fill('2');
      await dialog.getByLabel(/^Output/).fill('4');
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await expect(dialog).toBeHidden();
    }
    await page.getByRole('button', { name: 'Preview and save' }).click();
    await page.getByRole('button', { name: 'Save prices' }).click();
    await expect(page.getByText('Every model of an enabled channel has a price')).toBeVisible();
  });

  await test.step('test it, and read the answer', async () => {
    await page.goto(`${gateway.url}/channel`);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByRole('button', { name: 'Test fx-std' }).click();
    await expect(page.getByRole('dialog').getByText('OK', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
  });

  const key = await test.step('create a token and copy it', async () => {
    await page.goto(`${gateway.url}/detail`);
    await page.getByRole('link', { name: 'Create a token' }).click();
    const drawer = page.getByRole('dialog', { name: 'Create token' });
    await drawer.getByLabel(/^Name/).fill('first');
    await drawer.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(page.getByText('Token created')).toBeVisible();
    await page.getByRole('button', { name: 'Copy the key of first' }).click();
    return page.evaluate<string>('navigator.clipboard.readText()');
  });

  await test.step('the dashboard offers a call that runs as it stands', async () => {
    await page.goto(`${gateway.url}/detail`);
    const code = page.getByRole('tabpanel');
    await expect(code).toContainText(`${gateway.url}/v1/chat/completions`);
    // Whoever looks over a shoulder sees no key; what is copied has it.
    await expect(code).toContainText(`${key.slice(0, 5)}•`);
    await expect(code).not.toContainText(key);
    await page.getByRole('button', { name: 'Copy the code' }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain(key);
  });

  await test.step('call it with the official package', async () => {
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key });
    const reply = await client.chat.completions.create({
      model: 'fx-std',
      messages: [{ role: 'user', content: 'Hello' }],
    });
    expect(reply.choices[0]?.message.content).not.toBe('');
  });

  await test.step('find it in the log and read why it cost what it cost', async () => {
    await page.goto(`${gateway.url}/log?token_name=first`);
    const row = page.getByRole('row', { name: /fx-std/ });
    await expect(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      await expect(row).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await row.getByRole('button').first().click();
    const drawer = page.getByRole('dialog', { name: 'Call · fx-std' });
    await expect(drawer.getByText('Why it cost this')).toBeVisible();
    await expect(drawer.getByRole('group', { name: 'Formula' })).toContainText('× 1 × 1 =');
    await expect(drawer.getByText(/the same figure/)).toBeVisible();
    await expect(drawer.getByText('Attempt 1: My upstream')).toBeVisible();
  });

  await test.step('the checklist has ticked itself and gone', async () => {
    await page.goto(`${gateway.url}/detail`);
    await expect(page.getByRole('heading', { name: 'Recent calls' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'First steps' })).toBeHidden();
  });
  expect(complaints).toEqual([]);
});
