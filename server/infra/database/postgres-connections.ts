import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { DATABASE_LIMITS } from './database-limits.js';
import { encryptionOf, type ServerAddress } from './database-url.js';

/** PostgreSQL. Loaded only where an address asks for it: the driver costs every process megabytes. */

const CONNECTION = {
  statement_timeout: DATABASE_LIMITS.statementMs,
  lock_timeout: DATABASE_LIMITS.lockWaitMs,
  idle_in_transaction_session_timeout: DATABASE_LIMITS.idleInTransactionMs,
  keepAlive: true,
  options: '-c TimeZone=UTC -c default_transaction_isolation=read\\ committed -c client_encoding=UTF8',
  types: { getTypeParser: typeParser },
};

const APPLICATION = 'tollgate';

export function postgresOptions(
  address: ServerAddress,
  poolSize: number,
  idleInTransactionMs: number,
): DataSourceOptions {
  const { host, port, username, password, database } = address;
  return {
    type: 'postgres',
    ...{ host, port, username, password, database, ssl: encryptionOf(address) },
    poolSize,
    connectTimeoutMS: DATABASE_LIMITS.connectMs,
    applicationName: APPLICATION,
    installExtensions: false,
    extra: { ...CONNECTION, idle_in_transaction_session_timeout: idleInTransactionMs },
  };
}

/** A pool without TypeORM, for threads that write by themselves. @param onFault hears of idle connections that broke */
export function openPostgresPool(
  address: ServerAddress,
  poolSize: number,
  onFault: (error: Error) => void,
): pg.Pool {
  const { host, port, username, password, database } = address;
  const pool = new pg.Pool({
    ...{ host, port, user: username, password, database, ssl: encryptionOf(address) },
    ...{ max: poolSize, connectionTimeoutMillis: DATABASE_LIMITS.connectMs, application_name: APPLICATION },
    ...CONNECTION,
  });
  pool.on('error', onFault);
  return pool;
}

const INT8 = 20;

/** 64-bit integers as numbers while they are exact, as text beyond: the same as the other two drivers give. */
function typeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === INT8 && format !== 'binary') return parseInteger;
  return pg.types.getTypeParser(oid, format as 'text');
}

function parseInteger(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}
