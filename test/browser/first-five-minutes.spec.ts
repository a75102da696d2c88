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
    await expect(page.getByText('Data is stored in a SQLite file')).toBeVisible();
    await page.getByLabel(/^Username/).fill(ROOT_ACCOUNT.username);
    await page.getByLabel(/^Password/).fill(ROOT_ACCOUNT.password);
    await page.getByLabel(/^Confirm password/).fill(ROOT_ACCOUNT.password);
    await page.getByRole('button', { name: 'Initialize' }).click();
    await page.waitForURL(`${gateway.url}/start`);
    await page.getByRole('link', { name: 'Not now' }).click();
    await expect(page.getByText('0 of 5 done')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Add a channel' })).toHaveAttribute('href', '/start');
  });

  await test.step('add a channel with its models and their prices, and read that it answers', async () => {
    await page.goto(`${gateway.url}/channel/add`);
    const drawer = page.getByRole('dialog', { name: 'Add channel' });
    await drawer.getByLabel(/^Key/).fill('upstream-key');
    await drawer.getByRole('button', { name: 'OpenAI' }).click();
    await drawer.getByLabel(/^Name/).fill('My upstream');
    await drawer.getByRole('button', { name: 'Advanced' }).click();
    await drawer.getByLabel(/^Base address/).fill(upstream.url);
    await drawer.getByRole('button', { name: 'Fetch from the provider' }).click();
    await expect(page.getByText('2 models were fetched')).toBeVisible();
    await drawer.getByRole('button', { name: 'Price them here' }).click();
    for (const model of ['fx-std', 'fx-json']) {
      await drawer.getByLabel(`Input price of ${model}, dollars per 1M tokens`).fill('2');
      await drawer.getByLabel(`Output price of ${model}, dollars per 1M tokens`).fill('4');
    }
    await drawer.getByRole('button', { name: 'Save and test' }).click();
    await expect(page.getByText(/^Saved: fx-(std|json) answered in/)).toBeVisible();
    await expect(page.getByRole('link', { name: 'My upstream', exact: true })).toBeVisible();
  });

  await test.step('no model is left without a price', async () => {
    await page.goto(`${gateway.url}/setting?prices=unset_models`);
    await expect(page.getByText('Every model of the enabled channels has a price')).toBeVisible();
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
    // The visible code shows no key; the copied one has it.
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
    await expect(drawer.getByText('How the cost was calculated')).toBeVisible();
    await expect(drawer.getByRole('group', { name: 'Formula' })).toContainText(
      '10 × $2.00/1M + 50 × $4.00/1M',
    );
    await expect(drawer.getByText(/same amount/)).toBeVisible();
    await expect(drawer.getByText('Attempt 1: My upstream')).toBeVisible();
  });

  await test.step('the checklist has ticked itself and gone', async () => {
    await page.goto(`${gateway.url}/detail`);
    await expect(page.getByRole('heading', { name: 'Recent calls' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'First steps' })).toBeHidden();
  });
  expect(complaints).toEqual([]);
});
