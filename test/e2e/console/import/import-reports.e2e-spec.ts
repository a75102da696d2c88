import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import pg from 'pg';
import { renderSentence } from '../../../../server/common/import-sentences/sentence.js';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { read } from '../../../../server/base/billing/ledger/money-sql.js';
import type { ImportReport } from '../../../../server/console/import/report.js';
import { type ForeignDatabase, loadSample } from '../../../support/foreign-databases.js';
import { expectedOf, ImportTarget, SAMPLES } from '../../../support/import-runs.js';

const LOGS = { logs: { since: 0, from: '' } };

interface Imported {
  readonly report: ImportReport;
  readonly target: ImportTarget;
  readonly close: () => Promise<void>;
}

async function importFrom(
  source: ForeignDatabase,
  variables: Readonly<Record<string, string>> = {},
): Promise<Imported> {
  const target = await ImportTarget.open('sqlite', variables);
  const report = await target.run(source.url, LOGS);
  const close = async (): Promise<void> => {
    await target.close();
    await source.drop();
  };
  return { report, target, close };
}

const rowOf = async ({ target }: Imported, sql: string): Promise<Readonly<Record<string, unknown>>> =>
  (await read(target.house.dataSource, sql))[0] ?? {};
const notesOf = ({ report }: Imported, table: string, id: string): string[] =>
  report.notes
    .filter((note) => note.table === table && note.id === id)
    .map(({ sentence }) => renderSentence(sentence, 'en'));

describe('rows of new-api as people reported them', () => {
  let imported: Imported;
  beforeAll(async () => {
    const source = await loadSample(join(SAMPLES, 'new-api', 'A-new-api.sqlite.gz'));
    const database = new Database(source.path);
    database.exec(`
      CREATE TABLE tokens__temp (id integer);
      INSERT INTO users (id, username, password, quota, "group", role, status, aff_code) VALUES
        (91, 'of no group', '', 1000, 'ghost', 1, 1, 'zz91'), (93, 'two of an address', '', 5, 'default', 1, 1, 'zz93');
      INSERT INTO users (id, username, password, quota, "group", role, status, email, deleted_at, aff_code) VALUES
        (92, 'gone', '', 5, 'default', 1, 1, 'twice@mail.test', '2026-01-02 03:04:05', 'zz92');
      UPDATE users SET email = 'twice@mail.test', password = '123456' WHERE id = 93;
      INSERT INTO tokens (id, user_id, key, status, name, expired_time, remain_quota, unlimited_quota) VALUES
        (901, 4, 'overdrawn00000000000000000000000000000000000001', 1, 'overdrawn', -1, -120, 0),
        (902, 4, 'noexpiry000000000000000000000000000000000000001', 1, 'no expiry', NULL, 100, 0),
        (903, 4, 'zeroexpiry0000000000000000000000000000000000001', 1, 'zero expiry', 0, 100, 0),
        (904, 4, NULL, 1, 'no key', -1, 100, 0),
        (905, 4, 'emptylist00000000000000000000000000000000000001', 1, 'empty list', -1, 100, 0);
      UPDATE tokens SET model_limits_enabled = 1, model_limits = '' WHERE id = 905;
      INSERT INTO tokens (id, user_id, key, status, name, expired_time, remain_quota, allow_ips) VALUES
        (906, 4, 'addresses00000000000000000000000000000000000001', 1, 'addresses', -1, 9, '192.168.0.0/24,2001:db8::/32' || char(10) || '10.1.2.3');
      INSERT INTO channels (id, type, key, status, name, models, "group", model_mapping, base_url) VALUES
        (901, 1, 'sk-one' || char(13, 10), 1, 'line ends', 'gpt-4o, gpt-4o-mini,' || char(10), 'default', '', 'https://up.example/'),
        (902, 1, 'sk-two', 1, 'bad mapping', 'gpt-4o', 'default', '{"gpt-4o":', NULL);
      INSERT INTO options (key, value) VALUES ('group_ratio_setting.group_ratio', '{"default":9}');
      UPDATE options SET value = '{"mj-pro":{"fast":0.625},}' WHERE key = 'GroupGroupRatio';
      INSERT INTO logs (id, user_id, created_at, type, content, model_name, token_name, quota) VALUES
        (990001, 4, 1795578000, 2, 'emoji 😀 ' || char(0) || ' end', NULL, '${'x'.repeat(300)}', 7),
        (990002, 4, NULL, 2, '', 'm', '', 'much');
    `);
    database.close();
    imported = await importFrom(source);
  });
  afterAll(() => imported.close());

  it('passes over a table that a broken migration left', () => {
    expect(imported.report.product).toBe('new-api');
    expect(imported.report.sums.filter(({ isEqual }) => !isEqual)).toEqual([]);
  });

  it('gives an overdrawn key nothing to spend', async () => {
    const row = await rowOf(
      imported,
      `SELECT "remain_quota" AS "left", "unlimited_quota" AS "open" FROM "tokens" WHERE "id" = 901`,
    );
    expect(row).toEqual({ left: 0, open: 0 });
  });

  it.each([902, 903])('reads a missing end of a key as never (%s)', async (id) => {
    const row = await rowOf(imported, `SELECT "expired_time" AS "end" FROM "tokens" WHERE "id" = ${id}`);
    expect(Number(row['end'])).toBe(-1);
  });

  it('names a key without text, and leaves it out', () => {
    expect(notesOf(imported, 'tokens', '904').join()).toContain('left out');
  });

  it('makes no key for every model of an empty list', async () => {
    const row = await rowOf(
      imported,
      `SELECT "model_limits_enabled" AS "on", "model_limits" AS "list" FROM "tokens" WHERE "id" = 905`,
    );
    expect(row).toEqual({ on: 1, list: '' });
  });

  it('keeps the address with the account that is not deleted', async () => {
    const row = await rowOf(imported, `SELECT "id" FROM "users" WHERE "email_folded" = 'twice@mail.test'`);
    expect(Number(row['id'])).toBe(93);
  });

  it('reads address limits between commas and on lines, of both families', async () => {
    const row = await rowOf(imported, `SELECT "allow_ips" AS "ips", "status" FROM "tokens" WHERE "id" = 906`);
    expect(row).toEqual({ ips: '192.168.0.0/24\n2001:db8::/32\n10.1.2.3', status: 1 });
  });

  it('makes no password of a text that is no hash', async () => {
    const { password } = await rowOf(imported, `SELECT "password" FROM "users" WHERE "id" = 93`);
    expect(password).toBe('');
    expect(notesOf(imported, 'users', '93').join()).toContain('no hash');
  });

  it('names an account whose group has no ratio', () => {
    expect(notesOf(imported, 'users', '91').join()).toContain('ghost');
  });

  it('reads models and keys of a channel without the ends of their lines', async () => {
    expect(await rowOf(imported, `SELECT "models", "status" FROM "channels" WHERE "id" = 901`)).toMatchObject(
      {
        models: 'gpt-4o,gpt-4o-mini',
        status: 1,
      },
    );
  });

  it('switches a channel off whose mapping cannot be read', async () => {
    const { status } = await rowOf(imported, `SELECT "status" FROM "channels" WHERE "id" = 902`);
    expect(Number(status)).not.toBe(1);
    expect(notesOf(imported, 'channels', '902')).not.toEqual([]);
  });

  it('names settings that are no JSON, and ratios that stand twice', () => {
    const refused = imported.report.options.refused.map((one) => renderSentence(one, 'en'));
    expect(refused.join()).toContain('GroupGroupRatio');
    expect(notesOf(imported, 'options', 'GroupRatio').join()).toContain('other ratios there');
  });

  it('imports lines with emoji, zeros and long names, and leaves damaged ones out', async () => {
    const row = await rowOf(
      imported,
      `SELECT "content", "quota" FROM "logs" WHERE "request_id" = 'import-1-990001'`,
    );
    expect(row).toEqual({ content: 'emoji 😀  end', quota: 7 });
    expect(notesOf(imported, 'logs', '990002')).toHaveLength(1);
  });

  it('has books that are right', async () => {
    expect(await checkMoney(imported.target.house.dataSource, { hasAllLogs: true })).toEqual([]);
  });
});

