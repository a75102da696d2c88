import { setTimeout as delay } from 'node:timers/promises';

/**
 * Classes of database faults, from the drivers' codes. Independent of drivers and TypeORM, so that threads that use a driver
 * directly can share it.
 */

const ATTEMPTS = 5;
const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 200;

/** Deadlock, lock wait, snapshot conflict (MySQL, MariaDB); serialisation, deadlock, lock wait (PostgreSQL); busy (SQLite). */
const RETRIED = new Set<unknown>([
  1213,
  1205,
  1020,
  '40001',
  '40P01',
  '55P03',
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
]);

/** The connection went away: MySQL and MariaDB, sockets, PostgreSQL. */
const CONNECTION_LOST = new Set<unknown>([
  'PROTOCOL_CONNECTION_LOST',
  'ER_SERVER_SHUTDOWN',
  1053,
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ECONNREFUSED',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08003',
  '08006',
]);

/** The database takes no changes: read-only, a replica, its disk full (MySQL and MariaDB, PostgreSQL, SQLite). */
const READ_ONLY = new Set<unknown>([
  1290,
  1792,
  1836,
  1021,
  1114,
  '25006',
  '53100',
  'SQLITE_READONLY',
  'SQLITE_FULL',
]);

const DUPLICATE_KEY = new Set<unknown>([
  1062,
  '23505',
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
]);

/** The row itself: null, too long, out of range, wrong text, constraint (MySQL and MariaDB). */
const MYSQL_ROW_FAULTS = new Set<unknown>([
  1048, 1264, 1265, 1292, 1366, 1406, 1452, 1690, 3140, 3819, 4025, 4038,
]);

/** The driver's own error: what TypeORM wrapped, or the error itself. */
export function driverFault(error: unknown): { readonly code?: unknown; readonly errno?: unknown } {
  const source: unknown = error instanceof Error && 'driverError' in error ? error.driverError : error;
  return typeof source === 'object' && source !== null ? source : {};
}

/** True for a fault that goes away when the whole transaction is tried again. */
export function isRetried(error: unknown): boolean {
  return hasCode(error, RETRIED);
}

/** True when the database could not be reached or hung up. */
export function isConnectionLost(error: unknown): boolean {
  if (hasCode(error, CONNECTION_LOST)) return true;
  const text = error instanceof Error ? error.message : '';
  return /Connection terminated|Connection lost|connection is in closed state/i.test(text);
}

/** True when the database answers and takes no changes. */
export function isReadOnly(error: unknown): boolean {
  return hasCode(error, READ_ONLY);
}

/** True when a row with the same unique key is already there. */
export function isDuplicateKey(error: unknown): boolean {
  return hasCode(error, DUPLICATE_KEY);
}

/** True when the database rejects the values of a row, so that the same row fails again. A duplicate key is no such fault. */
export function isRejectedRow(error: unknown): boolean {
  if (isDuplicateKey(error)) return false;
  if (hasCode(error, MYSQL_ROW_FAULTS)) return true;
  const { code } = driverFault(error);
  // PostgreSQL classes 22 (data) and 23 (constraints); SQLite's own names.
  return (
    typeof code === 'string' &&
    (/^2[23][0-9A-Z]{3}$/.test(code) || code.startsWith('SQLITE_CONSTRAINT') || code === 'SQLITE_MISMATCH')
  );
}

/** Runs a whole transaction, up to 5 times when the database gave way to another one. Fails: with the error of `attempt`. */
export async function retryTransaction<T>(attempt: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (turn === ATTEMPTS || !isRetried(error)) throw error;
      await delay(MIN_PAUSE_MS + Math.random() * (MAX_PAUSE_MS - MIN_PAUSE_MS));
    }
  }
}

function hasCode(error: unknown, codes: ReadonlySet<unknown>): boolean {
  const { code, errno } = driverFault(error);
  return codes.has(code) || codes.has(errno);
}
