import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { openDataSource } from '../../../../server/infra/database/data-source.js';
import { type Dialect, DIALECTS } from '../../../../server/infra/database/dialect.js';
import { dialectOf } from '../../../../server/infra/database/dialect-of.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';

const ROWS = { table: 'sums', key: ['who', 'day'] };
const START = { who: 'ada', day: 1, amount: 10, calls: 1, at_ms: 500 };

describe.each(DATABASE_KINDS)('the dialect of %s', (kind) => {
  let database: TestDatabase;
  let source: DataSource;
  let dialect: Dialect;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    source = await openDataSource(database.url, { entities: [], poolSize: 1 });
    dialect = DIALECTS[dialectOf(source)];
    await run(
      'CREATE TABLE "sums" ("who" VARCHAR(20) NOT NULL, "day" INT NOT NULL, "amount" INT NOT NULL, "calls" INT NOT NULL, "at_ms" INT NOT NULL, PRIMARY KEY ("who", "day"))',
    );
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });
  beforeEach(async () => {
    await run('DELETE FROM "sums"');
    await insert(START, '');
  });

  const run = (sql: string, parameters: readonly unknown[] = []): Promise<unknown> =>
    source.query(dialect.render(sql), [...parameters]);
  const insert = (row: typeof START, again: string): Promise<unknown> =>
    run(
      `INSERT INTO "sums" ("who", "day", "amount", "calls", "at_ms") VALUES (?, ?, ?, ?, ?) ${again}`,
      Object.values(row),
    );
  const rows = async (): Promise<unknown[]> =>
    ((await run('SELECT * FROM "sums" ORDER BY "who", "day"')) as object[]).map((row) => ({ ...row }));

  it('keeps a row that is there, and inserts one that is not', async () => {
    await insert({ ...START, amount: 99 }, dialect.orKeep(ROWS));
    await insert({ ...START, day: 2, amount: 99 }, dialect.orKeep(ROWS));
    expect(await rows()).toEqual([START, { ...START, day: 2, amount: 99 }]);
  });

  it('replaces the named columns alone', async () => {
    await insert({ ...START, amount: 7, calls: 8 }, dialect.orReplace(ROWS, ['amount']));
    expect(await rows()).toEqual([{ ...START, amount: 7 }]);
  });

  it('adds to the named columns alone', async () => {
    await insert({ ...START, amount: 7, calls: 2, at_ms: 900 }, dialect.orAdd(ROWS, ['amount', 'calls']));
    expect(await rows()).toEqual([{ ...START, amount: 17, calls: 3 }]);
  });

  it('takes all columns of a newer row, none of an older one, whatever the order of the columns', async () => {
    const again = dialect.orTakeNewest(ROWS, ['at_ms', 'amount', 'calls'], 'at_ms');
    await insert({ ...START, amount: 1, calls: 9, at_ms: 499 }, again);
    expect(await rows()).toEqual([START]);
    const newer = { ...START, amount: 2, calls: 5, at_ms: 501 };
    await insert(newer, again);
    expect(await rows()).toEqual([newer]);
  });

  it('reads its own clock in milliseconds', async () => {
    const before = Date.now();
    const [row] = (await run(`SELECT ${dialect.now} AS "now"`)) as { now: string | number }[];
    expect(Math.abs(Number(row?.now) - before)).toBeLessThan(60_000);
  });
});
