import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database as SqliteDatabase } from 'better-sqlite3';
import mysql from 'mysql2';
import pg from 'pg';
import { DataSource, type DataSourceOptions, getMetadataArgsStorage } from 'typeorm';
import {
  type DatabaseDialect,
  parseDatabaseUrl,
  type ServerAddress,
  type SqliteAddress,
} from './database-url.js';
import { gateConnections } from './gate-connections.js';
import { gateSqlite } from './gated-sqlite-runner.js';

/** Limits of one connection pool (security reference, appendix A). */
export const DATABASE_LIMITS = Object.freeze({
  poolSize: 8,
  queueLimit: 200,
  acquireMs: 500,
  connectMs: 3_000,
  statementMs: 5_000,
  lockWaitMs: 3_000,
  idleInTransactionMs: 60_000,
  sqliteBusyMs: 3_000,
});

export interface DataSourceSettings {
  /** Entity classes; by default all that the program has loaded. */
  readonly entities?: readonly (abstract new () => object)[];
  readonly poolSize?: number;
  /** How long a caller may wait for a connection. */
  readonly acquireMs?: number;
}

/**
 * A data source for a database address, not connected yet: call `initialize`, or use `openDataSource`.
 * Fails: DatabaseUrlError for an address that cannot be read.
 */
export function createDataSource(url: string, settings: DataSourceSettings = {}): DataSource {
  const address = parseDatabaseUrl(url);
  const entities = settings.entities ?? loadedEntities();
  const options = address.dialect === 'sqlite' ? sqliteOptions(address) : serverOptions(address, settings);
  const dataSource = new DataSource({
    ...options,
    entities: [...entities],
    // A condition that is `undefined` must never mean "no condition" (G3).
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
  });
  if (address.dialect === 'sqlite') {
    gateSqlite(dataSource);
  } else {
    gateConnections(dataSource, {
      permits: settings.poolSize ?? DATABASE_LIMITS.poolSize,
      queueLimit: DATABASE_LIMITS.queueLimit,
      deadlineMs: settings.acquireMs ?? DATABASE_LIMITS.acquireMs,
    });
  }
  return dataSource;
}

/** A connected data source. Fails: with the driver's error when the database cannot be reached. */
export async function openDataSource(url: string, settings: DataSourceSettings = {}): Promise<DataSource> {
  const dataSource = createDataSource(url, settings);
  await dataSource.initialize();
  return dataSource;
}

/** Which SQL the data source speaks; MariaDB counts as MySQL. */
export function dialectOf(dataSource: DataSource): DatabaseDialect {
  const { type } = dataSource.options;
  if (type === 'better-sqlite3') return 'sqlite';
  return type === 'postgres' ? 'postgres' : 'mysql';
}

function loadedEntities(): (abstract new () => object)[] {
  const targets = getMetadataArgsStorage().tables.map((table) => table.target);
  return targets.filter((target) => typeof target === 'function') as (abstract new () => object)[];
}

function sqliteOptions({ path }: SqliteAddress): DataSourceOptions {
  return {
    type: 'better-sqlite3',
    database: path,
    enableWAL: true,
    timeout: DATABASE_LIMITS.sqliteBusyMs,
    prepareDatabase: (database: SqliteDatabase) => {
      // FULL: a commit is on disk before it is reported. NORMAL would survive a killed process too, but not a power cut, and
      // a top-up that was confirmed has no second record to recover it from.
      database.pragma('synchronous = FULL');
      database.pragma('trusted_schema = OFF');
    },
  };
}

/** Creates the file of an SQLite address, readable by its owner only; its journal files inherit that. */
export function prepareSqliteFile(url: string): void {
  const address = parseDatabaseUrl(url);
  if (address.dialect !== 'sqlite' || address.path === ':memory:') return;
  mkdirSync(dirname(address.path), { recursive: true });
  closeSync(openSync(address.path, 'a', 0o600));
}

function serverOptions(address: ServerAddress, settings: DataSourceSettings): DataSourceOptions {
  const { host, port, username, password, database } = address;
  const account = { host, port, username, password, database, ssl: sslOf(address) };
  const poolSize = settings.poolSize ?? DATABASE_LIMITS.poolSize;
  if (address.type === 'postgres') {
    return {
      type: 'postgres',
      ...account,
      poolSize,
      connectTimeoutMS: DATABASE_LIMITS.connectMs,
      applicationName: 'tollgate',
      installExtensions: false,
      extra: {
        statement_timeout: DATABASE_LIMITS.statementMs,
        lock_timeout: DATABASE_LIMITS.lockWaitMs,
        idle_in_transaction_session_timeout: DATABASE_LIMITS.idleInTransactionMs,
        keepAlive: true,
        options: '-c TimeZone=UTC -c default_transaction_isolation=read\\ committed -c client_encoding=UTF8',
        types: { getTypeParser: postgresParser },
      },
    };
  }
  return {
    type: address.type,
    ...account,
    poolSize,
    charset: 'UTF8MB4_BIN',
    timezone: 'Z',
    connectTimeout: DATABASE_LIMITS.connectMs,
    supportBigNumbers: true,
    bigNumberStrings: false,
    multipleStatements: false,
    // Affected rows are matched rows: guards test the old state in WHERE and count on it. No file upload from the client.
    flags: ['+FOUND_ROWS', '-LOCAL_FILES'],
    driver: { ...mysql, createPool: createMysqlPool },
    extra: { stringifyObjects: true, waitForConnections: true, enableKeepAlive: true, maxIdle: poolSize },
  };
}

function sslOf({ sslMode }: ServerAddress): { rejectUnauthorized: boolean } | undefined {
  return sslMode === 'disable' ? undefined : { rejectUnauthorized: sslMode === 'verify-full' };
}

/** Every new connection is brought into the state the code relies on, before it is handed to anybody. */
function createMysqlPool(options: mysql.PoolOptions): mysql.Pool {
  const pool = mysql.createPool(options);
  pool.on('connection', (connection) => {
    for (const statement of MYSQL_SESSION) {
      connection.query(statement, (error) => {
        // A connection in an unknown state is not usable; its first caller gets the connection error and may try again.
        if (error !== null) connection.destroy();
      });
    }
  });
  return pool;
}

const MYSQL_SESSION = [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  `SET SESSION sql_mode = 'STRICT_ALL_TABLES,ONLY_FULL_GROUP_BY,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
    time_zone = '+00:00', innodb_lock_wait_timeout = ${DATABASE_LIMITS.lockWaitMs / 1000}
    /*M!100101 , max_statement_time = ${DATABASE_LIMITS.statementMs / 1000} */
    /*!50708 , max_execution_time = ${DATABASE_LIMITS.statementMs} */`,
];

const POSTGRES_INT8 = 20;

/** 64-bit integers as numbers while they are exact, as text beyond: the same as the other two drivers give. */
function postgresParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === POSTGRES_INT8 && format !== 'binary') return parseInteger;
  return pg.types.getTypeParser(oid, format as 'text');
}

function parseInteger(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}
