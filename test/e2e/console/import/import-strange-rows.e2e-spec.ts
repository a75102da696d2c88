import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { type ForeignDatabase, loadSample } from '../../../support/foreign-databases.js';
import { ImportTarget, SAMPLES } from '../../../support/import-runs.js';
import { Imported } from '../../../support/imported-sample.js';

/** Beyond what a quota can be, and near the end of 64 bits. */
const OVERFLOWN = '9223372036854775000';

const sampleOf = async (product: 'new-api' | 'one-api', sql: string): Promise<ForeignDatabase> => {
  const source = await loadSample(join(SAMPLES, product, `A-${product}.sqlite.gz`));
  const database = new Database(source.path);
  database.exec(sql);
  database.close();
  return source;
};

const LONG_NAME = `${'长'.repeat(70)}`;

describe('strange rows of new-api', () => {
  let imported: Imported;
  beforeAll(async () => {
    const user = (id: number, name: string, quota: string, more = "'default'") =>
      `INSERT INTO users (id, username, password, quota, used_quota, "group", role, status, aff_code)
         VALUES (${id}, '${name}', '', ${quota}, 3, ${more}, 1, 1, 'q${id}');`;
    const key = (id: number, owner: number) =>
      `INSERT INTO tokens (id, user_id, key, status, name, expired_time, remain_quota, unlimited_quota)
         VALUES (${id}, ${owner}, 'strange${String(id).padStart(41, '0')}', 1, 'key ${id}', -1, 10, 0);`;
    imported = await Imported.from(
      await sampleOf(
        'new-api',
        `
        ${user(201, 'large', '3542971632')} ${key(2010, 201)}
        ${user(202, 'overflown', OVERFLOWN)} ${key(2020, 202)}
        ${user(203, 'overflown too', OVERFLOWN)}
        ${user(204, 'owes', '-250')} ${key(2040, 204)}
        ${user(205, LONG_NAME, '7')} ${user(206, '', '8')}
        ${user(207, 'Twin', '9')} ${key(2070, 207)} ${user(208, 'tWIN', '10')} ${key(2080, 208)}
        ${user(209, 'free', '11', "'gratis'")} ${key(2090, 209)}
        UPDATE options SET value = json_set(value, '$.gratis', 0) WHERE key = 'GroupRatio';
        UPDATE users SET password = '$2y$12$' || substr(password, 8) WHERE id = 4;
        UPDATE tokens SET unlimited_quota = 1, remain_quota = -77, expired_time = 5, status = 1 WHERE id = 2010;
        UPDATE tokens SET used_quota = 999999 WHERE id = 2040;
        INSERT INTO channels (id, type, key, status, name, models, "group", used_quota, channel_info) VALUES
          (2901, 1, 'sk-a' || char(10) || 'sk-b', 1, 'damaged figure', 'gpt-4o', 'default', 'lots', ''),
          (2902, 1, 'sk-a' || char(10) || 'sk-b', 1, 'keys without a state', 'gpt-4o', 'default', 5, 'not json'),
          (2903, 1, '', 1, 'no key', 'gpt-4o', 'default', 5, '');
        INSERT INTO redemptions (id, user_id, key, status, name, quota, created_time) VALUES
          (2801, 1, 'code-without-a-date-00000000001', 1, 'x', 40, 'soon');
        INSERT INTO logs (id, user_id, created_at, type, content, model_name, quota) VALUES
          (990101, 202, 1795578000, 2, '', 'm', 5), (990102, 4, 1795578000, 2, '', 'm', ${OVERFLOWN});
        UPDATE users SET deleted_at = '2026-03-01 00:00:00' WHERE id = 201;
        INSERT INTO logs (id, user_id, created_at, type, content, model_name, quota) VALUES (990103, 201, 1795578000, 2, '', 'm', 6);
      `,
      ),
    );
  });
  afterAll(() => imported.close());

  it('explains each difference of the sums, also those of damaged rows', () => {
    expect(imported.report.sums.filter(({ isEqual }) => !isEqual)).toEqual([]);
  });

  it('has books that are right', async () => {
    expect(await checkMoney(imported.target.house.dataSource, { hasAllLogs: true })).toEqual([]);
  });

  it('keeps a balance above 32 bits to the unit, of a deleted account with its log too', async () => {
    const { quota } = await imported.row(`SELECT "quota" FROM "users" WHERE "id" = 201`);
    expect(Number(quota)).toBe(3_542_971_632);
    const line = await imported.row(
      `SELECT "user_id" AS "user", "quota" FROM "logs" WHERE "request_id" = 'import-1-990103'`,
    );
    expect(line).toEqual({ user: 201, quota: 6 });
  });

  it('names a balance that overflowed, leaves the account and its key out, and adds no part of it', async () => {
    expect(imported.notesOf('users', '202')).toBe(
      'damaged: quota is too large to be kept to the unit; the row is left out',
    );
    expect(imported.notesOf('tokens', '2020')).toContain('its owner 202 does not exist');
    expect(imported.notesOf('logs', '990102')).toContain('too large');
    const line = await imported.row(
      `SELECT "user_id" AS "user" FROM "logs" WHERE "request_id" = 'import-1-990101'`,
    );
    expect(line).toEqual({ user: 0 });
  });

  it('keeps a balance below 0 as it is, with a key that used more than its owner', async () => {
    expect(imported.notesOf('users', '204')).toContain('below 0 (-250)');
    expect(await imported.row(`SELECT "quota" FROM "users" WHERE "id" = 204`)).toEqual({ quota: -250 });
    expect(await imported.row(`SELECT "used_quota" AS "n" FROM "tokens" WHERE "id" = 2040`)).toEqual({
      n: 999_999,
    });
  });

  it('cuts a long name with a note, and gives an account without a name one', async () => {
    const { name } = await imported.row(`SELECT "username" AS "name" FROM "users" WHERE "id" = 205`);
    expect(name).toBe('长'.repeat(64));
    expect(imported.notesOf('users', '205')).toContain('more than 64 characters');
    expect(await imported.row(`SELECT "username" AS "name" FROM "users" WHERE "id" = 206`)).toEqual({
      name: 'user-206',
    });
    expect(imported.notesOf('users', '206')).toContain('has no name');
  });

  it('names two accounts whose names differ by case only as accounts of the source', () => {
    expect(imported.notesOf('users', '208')).toContain(
      'conflict: the name tWIN is the same here as that of another account of the source: left out with its tokens (--conflicts rename keeps it)',
    );
    expect(imported.notesOf('tokens', '2080')).toContain('was left out');
  });

  it('takes a ratio of 0 for a price, not for a missing one', async () => {
    expect(imported.notesOf('users', '209')).not.toContain('GroupRatio');
    expect(await imported.row(`SELECT "status" FROM "tokens" WHERE "id" = 2090`)).toEqual({ status: 1 });
  });

  it('keeps an unlimited key that has expired as both', async () => {
    const row = await imported.row(
      `SELECT "unlimited_quota" AS "open", "expired_time" AS "end", "remain_quota" AS "left" FROM "tokens" WHERE "id" = 2010`,
    );
    expect(row).toEqual({ open: 1, end: 5, left: 0 });
  });

  it('keeps hashes of bcrypt that another library wrote', async () => {
    const { password } = await imported.row(`SELECT "password" FROM "users" WHERE "id" = 4`);
    expect(String(password)).toMatch(/^\$2y\$12\$/);
  });

  it('names channels with damaged figures and without a key, and reads keys whose state is damaged', async () => {
    expect(imported.notesOf('channels', '2901')).toContain('used_quota is not a whole number');
    expect(imported.notesOf('channels', '2903')).toContain('it has no key');
    const { status } = await imported.row(`SELECT "status" FROM "channels" WHERE "id" = 2902`);
    expect(Number(status)).toBe(1);
  });

  it('names a code with a damaged date', () => {
    expect(imported.notesOf('redemptions', '2801')).toContain('created_time is not a whole number');
  });
});

