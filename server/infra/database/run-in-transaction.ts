import { setTimeout as delay } from 'node:timers/promises';
import { type DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { dialectOf } from './data-source.js';
import { canStartSnapshot } from './gated-sqlite-runner.js';

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
  ...[
    'PROTOCOL_CONNECTION_LOST',
    'ER_SERVER_SHUTDOWN',
    1053,
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ECONNREFUSED',
  ],
  ...['57P01', '57P02', '57P03', '08000', '08003', '08006'],
]);

/**
 * Runs `work` in one READ COMMITTED transaction; the whole of it again, up to 5 times, when the database gave way to somebody else.
 * `work` uses only the manager it is given, has no effect outside the database, and never waits for a network.
 * Fails: with the error of `work` or of the database. When the connection broke during COMMIT the outcome is unknown
 * (`isUnknownCommit`): look for the transaction's own key before repeating.
 */
export async function runInTransaction<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await dataSource.transaction(work);
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetried(error)) throw error;
      await delay(MIN_PAUSE_MS + Math.random() * (MAX_PAUSE_MS - MIN_PAUSE_MS));
    }
  }
}

/**
 * Runs `work` on one consistent state of the database, without the right to change it. On SQLite other processes may go on
 * writing meanwhile; this process waits.
 */
export async function runInSnapshot<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    if (canStartSnapshot(runner)) await runner.startSnapshot();
    else await startServerSnapshot(dataSource, (sql) => runner.query(sql));
    const result = await work(runner.manager);
    await (canStartSnapshot(runner) ? runner.rollbackTransaction() : runner.query('ROLLBACK'));
    return result;
  } catch (error) {
    if (!canStartSnapshot(runner)) await runner.query('ROLLBACK');
    throw error;
  } finally {
    await runner.release();
  }
}

async function startServerSnapshot(
  dataSource: DataSource,
  execute: (sql: string) => Promise<unknown>,
): Promise<void> {
  if (dialectOf(dataSource) === 'postgres') {
    await execute('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return;
  }
  await execute('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  await execute('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
}

/** True for a fault that goes away when the whole transaction is tried again. */
export function isRetried(error: unknown): boolean {
  return causes(error).some((cause) => RETRIED.has(cause));
}

/** True when the connection broke during COMMIT: the transaction may or may not have happened. */
export function isUnknownCommit(error: unknown): boolean {
  return error instanceof QueryFailedError && error.query === 'COMMIT' && isConnectionLost(error);
}

/** True when the database could not be reached or hung up. */
export function isConnectionLost(error: unknown): boolean {
  if (causes(error).some((cause) => CONNECTION_LOST.has(cause))) return true;
  const text = error instanceof Error ? error.message : '';
  return /Connection terminated|Connection lost|connection is in closed state/i.test(text);
}

/** True when a row with the same unique key is already there. */
export function isDuplicateKey(error: unknown): boolean {
  return causes(error).some((cause) => DUPLICATE_KEY.has(cause));
}

const DUPLICATE_KEY = new Set<unknown>([
  1062,
  '23505',
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
]);

function causes(error: unknown): unknown[] {
  const source: unknown = error instanceof QueryFailedError ? error.driverError : error;
  if (typeof source !== 'object' || source === null) return [];
  const { code, errno } = source as { code?: unknown; errno?: unknown };
  return [code, errno];
}
