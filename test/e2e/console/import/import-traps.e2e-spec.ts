import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { read } from '../../../../server/base/billing/ledger/money-sql.js';
import { RowValues } from '../../../../server/console/import/source/row-values.js';
import type { ImportReport } from '../../../../server/console/import/report.js';
import { type ForeignDatabase, loadSample } from '../../../support/foreign-databases.js';
import { ImportTarget, SAMPLES } from '../../../support/import-runs.js';

/** A sample with some rows changed, imported into an empty installation. */
async function importWith(product: 'new-api' | 'one-api', sql: string) {
  const source: ForeignDatabase = await loadSample(join(SAMPLES, product, `A-${product}.sqlite.gz`));
  const database = new Database(source.path);
  database.exec(sql);
  database.close();
  const target = await ImportTarget.open('sqlite');
  const report: ImportReport = await target.run(source.url, { logs: { since: 0, from: '' } });
  const row = async (sqlText: string): Promise<Readonly<Record<string, unknown>>> => {
    const [first] = await read(target.house.dataSource, sqlText);
    return first ?? {};
  };
  const close = async (): Promise<void> => {
    await target.close();
    await source.drop();
  };
  return { source, target, report, row, close };
}
type Imported = Awaited<ReturnType<typeof importWith>>;

describe('traps of new-api', () => {
  let imported: Imported;
  beforeAll(async () => {
    imported = await importWith(
      'new-api',
      `UPDATE tokens SET status = 3, expired_time = 4000000000 WHERE id = 74;
       INSERT INTO logs (id, user_id, created_at, type, content) VALUES (900001, 4, 1795578000, 9, 'newer type');
       INSERT INTO users (id, username, password, quota) VALUES (90, 'no mail, no password', '', 7);
       UPDATE options SET value = '{"gpt-5":2,"mock-model":3}' WHERE key = 'CompletionRatio';
       DELETE FROM options WHERE key = 'QuotaPerUnit';`,
    );
  });
  afterAll(() => imported.close());

  it('reads keys without their prefix, and texts of fixed length without padding (trap 1)', async () => {
    expect(new RowValues('users', { access_token: 'abc   ' }).fixedText('access_token')).toBe('abc');
    expect(await imported.row(`SELECT COUNT(*) AS "n" FROM "tokens" WHERE "key_form" = 'plain'`)).toEqual({
      n: 119,
    });
  });

  it('takes no debt from unlimited tokens, which count down below zero (trap 2)', async () => {
    expect(await imported.row(`SELECT "remain_quota" AS "n" FROM "tokens" WHERE "id" = 29`)).toEqual({
      n: 0,
    });
  });

  it('switches a token off that is marked as expired although its time is not over (trap 3)', async () => {
    expect(await imported.row(`SELECT "status" AS "n" FROM "tokens" WHERE "id" = 74`)).toEqual({ n: 2 });
  });

  it('keeps deleted accounts deleted, though their status is active (trap 4)', async () => {
    const { at } = await imported.row(`SELECT "deleted_at_ms" AS "at" FROM "users" WHERE "id" = 39`);
    expect(at).toBe(Date.parse('2026-11-25T03:41:24.011Z'));
  });

  it('keeps the numbers of channel types (trap 5)', async () => {
    expect(await imported.row(`SELECT "type" AS "n" FROM "channels" WHERE "id" = 20`)).toEqual({ n: 43 });
  });

  it('keeps errors, and makes refunds, sign-ins and newer types system lines (trap 6)', async () => {
    const typeOf = (id: number) =>
      imported.row(`SELECT "type" AS "n" FROM "logs" WHERE "request_id" = 'import-1-${id}'`);
    expect(await typeOf(516)).toEqual({ n: 5 });
    expect(await typeOf(2341)).toEqual({ n: 4 });
    expect(await typeOf(169)).toEqual({ n: 4 });
    expect(await typeOf(900_001)).toEqual({ n: 4 });
  });

  it('refuses another number of quota units a dollar in an installation in use, or converts on request (trap 7)', async () => {
    const other = await importWith(
      'one-api',
      `UPDATE options SET value = '1000000' WHERE key = 'QuotaPerUnit'`,
    );
    await expect(imported.target.run(other.source.url, { conflicts: 'rename' })).rejects.toThrow('--convert');
    const report = await imported.target.run(other.source.url, { conflicts: 'rename', converts: true });
    expect(report.sums.filter(({ isEqual }) => !isEqual)).toEqual([]);
    expect(report.sums.some(({ name }) => name.code === 'sum_balances_converted')).toBe(true);
    await other.close();
  });

  it('takes the completion ratio that is built in, and the ratios between groups (trap 9)', () => {
    const { CompletionRatio, GroupGroupRatio } = imported.target.house.options.values();
    expect(Number(CompletionRatio['gpt-5'])).toBe(8);
    expect(Number(CompletionRatio['mock-model'])).toBe(3);
    expect(Number(GroupGroupRatio['vip']?.['free'])).toBe(0.1);
  });

  it('fills options that were never changed with the defaults of the program (trap 10)', () => {
    expect(imported.target.house.options.values().QuotaPerUnit).toBe(500_000);
  });

  it('credits the amount of an Epay order and the money of a Stripe order (trap 11)', async () => {
    const quotaOf = (id: number) =>
      imported.row(`SELECT "quota_to_credit" AS "n" FROM "top_ups" WHERE "id" = ${id}`);
    expect(await quotaOf(1)).toEqual({ n: 5 * 500_000 });
    expect(await quotaOf(11)).toEqual({ n: 160 * 500_000 });
  });

  it('keeps rewards apart from the balance, and used quota without refunds (trap 12)', async () => {
    expect(
      await imported.row(
        `SELECT "aff_quota" AS "waits", "aff_history" AS "all", "used_quota" AS "used", "refunded_quota" AS "back" FROM "users" WHERE "id" = 4`,
      ),
    ).toEqual({ waits: 0, all: 500_000, used: 229_319, back: 0 });
  });

  it('shows the sum of the log beside the used quota, which it does not touch (trap 13)', () => {
    expect(imported.report.logs?.quota).toBe('3166023');
    expect(imported.report.sums.find(({ name }) => name.code === 'sum_used_accounts')?.here).toBe('2907743');
  });

  it('keeps several keys of a channel with the state of each (trap 14)', async () => {
    const { info } = await imported.row(`SELECT "channel_info" AS "info" FROM "channels" WHERE "id" = 7`);
    expect(JSON.parse(String(info))).toMatchObject({ multi_key_size: 3, multi_key_status_list: { 1: 2 } });
  });

  it('makes no password of an empty one, and names who has no way in (trap 15)', async () => {
    expect(await imported.row(`SELECT "password" AS "p" FROM "users" WHERE "id" = 31`)).toEqual({ p: '' });
    expect(imported.report.notes).toContainEqual(expect.objectContaining({ kind: 'no-way-in', id: '90' }));
  });

  it('seals secrets of authenticator apps, and reads times without a zone as UTC (trap 16)', async () => {
    expect(await imported.row('SELECT COUNT(*) AS "n" FROM "two_factor"')).toEqual({ n: 2 });
    expect(new RowValues('two_fas', { at: '2026-11-25 03:41:24' }).moment('at')).toBe(
      Date.UTC(2026, 10, 25, 3, 41, 24),
    );
  });

  it('keeps passkeys for the host name they were made for, in base64url (trap 16)', async () => {
    expect(
      await imported.row(
        `SELECT "credential_id" AS "id", "relying_party" AS "host", "aaguid" AS "model" FROM "passkeys" WHERE "user_id" = 29`,
      ),
    ).toEqual({
      id: 'dEiSFmvYx_R2KE88Mu9dWXlRvRtAOHLuF49NEtYyzu0',
      host: 'gateway-a.example',
      model: '00000000-0000-0000-0000-000000000000',
    });
  });

  it('keeps finished drawings and tasks as history, drawings with times in milliseconds (trap 16)', async () => {
    expect(
      await imported.row(
        `SELECT COUNT(*) AS "n", SUM("quota") AS "quota", MIN("submit_time") AS "first" FROM "midjourneys"`,
      ),
    ).toEqual({ n: 8, quota: 177_500, first: 1_795_488_883_321 });
    // The ninth belongs to an account that was deleted for good.
    expect(imported.report.notes).toContainEqual(
      expect.objectContaining({ kind: 'left-out', table: 'midjourneys' }),
    );
    expect(await imported.row(`SELECT COUNT(*) AS "n", SUM("quota") AS "quota" FROM "tasks"`)).toEqual({
      n: 8,
      quota: 1_020_000,
    });
  });

  it('begins with plans that run, which have no counterpart (trap 12)', () => {
    const [first] = imported.report.notes;
    expect(first).toMatchObject({ kind: 'balance', table: 'user_subscriptions' });
    expect(first?.sentence.code).toBe('plan_left_behind');
  });
});

