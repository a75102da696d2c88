import { QueryFailedError, type DataSource } from 'typeorm';
import { IncompatibleSchemaError } from './applied-steps.js';
import { CryptoSecretError } from './crypto-secret-check.js';
import { databaseRefusal } from './database-refusal.js';
import { DatabaseUrlError, parseDatabaseUrl } from './database-url.js';
import { MigrationLockError } from './migration-lock.js';
import { UnsupportedDatabaseError, type OpenSettings, openDatabase } from './open-database.js';

/** Why a database cannot be worked with, in one sentence that begins with the variable naming it. */
export class DatabaseStartError extends Error {}

/**
 * As `openDatabase`, for the database of an environment variable.
 * Fails: CryptoSecretError, DatabaseStartError; whatever else it is, a bug, as it came.
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

/** Who we say we are, or what we ask for, is not known there: MySQL, PostgreSQL. */
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
