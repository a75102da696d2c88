import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from '@playwright/test';
import { GatewayConsole } from '../support/gateway-console.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { complaintsOf, ROOT_ACCOUNT, signIn } from './support/stage.js';
import { textsOf } from './support/texts.js';

const ELEVEN_MINUTES_MS = 660_000;

/** The clock of a process cannot be moved from here, so its logins are made older. */
function ageLogins({ dataDir }: GatewayProcess): void {
  const database = new Database(join(dataDir, 'tollgate.db'));
  database
    .prepare('UPDATE sessions SET created_at_ms = created_at_ms - ?, verified_at_ms = 0')
    .run(ELEVEN_MINUTES_MS);
  database.close();
}

for (const language of ['en', 'zh'] as const) {
  test(`asks for a proof when a login is not fresh, and then carries out the action, in ${language} [AUTH-12]`, async ({
    page,
  }) => {
    const say = textsOf(language);
    const gateway = await GatewayProcess.start({ env: { FRESH_LOGIN_REQUIRED: 'true' } });
    try {
      await new GatewayConsole(gateway.url).setUp();
      await signIn(page, gateway.url, { language });
      const complaints = complaintsOf(page);
      ageLogins(gateway);
      await page.goto(`${gateway.url}/personal?tab=security`);
      await page.getByRole('button', { name: say('personal.token.generate') }).click();
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: say('personal.token.generate') })
        .click();
      const proof = page.getByRole('dialog', { name: say('identity.proof.title') });
      await proof.locator('input[name=proof]').fill('not the password');
      await proof.getByRole('button', { name: say('identity.proof.submit') }).click();
      await expect(proof.getByRole('alert')).toBeVisible();
      await proof.locator('input[name=proof]').fill(ROOT_ACCOUNT.password);
      await proof.getByRole('button', { name: say('identity.proof.submit') }).click();
      await expect(proof).toBeHidden();
      await expect(page.getByText(say('personal.token.shownOnce'))).toBeVisible();
      // The refusal that asked for the proof is the one thing the browser noticed.
      expect(complaints.every((complaint) => complaint.includes('403'))).toBe(true);
    } finally {
      await gateway.stop();
    }
  });
}
