import { type DataSource, QueryFailedError } from 'typeorm';
import { IncompatibleSchemaError } from './applied-steps.js';
import { CryptoSecretError, keepCryptoSecretCheck, verifyCryptoSecret } from './crypto-secret-check.js';
import { DatabaseUrlError, parseDatabaseUrl } from './database-url.js';
import { MigrationLockError } from './migration-lock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { DatabaseBusyError } from './connection-acquire-limit.js';
import { isConnectionLost, isReadOnly } from './database-faults.js';
import type { SecretBox } from '../crypto/secret-box.js';
import { type DataSourceSettings, openDataSource, prepareSqliteFile } from './data-source.js';
import { migrateDatabase } from './migrate-database.js';

const RETRY_AFTER_MS = 2_000;

/** The host cannot be found or reached; the server takes no more connections (MySQL, PostgreSQL). */
const UNREACHABLE = new Set<unknown>([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ER_CON_COUNT_ERROR',
  '53300',
]);

/** A statement took longer than it may: MariaDB, MySQL, PostgreSQL. */
const TOO_SLOW = new Set<unknown>(['ER_STATEMENT_TIMEOUT', 'ER_QUERY_TIMEOUT', '57014']);
/** MariaDB's error numbers for which the driver has no name. */
const TOO_SLOW_NUMBERS = new Set<unknown>([1_969, 3_024]);

/** Why a database cannot be worked with, in one sentence that begins with the variable naming it. */
export class DatabaseStartError extends Error {}

/**
 * Like `openDatabase`, for the database of an environment variable.
 * Fails: CryptoSecretError, DatabaseStartError; any other error is a bug and passes unchanged.
 */
export async function openNamedDatabase(
  variable: 'DATABASE_URL' | 'LOG_DATABASE_URL',
  url: string,
  settings: OpenSettings = {},
): Promise<DataSource> {
  try {
    return await openDatabase(url, settings);
  } catch (cause) {
    const reason = reasonOf(cause, url);
    if (reason === undefined) throw cause;
    throw new DatabaseStartError(`${variable}: ${reason}`, { cause });
  }
}

/** Undefined for what is not the database's fault. Sentences of drivers name accounts, never passwords. */
function reasonOf(error: unknown, url: string): string | undefined {
  if (!(error instanceof Error) || error instanceof CryptoSecretError) return undefined;
  if (
    error instanceof DatabaseUrlError ||
    error instanceof UnsupportedDatabaseError ||
    error instanceof IncompatibleSchemaError ||
    error instanceof MigrationLockError
  )
    return error.message;
  const { code } = error as { code?: unknown };
  if (error instanceof QueryFailedError) {
    const remedy = NO_RIGHT.has(code)
      ? '. Give the account every right to this database, once; it makes and changes tables'
      : '';
    return `the schema could not be brought up to date: ${error.message}${remedy}`;
  }
  const suffix = typeof code === 'string' ? ` (${code})` : '';
  if (databaseRefusal(error) !== undefined)
    return `no database can be reached at ${placeOf(url)}${suffix}. Start it, or correct the address`;
  if (suffix === '') return undefined;
  const remedy = REFUSED.has(code) ? '. Check the name, the password and the database in its address' : '';
  return `the database at ${placeOf(url)} cannot be used: ${error.message}${remedy}`;
}

/** The server does not know the account or the database: MySQL, PostgreSQL. */
const REFUSED = new Set<unknown>([
  'ER_ACCESS_DENIED_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_BAD_DB_ERROR',
  '28P01',
  '28000',
  '3D000',
  '42501',
]);

/** The account may read, and not make tables: MySQL, PostgreSQL. */
const NO_RIGHT = new Set<unknown>([
  'ER_TABLEACCESS_DENIED_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_SPECIFIC_ACCESS_DENIED_ERROR',
  '42501',
]);

function placeOf(url: string): string {
  const address = parseDatabaseUrl(url);
  return address.dialect === 'sqlite' ? address.path : (address.socket ?? `${address.host}:${address.port}`);
}

/**
 * Refusal of the console API while the database is away, takes no changes, has no free connection or takes too long; undefined for
 * any other error.
 */
export function databaseRefusal(error: unknown): DomainError | undefined {
  const { code, errno } = (error ?? {}) as { readonly code?: unknown; readonly errno?: unknown };
  if (TOO_SLOW.has(code) || TOO_SLOW_NUMBERS.has(errno)) return new DomainError('database_too_slow');
  if (isReadOnly(error)) return new DomainError('database_read_only', {}, RETRY_AFTER_MS);
  const isAway =
    error instanceof DatabaseBusyError ||
    isConnectionLost(error) ||
    UNREACHABLE.has(code) ||
    (error instanceof Error && /timeout exceeded when trying to connect/i.test(error.message));
  return isAway ? new DomainError('database_unavailable', {}, RETRY_AFTER_MS) : undefined;
}

export interface OpenSettings extends DataSourceSettings {
  /** `logs`: a database that holds the call logs only. */
  readonly scope?: 'main' | 'logs';
  /** A database with secrets sealed under another CRYPTO_SECRET is refused before anything is written to it. */
  readonly secrets?: SecretBox;
}

export class UnsupportedDatabaseError extends Error {}

/**
 * Connects, brings the schema up to date and checks what the code relies on: what a server does with its database at start.
 * Fails: with the driver's error, MigrationLockError, CryptoSecretError, or UnsupportedDatabaseError naming what is wrong.
 */
export async function openDatabase(url: string, settings: OpenSettings = {}): Promise<DataSource> {
  prepareSqliteFile(url);
  const { secrets, scope } = settings;
  const dataSource = await openDataSource(url, settings);
  try {
    if (secrets !== undefined) await verifyCryptoSecret(dataSource, secrets);
    await migrateDatabase(dataSource, { scope });
    await checkMatchedRows(dataSource);
    if (secrets !== undefined) await keepCryptoSecretCheck(dataSource, secrets);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

/**
 * Money is moved by guarded updates that count the rows they matched. A driver that reports changed rows instead would make a
 * repeated update look refused.
 * Fails: UnsupportedDatabaseError.
 */
export async function checkMatchedRows(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    const result = await runner.query('UPDATE schema_migrations SET name = name', [], true);
    const rows = (await runner.query('SELECT COUNT(*) AS rows_there FROM schema_migrations')) as {
      rows_there: unknown;
    }[];
    if (result.affected !== Number(rows[0]?.rows_there)) {
      throw new UnsupportedDatabaseError(
        'The database driver reports changed rows instead of matched rows; guarded updates would misread it.',
      );
    }
  } finally {
    await runner.release();
  }
}
