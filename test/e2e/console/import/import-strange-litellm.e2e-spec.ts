import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { loadSample } from '../../../support/foreign-databases.js';
import { expectedOf, SAMPLES } from '../../../support/import-runs.js';
import { Imported } from '../../../support/imported-sample.js';

describe('strange rows of LiteLLM', () => {
  let imported: Imported;
  const digest = (mark: string): string => mark.repeat(64 / mark.length);

  beforeAll(async () => {
    const source = await loadSample(join(SAMPLES, 'litellm', 'A-litellm.postgres.sql.gz'));
    const salt = String(expectedOf('litellm', 'A-litellm.postgres.sql.gz')['salt_key']);
    const client = new pg.Client({ connectionString: source.url });
    await client.connect();
    const key = (mark: string, columns: string, values: string): string =>
      `INSERT INTO "LiteLLM_VerificationToken" (token, key_name, key_alias, spend, ${columns}) VALUES
         ('${digest(mark)}', 'sk-...${mark}', 'strange ${mark}', 4, ${values});`;
    await client.query(`
      INSERT INTO "LiteLLM_UserTable" (user_id, spend, max_budget, budget_duration) VALUES
        ('person-month', 1, 30, '1mo'), ('person-odd', 1, 30, 'fortnight'), ('person-hours', 1, 70, '7h');
      INSERT INTO "LiteLLM_TeamTable" (team_id, team_alias, max_budget, budget_duration, members_with_roles, metadata) VALUES
        ('team-odd', 'odd team', 9, 'soon', '{}', '{}'), ('team-ruled', 'ruled team', NULL, NULL, '{}', '{"guardrails": ["pii"]}');
      ${key('a1', 'user_id', `'person-month'`)}
      ${key('a2', 'user_id', `'person-odd'`)}
      ${key('a3', 'user_id', `'person-hours'`)}
      ${key('a4', 'team_id', `'team-odd'`)}
      ${key('a5', 'team_id', `'team-ruled'`)}
      ${key('a6', 'max_budget, budget_duration, budget_reset_at', `5, '30d', '2026-01-31 00:00:00'`)}
      ${key('a7', 'max_budget, budget_duration, budget_reset_at', `5, '30d', '2099-01-31 00:00:00'`)}
      ${key('a8', 'aliases', `'{"gpt-4": "gpt-4o"}'`)}
      ${key('a9', 'metadata', `'{"enforced_params": ["user"]}'`)}
      ${key('b1', 'max_budget, budget_duration, metadata', `5, '1d', '{"temp_budget_increase": 10, "temp_budget_expiry": "2099-01-15"}'`)}
      ${key('b2', 'max_budget, metadata', `5, '{"temp_budget_increase": 10, "temp_budget_expiry": "2099-01-15T00:00:00"}'`)}
      ${key('b3', 'max_budget', '5')}
      INSERT INTO "LiteLLM_VerificationToken" (token, key_name, spend) VALUES ('sk-in-clear', 'sk-...lear', 0);
      INSERT INTO "LiteLLM_ProxyModelTable" (model_id, model_name, litellm_params, created_by, updated_by) VALUES
        ('unpriced', 'model-of-no-list', '{"model": "openai/x", "api_key": "sk-free"}', 'x', 'x');
      INSERT INTO "LiteLLM_Config" (param_name, param_value) VALUES ('litellm_settings', '{"fallbacks": [{"gpt-4o": ["model-of-no-list"]}, {"model-of-no-list": ["gpt-4o"]}]}')
        ON CONFLICT (param_name) DO UPDATE SET param_value = excluded.param_value;
      INSERT INTO "LiteLLM_SpendLogs" (request_id, call_type, api_key, spend, "startTime", "endTime", model) VALUES
        ('by-master', 'acompletion', 'litellm_proxy_master_key', 0.01, '2026-11-20 01:02:03', '2026-11-20 01:02:04', 'm');
      ALTER TABLE "LiteLLM_VerificationToken" DROP COLUMN IF EXISTS rotation_count;
    `);
    await client.end();
    // The salt stands where the master key was: rows of a proxy that had no salt yet.
    imported = await Imported.from(source, { LITELLM_SALT_KEY: 'of-later', LITELLM_MASTER_KEY: salt });
  });
  afterAll(() => imported.close());

  const tokenOf = (mark: string) =>
    imported.row(
      `SELECT "t"."id" AS "id", "t"."status" AS "status", "t"."remain_quota" AS "left" FROM "tokens" "t"
       JOIN "imported_rows" "r" ON "r"."target_id" = "t"."id" AND "r"."kind" = 'token' WHERE "r"."source_id" = '${digest(mark)}'`,
    );
  const limitsOf = async (mark: string) => {
    const { id } = await tokenOf(mark);
    return imported.rows(
      `SELECT "l"."amount" AS "amount", "l"."period" AS "period", "l"."override_amount" AS "raised", COALESCE("u"."used", 0) AS "used"
       FROM "limits" "l" LEFT JOIN "limit_use" "u" ON "u"."limit_id" = "l"."id" WHERE "l"."scope" = 'token' AND "l"."subject" = '${Number(id)}'`,
    );
  };
  const limitsOfPerson = async (person: string) => {
    const { id } = await imported.row(
      `SELECT "target_id" AS "id" FROM "imported_rows" WHERE "kind" = 'user' AND "source_id" = '${person}'`,
    );
    return imported.rows(
      `SELECT "amount", "period" FROM "limits" WHERE "scope" = 'account' AND "subject" = '${Number(id)}'`,
    );
  };

  it('has sums that agree and books that are right', async () => {
    expect(imported.report.sums.filter(({ isEqual }) => !isEqual)).toEqual([]);
    expect(await checkMoney(imported.target.house.dataSource, { hasAllLogs: true })).toEqual([]);
  });

  it('shows what people get here without a budget there as a row of its own', () => {
    const balances = imported.report.sums.find(({ name }) => name.code === 'sum_balances');
    const given = balances?.explained.find(({ why }) => why.code === 'why_given');
    expect(Number(given?.amount)).toBeLessThan(0);
    expect(BigInt(balances?.here ?? 0) + BigInt(given?.amount ?? 0)).toBe(BigInt(balances?.source ?? 0));
  });

  it('reads a month, and hours that are no period in proportion', async () => {
    expect(await limitsOfPerson('person-month')).toEqual([{ amount: 15_000_000, period: 'month' }]);
    expect(await limitsOfPerson('person-hours')).toEqual([{ amount: 5_000_000, period: 'hour' }]);
  });

  it.each([
    ['a2', 'the budget of its owner'],
    ['a4', 'the budget of its team'],
    ['a5', 'guardrails'],
    ['a9', 'enforced_params'],
  ])('switches key %s off, which could do more here', async (mark, reason) => {
    expect(Number((await tokenOf(mark))['status'])).toBe(2);
    expect(imported.notesOf('tokens', digest(mark))).toContain(reason);
  });

  it('begins a period that ended there at 0, and one that runs with its use', async () => {
    expect(await limitsOf('a6')).toEqual([{ amount: 2_500_000, period: 'month', raised: null, used: 0 }]);
    expect(await limitsOf('a7')).toEqual([
      { amount: 2_500_000, period: 'month', raised: null, used: 2_000_000 },
    ]);
  });

  it('carries a temporary raise of a limit, and names one of an allowance', async () => {
    expect(await limitsOf('b1')).toMatchObject([{ amount: 2_500_000, period: 'day', raised: 7_500_000 }]);
    expect(Number((await tokenOf('b2'))['left'])).toBe(500_000);
    expect(imported.notesOf('LiteLLM_VerificationToken', digest('b2').slice(0, 20))).toContain('2099-01-15');
  });

  it('names the names of models that a key or a team had of its own', () => {
    expect(imported.notesOf('LiteLLM_VerificationToken', digest('a8').slice(0, 36))).toContain('gpt-4');
    const teams = imported.report.notes.filter(
      ({ table, sentence }) => table === 'LiteLLM_TeamTable' && sentence.code === 'litellm_aliases_left',
    );
    expect(teams).not.toEqual([]);
  });

  it('leaves a row out whose key is no digest', async () => {
    expect(imported.notesOf('LiteLLM_VerificationToken', 'sk-in-clear')).toContain('no SHA-256');
    const row = await imported.row(
      `SELECT COUNT(*) AS "n" FROM "imported_rows" WHERE "source_id" = 'sk-in-clear'`,
    );
    expect(Number(row['n'])).toBe(0);
  });

  it('gives a key without a person to the account that holds such keys', async () => {
    const row = await imported.row(
      `SELECT "u"."username" AS "name" FROM "users" "u" JOIN "tokens" "t" ON "t"."user_id" = "u"."id" WHERE "t"."id" = ${Number((await tokenOf('b3'))['id'])}`,
    );
    expect(row).toEqual({ name: 'litellm keys' });
  });

  it('names models without a price, and fallbacks from and to them', () => {
    expect(imported.notesOf('LiteLLM_ProxyModelTable', 'model-of-no-list')).toContain('has no price there');
    expect(imported.notesOf('router_settings', 'gpt-4o')).toContain(
      'falls back to model-of-no-list, which has no price here',
    );
    expect(imported.notesOf('router_settings', 'model-of-no-list')).toContain(
      'falls back to gpt-4o, but has no price here',
    );
  });

  it('names calls with the master key', () => {
    expect(imported.notesOf('LiteLLM_SpendLogs', '')).toContain('the master key');
  });

  it('opens secrets from before the salt with the master key', () => {
    expect(
      imported.report.notes.filter(({ sentence }) =>
        JSON.stringify(sentence).includes('litellm_secrets_sealed'),
      ),
    ).toEqual([]);
  });
});
