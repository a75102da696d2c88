import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { openDataSource } from '../../../../server/infra/database/data-source.js';
import { quoteName } from '../../../../server/infra/database/migrations/quote-name.js';
import { dialectOf } from '../../../../server/infra/database/dialect-of.js';
import { checkOwnTable } from '../../../../server/infra/database/applied-steps.js';
import { migrateDatabase } from '../../../../server/infra/database/migrate-database.js';
import { ALL_MIGRATIONS } from '../../../../server/infra/database/migrations/all-migrations.js';
import type { Migration } from '../../../../server/infra/database/migrations/migration.js';
import { openNamedDatabase } from '../../../../server/infra/database/open-named-database.js';
import { nullableVarchar, varchar } from '../../../../server/infra/database/migrations/column-specs.js';
import { loadAllEntities } from '../../../support/all-entities.js';
import { setUpRoot, signUp, startTestApp } from '../../../support/build-test-app.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';

const ADDS: Migration = {
  name: '1999999999001-of-the-next-release',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'news',
      columns: [varchar('id', 36), varchar('text', 200)],
      primaryKey: ['id'],
    });
  },
  down: (schema) => schema.dropTable('news'),
};

const takesAway = (oldestReader: string): Migration => ({
  ...ADDS,
  name: '1999999999002-takes-away',
  oldestReader,
  up: (schema) => schema.dropTable('news'),
});

describe.each(DATABASE_KINDS)('a program on the schema of a newer one, %s [F-45]', (kind) => {
  let database: TestDatabase;
  let dataSource: DataSource;
  beforeEach(async () => {
    database = await createTestDatabase(kind);
    dataSource = await openDataSource(database.url, { entities: [] });
  });
  afterEach(async () => {
    if (dataSource.isInitialized) await dataSource.destroy();
    await database.drop();
  });

  it('works as long as the newer one only added: new tables, and columns in every table', async () => {
    const entities = await loadAllEntities();
    const tables: string[] = [];
    const widen: Migration = {
      name: '1999999999003-widens',
      appliesTo: 'main',
      async up(schema) {
        for (const table of tables) {
          await schema.addColumn(table, nullableVarchar('of_next_release', 20));
          await schema.addColumn(table, varchar('with_default', 20));
        }
      },
      down: async () => undefined,
    };
    await migrateDatabase(dataSource);
    const described = await openDataSource(database.url, { entities });
    tables.push(...described.entityMetadatas.map(({ tableName }) => tableName));
    await described.destroy();
    expect(tables.length).toBeGreaterThan(20);
    await migrateDatabase(dataSource, { migrations: [...ALL_MIGRATIONS, ADDS, widen] });

    const app = await startTestApp({ env: { DATABASE_URL: database.url } });
    try {
      const root = await setUpRoot(app);
      await root.expectSuccess('PUT', '/api/option/', { key: 'RetryTimes', value: '2' });
      const user = await signUp(root, { username: 'newcomer' });
      await user.expectSuccess('POST', '/api/token/', {
        name: 'mine',
        remain_quota: 10,
        unlimited_quota: false,
      });
      expect(await user.expectSuccess('GET', '/api/token/?p=0&page_size=10')).toHaveLength(1);
      await user.expectSuccess('GET', '/api/log/self?p=0&page_size=10');
    } finally {
      await app.close();
    }
  });

  it('refuses in one sentence when the newer one took something away that it reads', async () => {
    await migrateDatabase(dataSource, {
      migrations: [...ALL_MIGRATIONS, ADDS, takesAway('1999999999001-of-the-next-release')],
    });
    await expect(openNamedDatabase('DATABASE_URL', database.url, { entities: [] })).rejects.toThrow(
      /^DATABASE_URL: the schema was brought to 1999999999002-takes-away by a newer version of Tollgate, .* Start the newer version/,
    );
  });

  it('starts when a removed part of the schema is one it no longer reads', async () => {
    const newest = ALL_MIGRATIONS.at(-1)?.name ?? '';
    await migrateDatabase(dataSource, { migrations: [...ALL_MIGRATIONS, ADDS, takesAway(newest)] });
    const opened = await openNamedDatabase('DATABASE_URL', database.url, { entities: [] });
    await opened.destroy();
  });

  it('starts when another process creates the schema between the two checks for its tables', async () => {
    const other = await openDataSource(database.url, { entities: [] });
    const runner = dataSource.createQueryRunner();
    const hasTable = runner.hasTable.bind(runner);
    let looks = 0;
    runner.hasTable = async (name) => {
      const isThere = await hasTable(name);
      if ((looks += 1) === 1) await migrateDatabase(other);
      return isThere;
    };
    try {
      await checkOwnTable(runner, 'users');
      expect(await hasTable('users')).toBe(true);
    } finally {
      await runner.release();
      await other.destroy();
    }
  });

  it('leaves the tables of another program alone', async () => {
    const users = quoteName(dialectOf(dataSource), 'users');
    await dataSource.query(`CREATE TABLE ${users} (id integer)`);
    await expect(openNamedDatabase('DATABASE_URL', database.url, { entities: [] })).rejects.toThrow(
      'DATABASE_URL: the database has a table users that Tollgate did not make.',
    );
  });
});