describe('traps of one-api', () => {
  // The password is 123456.
  const FIRST_PASSWORD = '$2b$04$4Nyzi0PdC0/AWFrh36wI4.TJJC5RYkO7qqAUH7pkirUy5rh2RN/P2';
  let imported: Imported;
  beforeAll(async () => {
    imported = await importWith(
      'one-api',
      `UPDATE options SET value = '{"mock-model":7,"llama3-70b-8192(33)":2}' WHERE key = 'ModelRatio';
       INSERT INTO tokens (id, user_id, key, status, name, remain_quota) VALUES (9001, 4711, 'orphan0000000000000000000000000000000000000000', 1, 'orphan', 5);
       UPDATE users SET password = '${FIRST_PASSWORD}' WHERE id = 1;`,
    );
  });
  afterAll(() => imported.close());

  it('leaves the amounts of unlimited tokens alone (trap 2)', async () => {
    expect(await imported.row(`SELECT "remain_quota" AS "n" FROM "tokens" WHERE "id" = 33`)).toEqual({
      n: 0,
    });
  });

  it('deletes accounts of status 3, and leaves tokens without an owner out (trap 4)', async () => {
    const { at } = await imported.row(`SELECT "deleted_at_ms" AS "at" FROM "users" WHERE "id" = 37`);
    expect(at).not.toBeNull();
    expect(imported.report.notes).toContainEqual(expect.objectContaining({ kind: 'left-out', id: '9001' }));
    expect(imported.report.sums.filter(({ isEqual }) => !isEqual)).toEqual([]);
  });

  it('translates channel types by their names: DeepSeek is 36 there and 43 here (trap 5)', async () => {
    const typeOf = (id: number) => imported.row(`SELECT "type" AS "n" FROM "channels" WHERE "id" = ${id}`);
    expect(await typeOf(20)).toEqual({ n: 43 });
    expect(await typeOf(17)).toEqual({ n: 4 });
    expect(await typeOf(22)).toEqual({ n: 41 });
  });

  it('makes tests of channels, which are errors in new-api, system lines (trap 6)', async () => {
    expect(
      await imported.row(`SELECT "type" AS "n" FROM "logs" WHERE "request_id" = 'import-1-104'`),
    ).toEqual({ n: 4 });
  });

  it('prices the requested name as the name after mapping, and models of one channel type (trap 8)', () => {
    const { ModelRatio } = imported.target.house.options.values();
    expect(Number(ModelRatio['gpt-4o-mini'])).toBe(7);
    expect(Number(ModelRatio['llama3-70b-8192'])).toBe(2);
  });

  it('makes no password of the first one, which is public (trap 15)', async () => {
    expect(await imported.row(`SELECT "password" AS "p" FROM "users" WHERE "id" = 1`)).toEqual({ p: '' });
  });

  it('keeps the whole names of deleted accounts, longer than its own limit (trap 17)', async () => {
    const { name } = await imported.row(`SELECT "username" AS "name" FROM "users" WHERE "id" = 37`);
    expect(name).toBe('deleted_24eb4a2f37fe481fb6584a22c269b5eb');
  });
});
