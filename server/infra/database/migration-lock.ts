import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { DATABASE_LIMITS, dialectOf } from './data-source.js';
import { waitWithoutDeadline } from './gate-connections.js';
import { isRetried } from './run-in-transaction.js';

export class MigrationLockError extends Error {}

const POLL_MS = 250;
/** Any number, the same in every release: PostgreSQL's advisory locks are numbers, one space per database. */
const POSTGRES_LOCK = 7_264_611;

/**
 * Runs `work` while no other process migrates this database. The runner has a session without a statement deadline.
 * On SQLite the lock is a write transaction around `work`.
 * Fails: MigrationLockError when another process holds the lock for longer than `waitMs`.
 */
export async function withMigrationLock<T>(
  dataSource: DataSource,
  waitMs: number,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const lock = LOCKS[dialectOf(dataSource)];
  const runner = dataSource.createQueryRunner();
  waitWithoutDeadline(runner);
  try {
    await lock.take(runner, waitMs);
    try {
      return await work(runner);
    } finally {
      await lock.give(runner);
    }
  } finally {
    await runner.release();
  }
}

interface MigrationLock {
  take(runner: QueryRunner, waitMs: number): Promise<void>;
  give(runner: QueryRunner): Promise<void>;
}

/** The write lock of the file itself, asked for again and again: the driver's own waiting would stop this whole process. */
const SQLITE_LOCK: MigrationLock = {
  async take(runner, waitMs) {
    await runner.query('PRAGMA busy_timeout = 0');
    const isHeld = await until(waitMs, async () => {
      try {
        await runner.startTransaction();
        return true;
      } catch (error) {
        if (!isRetried(error)) throw error;
        return false;
      }
    });
    if (!isHeld) throw new MigrationLockError(tooLong(waitMs));
  },
  async give(runner) {
    await runner.commitTransaction();
    await runner.query(`PRAGMA busy_timeout = ${DATABASE_LIMITS.sqliteBusyMs}`);
  },
};

/** One name per database: a lock of MySQL belongs to the whole server. */
const MYSQL_NAME = "SHA1(CONCAT('tollgate-migrations:', DATABASE()))";

const MYSQL_LOCK: MigrationLock = {
  async take(runner, waitMs) {
    await runner.query('SET SESSION lock_wait_timeout = 5 /*M!100101 , max_statement_time = 0 */');
    const rows = (await runner.query(`SELECT GET_LOCK(${MYSQL_NAME}, ?) AS held`, [waitMs / 1000])) as {
      held: unknown;
    }[];
    if (Number(rows[0]?.held) !== 1) throw new MigrationLockError(tooLong(waitMs));
  },
  async give(runner) {
    await runner.query(`SELECT RELEASE_LOCK(${MYSQL_NAME})`);
    await runner.query(`SET SESSION lock_wait_timeout = DEFAULT
      /*M!100101 , max_statement_time = ${DATABASE_LIMITS.statementMs / 1000} */`);
  },
};

/**
 * PostgreSQL's lock belongs to a transaction of its own connection: one of a session is lost, or kept for ever, where a pooler gives
 * every transaction another session.
 */
const lockHolders = new WeakMap<QueryRunner, QueryRunner>();

async function releaseLock(runner: QueryRunner): Promise<void> {
  const lockHolder = lockHolders.get(runner);
  if (lockHolder === undefined) return;
  lockHolders.delete(runner);
  try {
    if (lockHolder.isTransactionActive) await lockHolder.rollbackTransaction();
    await setDeadlineExempt(lockHolder, false);
  } finally {
    await lockHolder.release();
  }
}

async function setDeadlineExempt(runner: QueryRunner, isPatient: boolean): Promise<void> {
  const { PostgresSession } = await import('./postgres-session.js');
  const connection: unknown = await runner.connect();
  if (connection instanceof PostgresSession) await connection.setDeadlineExempt(isPatient);
}

const POSTGRES_ADVISORY_LOCK: MigrationLock = {
  async take(runner, waitMs) {
    await setDeadlineExempt(runner, true);
    const lockHolder = runner.connection.createQueryRunner();
    waitWithoutDeadline(lockHolder);
    lockHolders.set(runner, lockHolder);
    await setDeadlineExempt(lockHolder, true);
    const isHeld = await until(waitMs, async () => {
      await lockHolder.startTransaction();
      const rows = (await lockHolder.query('SELECT pg_try_advisory_xact_lock($1) AS held', [
        POSTGRES_LOCK,
      ])) as {
        held: boolean;
      }[];
      if (rows[0]?.held === true) return true;
      await lockHolder.rollbackTransaction();
      return false;
    });
    if (isHeld) return;
    await releaseLock(runner);
    throw new MigrationLockError(tooLong(waitMs));
  },
  async give(runner) {
    await releaseLock(runner);
    await setDeadlineExempt(runner, false);
  },
};

const LOCKS = { sqlite: SQLITE_LOCK, mysql: MYSQL_LOCK, postgres: POSTGRES_ADVISORY_LOCK } as const;

/** Tries until it works or the time is up; tries at least once. */
async function until(waitMs: number, attempt: () => Promise<boolean>): Promise<boolean> {
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    if (await attempt()) return true;
    if (performance.now() >= deadlineMs) return false;
    await delay(POLL_MS);
  }
}

function tooLong(waitMs: number): string {
  return `another process has been migrating this database for more than ${waitMs / 1000} s`;
}
