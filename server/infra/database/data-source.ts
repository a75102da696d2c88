import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database as SqliteDatabase } from 'better-sqlite3';
import { DataSource, type DataSourceOptions, getMetadataArgsStorage } from 'typeorm';
import { DATABASE_LIMITS } from './database-limits.js';
import { parseDatabaseUrl, type ServerAddress, type SqliteAddress } from './database-url.js';
import { negotiateTls } from './negotiate-tls.js';
import { gateConnections } from './gate-connections.js';
import { gateSqlite } from './gated-sqlite-runner.js';

export { DATABASE_LIMITS } from './database-limits.js';
export { dialectOf } from './dialect-of.js';

export interface DataSourceSettings {
  /** Entity classes; by default all that the program has loaded. */
  readonly entities?: readonly (abstract new () => object)[];
  readonly poolSize?: number;
  /** Longest wait of a caller for a connection. */
  readonly acquireMs?: number;
  /** Longest time a statement may stay without an answer. */
  readonly silenceMs?: number;
  /** Longest time a transaction that holds rows may stay without a statement. */
  readonly idleInTransactionMs?: number;
}

/** A connected data source. Fails: DatabaseUrlError; with the driver's error when the database cannot be reached. */
export async function openDataSource(url: string, settings: DataSourceSettings = {}): Promise<DataSource> {
  const dataSource = await createDataSource(url, settings);
  await dataSource.initialize();
  return dataSource;
}

async function createDataSource(url: string, settings: DataSourceSettings): Promise<DataSource> {
  const address = parseDatabaseUrl(url);
  const entities = settings.entities ?? loadedEntities();
  const poolSize = settings.poolSize ?? DATABASE_LIMITS.poolSize;
  const idleMs = settings.idleInTransactionMs ?? DATABASE_LIMITS.idleInTransactionMs;
  const options =
    address.dialect === 'sqlite'
      ? sqliteOptions(address)
      : await serverOptions(await negotiateTls(address), poolSize, idleMs);
  const dataSource = new DataSource({
    ...options,
    entities: [...entities],
    // A condition that is `undefined` must never mean "no condition".
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
  });
  if (address.dialect === 'sqlite') {
    gateSqlite(dataSource);
  } else {
    gateConnections(dataSource, {
      permits: poolSize,
      queueLimit: DATABASE_LIMITS.queueLimit,
      deadlineMs: settings.acquireMs ?? DATABASE_LIMITS.acquireMs,
      silenceMs: settings.silenceMs ?? DATABASE_LIMITS.silenceMs,
      promptMs: DATABASE_LIMITS.promptMs,
    });
  }
  return dataSource;
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

async function serverOptions(
  address: ServerAddress,
  poolSize: number,
  idleMs: number,
): Promise<DataSourceOptions> {
  if (address.dialect === 'postgres') {
    const { postgresOptions } = await import('./postgres-connections.js');
    return postgresOptions(address, poolSize, idleMs);
  }
  const { mysqlOptions } = await import('./mysql-connections.js');
  return mysqlOptions(address, poolSize, idleMs);
}

/** Creates the file of an SQLite address, readable by its owner only; its journal files inherit that. */
export function prepareSqliteFile(url: string): void {
  const address = parseDatabaseUrl(url);
  if (address.dialect !== 'sqlite' || address.path === ':memory:') return;
  mkdirSync(dirname(address.path), { recursive: true });
  closeSync(openSync(address.path, 'a', 0o600));
}
