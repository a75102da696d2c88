import type { DatabaseDialect } from './database-url.js';
import { DIALECTS } from './dialect.js';

/** The database's clock in milliseconds, as SQL: leases are never compared with another host's clock. */
export function nowExpression(dialect: DatabaseDialect): string {
  return DIALECTS[dialect].now;
}

/** Locks the rows a SELECT finds; on SQLite the transaction holds the write lock already. */
export const lockClause = (dialect: DatabaseDialect): string => DIALECTS[dialect].lock;
