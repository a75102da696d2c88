import { getOrRemember } from '../../common/get-or-add.js';
import Database, { type Statement } from 'better-sqlite3';
import { DATABASE_LIMITS } from './database-limits.js';
import { retryTransaction } from './database-faults.js';
import type { SqlAnswer, SqlSession, SqlStore } from './sql-store.js';
import type { ThreadLock } from './thread-lock.js';

const MAX_STATEMENTS = 200;

/** SQLite over a connection of this thread. @param lock  held while this thread writes; the main thread honours it */
export function openThreadSqlite(path: string, lock: ThreadLock): SqlStore {
  const database = new Database(path, { timeout: DATABASE_LIMITS.sqliteBusyMs, fileMustExist: true });
  database.pragma('synchronous = FULL');
  database.pragma('trusted_schema = OFF');
  const statements = new Map<string, Statement>();

  const prepare = (sql: string): Statement => {
    return getOrRemember(statements, MAX_STATEMENTS, sql, () => database.prepare(sql));
  };
  const run = (sql: string, parameters: readonly unknown[]): SqlAnswer => {
    const statement = prepare(sql);
    if (statement.reader) return { rows: statement.all(parameters) as SqlAnswer['rows'], affected: 0 };
    return { rows: [], affected: statement.run(parameters).changes };
  };
  const session: SqlSession = {
    dialect: 'sqlite',
    run: (sql, parameters = []) =>
      new Promise((resolve) => {
        resolve(run(sql, parameters));
      }),
    runEach: (sql, rows) =>
      new Promise((resolve) => {
        const statement = prepare(sql);
        let affected = 0;
        for (const row of rows) affected += statement.run(row).changes;
        resolve(affected);
      }),
  };

  async function once<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    await lock.enter();
    try {
      run('BEGIN IMMEDIATE', []);
      const result = await work(session);
      run('COMMIT', []);
      return result;
    } catch (error) {
      // A full disk and a few other faults make SQLite roll back by itself.
      if (database.inTransaction) run('ROLLBACK', []);
      throw error;
    } finally {
      lock.release();
    }
  }

  return {
    dialect: 'sqlite',
    transaction: (work) => retryTransaction(() => once(work)),
    close: async () => void database.close(),
  };
}
