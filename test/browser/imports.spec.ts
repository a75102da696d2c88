import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { GatewayConsole } from '../support/gateway-console.js';
import { signIn, test } from './support/stage.js';

const SAMPLE = join(import.meta.dirname, '../e2e/console/import/samples/new-api/A-new-api.sqlite.gz');

interface Expected {
  readonly files: Readonly<Record<string, { readonly keys_that_work: readonly { readonly key: string }[] }>>;
}

test('root moves a SQLite file of new-api in, and takes the import back', async ({
  page,
  freshGateway: gateway,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-imports-'));
  const file = join(folder, 'one-api.db');
  writeFileSync(file, gunzipSync(readFileSync(SAMPLE)));
  const root = new GatewayConsole(gateway.url);
  await root.setUp();
  await signIn(page, gateway.url);
  await page.goto(`${gateway.url}/setting`);
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Import' })).toBeVisible();
  const start = page.getByRole('button', { name: 'Import', exact: true });
  await expect(start).toBeDisabled();

  await page.getByLabel('Choose file').setInputFiles(file);
  await expect(page.getByText('one-api.db, 3 MB')).toBeVisible();
  await page.getByLabel('Log').click();
  await page.getByRole('option', { name: 'Whole log' }).click();
  await page.getByRole('button', { name: 'Trial run' }).click();
  await expect(page.getByRole('heading', { name: 'Trial run of one-api.db: Done' })).toBeVisible();
  // Rows that need an act of an operator come first.
  const report = page.getByRole('region', { name: /^Report/ });
  await expect(report.getByText(/^Balances to look at/)).toBeVisible();
  await expect(report.getByRole('checkbox', { name: 'Prices' })).toBeChecked();

  await page.reload();
  await expect(page.getByRole('heading', { name: 'Trial run of one-api.db: Done' })).toBeVisible();
  await start.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Import' }).click();
  await expect(page.getByRole('heading', { name: 'Import of one-api.db: Done' })).toBeVisible();
  await expect(report.getByRole('cell', { name: 'Differs', exact: true })).toHaveCount(0);
  await expect(report.getByRole('cell', { name: 'Equal', exact: true }).first()).toBeVisible();
  const expected = JSON.parse(readFileSync(join(SAMPLE, '../expected.json'), 'utf8')) as Expected;
  const [first] = expected.files['A-new-api.sqlite.gz']?.keys_that_work ?? [];
  await expect
    .poll(async () => {
      const headers = { authorization: `Bearer ${first?.key}` };
      return (await fetch(`${gateway.url}/v1/models`, { headers })).status;
    })
    .toBe(200);

  await page.getByRole('button', { name: 'Undo import 1' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Every row of the import was removed.')).toBeVisible();
  rmSync(folder, { recursive: true, force: true });
});
