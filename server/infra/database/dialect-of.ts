import type { DataSource, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { DatabaseDialect } from './database-url.js';

/** SQL dialect of the data source; MariaDB counts as MySQL. */
export function dialectOf(dataSource: DataSource): DatabaseDialect {
  const { type } = dataSource.options;
  if (type === 'better-sqlite3') return 'sqlite';
  return type === 'postgres' ? 'postgres' : 'mysql';
}

/** Locks the rows that a query finds until its transaction ends. SQLite has one writer at a time and no row locks. */
export const withRowLock = <Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
): SelectQueryBuilder<Row> =>
  dialectOf(query.connection) === 'sqlite' ? query : query.setLock('pessimistic_write');