describe('databases of another shape', () => {
  const refusal = async (source: ForeignDatabase): Promise<string> => {
    const target = await ImportTarget.open('sqlite');
    try {
      await target.run(source.url);
      return '';
    } catch (error) {
      return String(error);
    } finally {
      await target.close();
      await source.drop();
    }
  };

  it.each([
    ['one-hub', 'ALTER TABLE tokens ADD COLUMN setting text', 'one-hub or done-hub (it has tokens.setting)'],
    ['done-hub', 'CREATE TABLE model_owned_by (id integer)', 'one-hub or done-hub'],
    [
      'veloera',
      'ALTER TABLE channels ADD COLUMN model_prefix text',
      'veloera (it has channels.model_prefix)',
    ],
    ['voapi', 'CREATE TABLE token_groups (id integer)', 'voapi'],
  ])('refuses %s by its name', async (_name, sql, sentence) => {
    expect(await refusal(await sampleOf('new-api', sql))).toContain(sentence);
  });

  it('names an empty file as empty', async () => {
    const source = await sampleOf('one-api', '');
    const database = new Database(source.path);
    const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all() as {
      name: string;
    }[];
    for (const { name } of tables) if (!name.startsWith('sqlite_')) database.exec(`DROP TABLE "${name}"`);
    database.close();
    expect(await refusal(source)).toContain('it has no tables');
  });

  it('names a file that a running program has locked', async () => {
    const source = await sampleOf('one-api', '');
    const writer = new Database(source.path);
    writer.exec('BEGIN EXCLUSIVE');
    const target = await ImportTarget.open('sqlite');
    await expect(target.run(source.url)).rejects.toThrow('is being written to');
    writer.exec('ROLLBACK');
    writer.close();
    await target.close();
    await source.drop();
  });

  it('imports a database whose log is in another one, and names that the log is missing', async () => {
    const imported = await Imported.from(await sampleOf('new-api', 'DROP TABLE logs'));
    expect(imported.notesOf('logs', '')).toContain('--logs-from');
    expect(imported.report.sums.filter(({ isEqual }) => !isEqual)).toEqual([]);
    const logs = await sampleOf('new-api', 'DROP TABLE users; DROP TABLE tokens');
    const report = await imported.target.run(imported.source.url, { logs: { since: 0, from: logs.url } });
    expect(report.logs?.lines).toBeGreaterThan(1_000);
    await logs.drop();
    await imported.close();
  });
});
