import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { read } from '../../../../server/base/billing/ledger/money-sql.js';
import { openChannelKey } from '../../../../server/gateway/channels/state/channel-key.js';
import type { ImportReport } from '../../../../server/console/import/report.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import { type ForeignDatabase, loadSample } from '../../../support/foreign-databases.js';
import { expectedOf, ImportTarget, SAMPLES } from '../../../support/import-runs.js';

const FILE = 'A-litellm.postgres.sql.gz';
const expected = expectedOf('litellm', FILE);

describe.each(DATABASE_KINDS)('sample of LiteLLM imported into %s', (kind) => {
  let source: ForeignDatabase;
  let target: ImportTarget;
  let report: ImportReport;

  beforeAll(async () => {
    source = await loadSample(join(SAMPLES, 'litellm', FILE));
    target = await ImportTarget.open(kind, { LITELLM_SALT_KEY: String(expected['salt_key']) });
    report = await target.run(source.url);
  });
  afterAll(async () => {
    await target.close();
    await source.drop();
  });

  const rowsOf = (sql: string) => read(target.house.dataSource, sql);

  it('keeps everyone, and every key but the sessions of its console', async () => {
    const keys = expected['keys'] as Record<string, number>;
    const [tokens] = await rowsOf(
      `SELECT COUNT(*) AS "n" FROM "tokens" WHERE "key_form" = 'sha256' AND "key_encrypted" = ''`,
    );
    // One key was rotated and is still valid.
    expect(Number(tokens?.['n'])).toBe((keys['total'] ?? 0) - (keys['dashboard_sessions'] ?? 0) + 1);
    const people = await rowsOf(`SELECT "username" FROM "users" WHERE "username" NOT LIKE 'litellm %'`);
    expect(people).toHaveLength(expected.users.length);
  });

  it('opens the secrets of channels with the salt, by both ways of encryption (trap 18)', async () => {
    const models = expected['models'] as { model_id: string; decrypted_api_key: string | null }[];
    const rows = await rowsOf(
      `SELECT "c"."id" AS "id", "c"."key" AS "sealed", "r"."source_id" AS "model" FROM "channels" "c"
       JOIN "imported_rows" "r" ON "r"."target_id" = "c"."id" AND "r"."kind" = 'channel'`,
    );
    const keys = new Map(
      rows.map((row) => [
        String(row['model']),
        openChannelKey(target.house.secrets, Number(row['id']), String(row['sealed'])),
      ]),
    );
    for (const { model_id: id, decrypted_api_key: key } of models)
      if (key !== null && key !== '') expect(keys.get(id)).toBe(key);
  });

  it('gives each account an amount, with books that are right', async () => {
    expect(report.sums.filter(({ isEqual }) => !isEqual)).toEqual([]);
    expect(await checkMoney(target.house.dataSource)).toEqual([]);
  });

  it('changes nothing in a second run', async () => {
    const again = await target.run(source.url);
    expect(Object.values(again.counts).filter(({ added, moved }) => added + moved > 0)).toEqual([]);
  });

  it('imports the call log with its owners, in dollars to the unit, and once', async () => {
    const { logs } = await target.run(source.url, { logs: { since: 0, from: '' } });
    expect(logs?.lines).toBe(2_000);
    const [sums] = await rowsOf(
      `SELECT SUM(CASE WHEN "type" = 5 THEN 1 ELSE 0 END) AS "failed", SUM("prompt_tokens") AS "prompt",
         SUM(CASE WHEN "user_id" = 0 THEN 1 ELSE 0 END) AS "nobody", MIN("created_at") AS "first" FROM "logs"`,
    );
    expect({
      failed: Number(sums?.['failed']),
      prompt: Number(sums?.['prompt']),
      nobody: Number(sums?.['nobody']),
      first: Number(sums?.['first']),
    }).toEqual({ failed: 84, prompt: 2_900_515, nobody: 0, first: Date.UTC(2026, 9, 2, 3, 52, 45) / 1_000 });
    // 5.867987910 dollars, each line rounded by itself.
    expect(Math.abs(Number(logs?.quota) - 5.86798791 * 500_000)).toBeLessThan(1_000);
    const [use] = await rowsOf(`SELECT SUM("quota") AS "quota" FROM "quota_data" WHERE "user_id" > 0`);
    expect(String(use?.['quota'])).toBe(logs?.quota);
    const again = await target.run(source.url, { logs: { since: 0, from: '' } });
    expect(again.logs?.lines).toBe(0);
    const [after] = await rowsOf(`SELECT SUM("quota") AS "quota" FROM "quota_data" WHERE "user_id" > 0`);
    expect(String(after?.['quota'])).toBe(logs?.quota);
  });

  it('divides the budget of an organization among its teams, and limits their models', async () => {
    const [limit] = await rowsOf(
      `SELECT COUNT(*) AS "n" FROM "imported_rows" WHERE "kind" = 'limit' AND "source_id" LIKE '%:organization'`,
    );
    expect(Number(limit?.['n'])).toBeGreaterThan(0);
    expect(report.notes).toContainEqual(
      expect.objectContaining({ table: 'LiteLLM_OrganizationTable', kind: 'changed' }),
    );
  });

  it('adds a channel of lower priority for the fallback of its settings', async () => {
    const rows = await rowsOf(
      `SELECT "models", "priority" FROM "channels" WHERE "name" LIKE '%fallback of gpt-4o'`,
    );
    expect(rows).toMatchObject([{ models: 'gpt-4o' }]);
    expect(Number(rows[0]?.['priority'])).toBeLessThan(0);
  });

  it('adds the models of a configuration file in a further run', async () => {
    const config =
      'model_list: [{ model_name: from-file, litellm_params: { model: openai/x, api_key: sk-file } }]';
    const again = await target.run(source.url, { config });
    expect(again.counts.channel.added).toBe(1);
    const [row] = await rowsOf(`SELECT "status" FROM "channels" WHERE "models" = 'from-file'`);
    expect(Number(row?.['status'])).toBe(1);
  });
});
