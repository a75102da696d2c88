import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { read } from '../../../../server/base/billing/ledger/money-sql.js';
import { undoImport } from '../../../../server/console/import/undo-import.js';
import { DATABASE_KINDS } from '../../../support/database.js';
import { type ForeignDatabase, loadSample } from '../../../support/foreign-databases.js';
import { ImportTarget, SAMPLES } from '../../../support/import-runs.js';

/** Columns that differ between two imports of the same source: seals, random ids, moments. */
const COMPARED = [
  'SELECT "id", "username", "role", "group", "quota", "used_quota", "inviter_id", "aff_quota" FROM "users" ORDER BY "id"',
  'SELECT "id", "user_id", "key_digest", "status", "remain_quota", "used_quota", "group" FROM "tokens" ORDER BY "id"',
  'SELECT "id", "name", "type", "status", "used_quota", "models" FROM "channels" ORDER BY "id"',
  'SELECT "id", "status", "quota", "used_user_id" FROM "redemptions" ORDER BY "id"',
  'SELECT "user_id", "amount" FROM "ledger" ORDER BY "user_id", "amount"',
  'SELECT "user_id", "model_name", "created_at", "count", "quota" FROM "quota_data" ORDER BY 1, 2, 3',
  'SELECT "request_id", "quota", "user_id" FROM "logs" ORDER BY "request_id"',
];
const stateOf = ({ house }: ImportTarget): Promise<unknown[]> =>
  Promise.all(COMPARED.map((sql) => read(house.dataSource, sql)));

const LOGS = { logs: { since: 0, from: '' } };
/** Transactions after which each run breaks off; the parts of an import have about as many. */
const BREAKS = [1, 2, 1, 1, 2, 1, 1, 2, 1, 2];

describe.each(DATABASE_KINDS)('an import that breaks off, on %s', (kind) => {
  let source: ForeignDatabase;
  let whole: ImportTarget;
  let broken: ImportTarget;

  beforeAll(async () => {
    source = await loadSample(join(SAMPLES, 'new-api', 'A-new-api.sqlite.gz'));
    whole = await ImportTarget.open(kind);
    await whole.run(source.url, LOGS);
    broken = await ImportTarget.open(kind);
  });
  afterAll(async () => {
    await whole.close();
    await broken.close();
    await source.drop();
  });

  it('ends like one that did not, after ten breaks', async () => {
    for (const count of BREAKS) {
      let left = count;
      const run = broken.run(source.url, LOGS, async () => {
        left -= 1;
        if (left === 0) throw new Error('the process is killed');
      });
      await expect(run).rejects.toThrow('killed');
    }
    const report = await broken.run(source.url, LOGS);
    expect(report.sums.filter(({ isEqual }) => !isEqual)).toEqual([]);
    expect(await stateOf(broken)).toEqual(await stateOf(whole));
    expect(await checkMoney(broken.house.dataSource, { hasAllLogs: true })).toEqual([]);
  });

  it('books what the source moved by since, and new rows', async () => {
    const database = new Database(source.path);
    database.exec(`UPDATE users SET quota = quota - 1000, used_quota = used_quota + 1000, request_count = request_count + 2 WHERE id = 4;
      INSERT INTO users (id, username, password, quota, role, status) VALUES (70, 'late', '', 5, 1, 1);`);
    database.close();
    const report = await broken.run(source.url);
    expect(report.counts.user).toMatchObject({ added: 1, moved: 1, unchanged: 38 });
    const [row] = await read(
      broken.house.dataSource,
      'SELECT "quota", "used_quota" FROM "users" WHERE "id" = 4',
    );
    expect([Number(row?.['quota']), Number(row?.['used_quota'])]).toEqual([10_095_216, 230_319]);
    expect(await checkMoney(broken.house.dataSource)).toEqual([]);
  });

  it('leaves nothing when it is taken back', async () => {
    const actor = { id: 0, username: 'import' };
    await undoImport(broken.house, 1, actor);
    for (const table of [
      'users',
      'tokens',
      'channels',
      'redemptions',
      'ledger',
      'logs',
      'opening_figures',
      'quota_data',
    ])
      expect(await read(broken.house.dataSource, `SELECT * FROM "${table}"`)).toEqual([]);
    await expect(undoImport(broken.house, 1, actor)).rejects.toThrow('already');
  });
});

describe('sources that are none', () => {
  let source: ForeignDatabase;
  let target: ImportTarget;
  beforeAll(async () => {
    source = await loadSample(join(SAMPLES, 'one-api', 'A-one-api.sqlite.gz'));
    target = await ImportTarget.open('sqlite');
  });
  afterAll(async () => {
    await target.close();
    await source.drop();
  });

  const change = (sql: string): void => {
    const database = new Database(source.path);
    database.exec(sql);
    database.close();
  };

  it.each([
    ['a file that is not there', (path: string) => `sqlite:${path}.missing`, 'there is no such file'],
    ['a server that does not answer', () => 'mysql://root:secret@127.0.0.1:1/oneapi', 'no server answers'],
  ])('names %s', async (_what, url, sentence) => {
    const run = target.run(url(source.path));
    await expect(run).rejects.toThrow(sentence);
    await expect(run).rejects.not.toThrow('secret');
  });

  it('names a file that is no database', async () => {
    const path = `${source.path}.txt`;
    writeFileSync(path, 'hello');
    await expect(target.run(`sqlite:${path}`)).rejects.toThrow('is no SQLite database');
  });

  it('leaves a damaged row out and imports the rest', async () => {
    change(`UPDATE users SET quota = 'much' WHERE id = 20`);
    const report = await target.run(source.url, { isDryRun: true });
    expect(report.notes).toContainEqual(
      expect.objectContaining({ kind: 'damaged', table: 'users', id: '20' }),
    );
    expect(report.counts.user.found).toBe(39);
    change('UPDATE users SET quota = 7760220 WHERE id = 20');
  });

  it('switches keys off that have something in a column it does not know', async () => {
    change(`ALTER TABLE tokens ADD COLUMN hours text; UPDATE tokens SET hours = '9-17' WHERE id = 50`);
    const report = await target.run(source.url, { isDryRun: true });
    expect(report.notes).toContainEqual(expect.objectContaining({ kind: 'key-off', id: '50' }));
    expect(report.notes).toContainEqual(
      expect.objectContaining({
        kind: 'unknown',
        sentence: { code: 'column_unknown', values: { column: 'tokens.hours' } },
      }),
    );
  });

  it('refuses a relative before anything is written', async () => {
    change('CREATE TABLE user_groups (id integer)');
    await expect(target.run(source.url)).rejects.toThrow('one-hub');
    expect(await read(target.house.dataSource, 'SELECT * FROM "imports"')).toEqual([]);
  });

  it('refuses a database of another program', async () => {
    change('DROP TABLE user_groups; DROP TABLE channels');
    await expect(target.run(source.url)).rejects.toThrow('no database of new-api, one-api or LiteLLM');
  });
});
