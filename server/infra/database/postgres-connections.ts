import { contained } from '../../common/contain-faults.js';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { DATABASE_LIMITS } from './database-limits.js';
import { encryptionOf, type ServerAddress } from './database-url.js';
import { PostgresSession } from './postgres-session.js';

/** PostgreSQL. Loaded only where an address asks for it: the driver costs every process megabytes. */

const CONNECTION = { keepAlive: true, Client: PostgresSession, types: { getTypeParser: typeParser } };

const APPLICATION = 'tollgate';

/** Driver settings for TLS and for logging in. */
function securityOf(address: ServerAddress): {
  ssl?: Pick<ConnectionOptions, 'ca' | 'rejectUnauthorized' | 'checkServerIdentity'>;
  enableChannelBinding?: true;
} {
  const encryption = encryptionOf(address);
  if (encryption === undefined) return {};
  const { checksName, ...ssl } = encryption;
  return {
    ssl: checksName ? ssl : { ...ssl, checkServerIdentity: () => undefined },
    ...(address.bindsChannel === true ? { enableChannelBinding: true } : {}),
  };
}

export function postgresOptions(
  address: ServerAddress,
  poolSize: number,
  idleInTransactionMs: number,
): DataSourceOptions {
  const { host, port, username, password, database, isPooled = false } = address;
  const { ssl, ...login } = securityOf(address);
  return {
    type: 'postgres',
    host,
    port,
    username,
    password,
    database,
    ...(ssl === undefined ? {} : { ssl }),
    poolSize,
    connectTimeoutMS: DATABASE_LIMITS.connectMs,
    applicationName: APPLICATION,
    installExtensions: false,
    extra: { ...CONNECTION, ...login, session: { idleInTransactionMs, isPooled } },
  };
}

/** A pool without TypeORM, for threads that write by themselves. @param onFault called with faults of idle connections */
export function openPostgresPool(
  address: ServerAddress,
  poolSize: number,
  onFault: (error: Error) => void,
): pg.Pool {
  const { host, port, username, password, database, isPooled = false } = address;
  const { idleInTransactionMs } = DATABASE_LIMITS;
  const options = {
    host,
    port,
    user: username,
    password,
    database,
    max: poolSize,
    connectionTimeoutMillis: DATABASE_LIMITS.connectMs,
    application_name: APPLICATION,
    ...securityOf(address),
    ...CONNECTION,
    session: { idleInTransactionMs, isPooled },
  };
  const pool = new pg.Pool(options as pg.PoolConfig);
  pool.on('error', contained(onFault));
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
