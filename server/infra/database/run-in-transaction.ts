import { type DataSource, type EntityManager } from 'typeorm';
import { retryTransaction } from './database-faults.js';
import { DATABASE_LIMITS } from './database-limits.js';
import { dialectOf } from './dialect-of.js';
import { canStartSnapshot } from './gated-sqlite-runner.js';

export { isConnectionLost, isDuplicateKey, isRetried } from './database-faults.js';

/**
 * Runs `work` in one READ COMMITTED transaction; the whole of it again, up to 5 times, when the database gave way to another one.
 * `work` uses only the manager it is given, has no effect outside the database, and never waits for a network.
 * Fails: with the error of `work` or of the database. When the connection broke during COMMIT the outcome is unknown: check for the
 * transaction's own key before repeating.
 */
export async function runInTransaction<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return retryTransaction(() => dataSource.transaction(work));
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
    await execute(`SET LOCAL idle_in_transaction_session_timeout = ${DATABASE_LIMITS.idleSnapshotMs}`);
    return;
  }
  await execute('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  await execute('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
}
