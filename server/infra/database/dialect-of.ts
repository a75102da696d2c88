import type { DataSource } from 'typeorm';
import type { DatabaseDialect } from './database-url.js';

/** Which SQL the data source speaks; MariaDB counts as MySQL. */
export function dialectOf(dataSource: DataSource): DatabaseDialect {
  const { type } = dataSource.options;
  if (type === 'better-sqlite3') return 'sqlite';
  return type === 'postgres' ? 'postgres' : 'mysql';
}