describe('rows of LiteLLM as people reported them', () => {
  let imported: Imported;
  beforeAll(async () => {
    const source = await loadSample(join(SAMPLES, 'litellm', 'A-litellm.postgres.sql.gz'));
    const client = new pg.Client({ connectionString: source.url });
    await client.connect();
    const key = (digit: string, more: string, values: string): string =>
      `INSERT INTO "LiteLLM_VerificationToken" (token, key_name, key_alias, user_id, spend${more}) VALUES
         ('${digit.repeat(64)}', 'sk-...${digit.repeat(4)}', 'case ${digit}', 'custom-id-5', 1${values});`;
    await client.query(`
      ${key('1', ', model_max_budget', `, '{"gpt-4o": {"budget_limit": "0.5", "time_period": "1d"}}'`)}
      ${key('2', ', max_budget', ', 0')}
      INSERT INTO "LiteLLM_BudgetTable" (budget_id, max_budget, budget_duration, created_by, updated_by) VALUES ('tier', 2, '7d', 'x', 'x');
      ${key('3', ', budget_id, budget_duration', `, 'tier', '30d'`)}
      ${key('4', ', budget_limits', `, '[{"max_budget": 5, "budget_duration": "1d"}, {"max_budget": 100, "budget_duration": "30d"}]'`)}
      ${key('5', ', budget_limits', `, '[{"max_budget": 5, "budget_duration": "soon"}]'`)}
      ${key('6', ', max_budget, budget_fallbacks', `, 1, '{"gpt-4o": ["gpt-4o-mini"]}'`)}
      INSERT INTO "LiteLLM_UserTable" (user_id, spend, max_budget, budget_duration) VALUES ('litellm-proxy-budget', 77, 500, '30d');
      INSERT INTO "LiteLLM_VerificationToken" (token, key_name, user_id, spend) VALUES ('${'7'.repeat(64)}', 'sk-...7777', 'litellm-proxy-budget', 0);
      INSERT INTO "LiteLLM_ProxyModelTable" (model_id, model_name, litellm_params, created_by, updated_by) VALUES
        ('free', 'free-model', '{"model": "openai/x", "api_key": "sk-free", "input_cost_per_token": 0, "output_cost_per_token": 0}', 'x', 'x'),
        ('plain', 'plain-model', '{"model": "openrouter/x", "custom_llm_provider": "openrouter", "api_key": "sk-or-plain"}', 'x', 'x'),
        ('variable', 'variable-model', '{"model": "openai/x", "api_key": "os.environ/ELSEWHERE"}', 'x', 'x');
      INSERT INTO "LiteLLM_SpendLogs" (request_id, call_type, api_key, spend, "startTime", "endTime", model, metadata)
        VALUES ('', 'acompletion', '${'1'.repeat(64)}', 0.002, '2026-11-20 01:02:03', '2026-11-20 01:02:04', 'm', NULL),
               ('None', 'acompletion', '${'2'.repeat(64)}', 0.004, '2026-11-20 01:02:03', '2026-11-20 01:02:04', 'm', NULL);
    `);
    await client.end();
    const salt = String(expectedOf('litellm', 'A-litellm.postgres.sql.gz')['salt_key']);
    imported = await importFrom(source, { LITELLM_SALT_KEY: salt });
  });
  afterAll(() => imported.close());

  const tokenOf = (digit: string) =>
    rowOf(
      imported,
      `SELECT "t"."id" AS "id", "t"."status" AS "status", "t"."remain_quota" AS "left", "t"."unlimited_quota" AS "open" FROM "tokens" "t"
       JOIN "imported_rows" "r" ON "r"."target_id" = "t"."id" AND "r"."kind" = 'token' WHERE "r"."source_id" = '${digit.repeat(64)}'`,
    );
  const limitsOf = async (digit: string) => {
    const { id } = await tokenOf(digit);
    return read(
      imported.target.house.dataSource,
      `SELECT "model", "amount", "period" FROM "limits" WHERE "scope" = 'token' AND "subject" = '${Number(id)}'`,
    );
  };

  it('reads amounts that stand as texts', async () => {
    expect(await limitsOf('1')).toEqual([{ model: 'gpt-4o', amount: 250_000, period: 'day' }]);
    expect(Number((await tokenOf('1'))['status'])).toBe(1);
  });

  it('takes a budget of 0 as nothing left, not as no budget', async () => {
    expect(await tokenOf('2')).toMatchObject({ left: 0, open: 0 });
  });

  it('lets the budget of a tier beat the length that the key had before', async () => {
    expect(await limitsOf('3')).toEqual([{ model: '', amount: 1_000_000, period: 'week' }]);
  });

  it('keeps each of several budgets of one key', async () => {
    expect(
      (await limitsOf('4')).toSorted((one, two) => Number(one['amount']) - Number(two['amount'])),
    ).toEqual([
      { model: '', amount: 2_500_000, period: 'day' },
      { model: '', amount: 50_000_000, period: 'month' },
    ]);
  });

  it('switches a key off whose budget of several cannot be held', async () => {
    expect(await limitsOf('5')).toEqual([]);
    expect(Number((await tokenOf('5'))['status'])).not.toBe(1);
  });

  it('names the models a key would have gone on with', () => {
    expect(notesOf(imported, 'LiteLLM_VerificationToken', '6'.repeat(20)).join()).toContain('gpt-4o');
  });

  it('makes no account of the row that holds the budget of the whole proxy', async () => {
    const sql = `SELECT COUNT(*) AS "count" FROM "imported_rows" WHERE "source_id" IN ('litellm-proxy-budget', '${'7'.repeat(64)}')`;
    expect(Number((await rowOf(imported, sql))['count'])).toBe(0);
    expect(notesOf(imported, 'LiteLLM_UserTable', 'litellm-proxy-budget').join()).toContain('500 dollars');
  });

  it('keeps a price of 0, which is no missing price', async () => {
    const { value } = await rowOf(imported, `SELECT "value" FROM "options" WHERE "key" = 'ModelRatio'`);
    expect(JSON.parse(String(value))).toMatchObject({ 'free-model': 0 });
  });

  it('reads values that were stored in clear', async () => {
    const row = await rowOf(
      imported,
      `SELECT "type", "status" FROM "channels" WHERE "models" = 'plain-model'`,
    );
    expect(row).toEqual({ type: 20, status: 1 });
  });

  it('switches a channel off whose key is a variable that is not set', async () => {
    const row = await rowOf(imported, `SELECT "status" FROM "channels" WHERE "models" = 'variable-model'`);
    expect(Number(row['status'])).not.toBe(1);
    expect(notesOf(imported, 'channels', 'variable').join()).toContain('ELSEWHERE');
  });

  it('imports calls whose number is empty or None', async () => {
    const row = await rowOf(imported, `SELECT SUM("quota") AS "quota" FROM "logs" WHERE "model_name" = 'm'`);
    expect(Number(row['quota'])).toBe(3_000);
  });
});
