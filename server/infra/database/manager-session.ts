import type { EntityManager } from 'typeorm';
import { dialectOf } from './dialect-of.js';
import { renderSql, runSerially, type SqlAnswer, type SqlSession } from './sql-store.js';

/** The transaction of a manager as a session. Fails: throws TypeError for a manager that is not inside a transaction. */
export function sessionOf(manager: EntityManager): SqlSession {
  const dialect = dialectOf(manager.dataSource);
  const runner = manager.queryRunner;
  if (runner === undefined) throw new TypeError('money moves inside a transaction only');
  const run = async (sql: string, parameters: readonly unknown[] = []): Promise<SqlAnswer> => {
    const result = await runner.query(renderSql(dialect, sql), [...parameters], true);
    return { rows: result.records as SqlAnswer['rows'], affected: result.affected ?? 0 };
  };
  return { dialect, run, runEach: (sql, rows) => runSerially(run, sql, rows) };
}
