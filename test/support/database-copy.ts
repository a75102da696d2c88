import type { EntityManager } from 'typeorm';
import { openDataSource } from '../../server/infra/database/data-source.js';
import { dialectOf } from '../../server/infra/database/dialect-of.js';
import { runInTransaction } from '../../server/infra/database/run-in-transaction.js';

const KEPT = /^\w+__/;

/** Contents of a database at a moment, to be restored under a running program. */
export interface DatabaseCopy {
  /** Everything is again as it was, in one transaction. */
  putBack(): Promise<void>;
}

/** Copies every table, beside it in the same database. @param prefix  another one for a second copy, with `__` at its end */
export async function copyDatabase(url: string, prefix = 'kept__'): Promise<DatabaseCopy> {
  const tables = await inDatabase(url, async (manager) => {
    const names = await tableNames(manager);
    for (const name of names)
      await manager.query(quoted(manager, `CREATE TABLE "${prefix}${name}" AS SELECT * FROM "${name}"`));
    return names;
  });
  return {
    putBack: () =>
      inDatabase(url, async (manager) => {
        for (const name of tables) {
          await manager.query(quoted(manager, `DELETE FROM "${name}"`));
          await manager.query(quoted(manager, `INSERT INTO "${name}" SELECT * FROM "${prefix}${name}"`));
        }
      }),
  };
}

async function inDatabase<T>(url: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
  const dataSource = await openDataSource(url, { entities: [] });
  try {
    return await runInTransaction(dataSource, work);
  } finally {
    await dataSource.destroy();
  }
}

const quoted = ({ dataSource }: EntityManager, sql: string): string =>
  dialectOf(dataSource) === 'mysql' ? sql.replaceAll('"', '`') : sql;

const LISTS = {
  sqlite: `SELECT name AS name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  mysql: `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()`,
  postgres: `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`,
} as const;

async function tableNames(manager: EntityManager): Promise<string[]> {
  const rows: { readonly name: string }[] = await manager.query(LISTS[dialectOf(manager.dataSource)]);
  return rows.map(({ name }) => name).filter((name) => !KEPT.test(name));
}
