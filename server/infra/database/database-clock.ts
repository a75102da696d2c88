import type { DatabaseDialect } from './database-url.js';

/** The database's clock in milliseconds, as SQL: leases are never compared with another host's clock. */
export function nowExpression(dialect: DatabaseDialect): string {
  if (dialect === 'sqlite') return `CAST(unixepoch('subsec') * 1000 AS INTEGER)`;
  if (dialect === 'mysql') return 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)';
  return 'CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)';
}

/** Locks the rows a SELECT finds; on SQLite the transaction holds the write lock already. */
export const lockClause = (dialect: DatabaseDialect): string => (dialect === 'sqlite' ? '' : ' FOR UPDATE');
