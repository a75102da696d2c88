import type { DataSource, QueryRunner } from 'typeorm';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import { ConnectionAcquireLimit } from './connection-acquire-limit.js';
import { ThreadLock } from './thread-lock.js';

/** SQLite never waits for a disk or a network inside a statement, so a long wait means a transaction was kept open. */
const SQLITE_GATE = { permits: 1, queueLimit: 20_000, deadlineMs: 10_000 };

/**
 * Makes concurrent transactions on SQLite safe. TypeORM's driver hands the same query runner to all callers: a second transaction
 * joins the first by accident, and rows survive their own rollback. Here every caller has a runner of its own over the one
 * connection, and one first-come gate: a transaction holds it from BEGIN to COMMIT or ROLLBACK, a single statement while it runs.
 * docs/decisions/2026-11-21-sqlite-has-one-writer-at-a-time.md
 *
 * Consequence: inside a transaction use only its manager. Anything else waits for the gate that the transaction holds, and fails
 * with DatabaseBusyError after 10 s.
 */
export function gateSqlite(dataSource: DataSource): void {
  const gate = new ConnectionAcquireLimit(SQLITE_GATE);
  const statements = new Map<string, unknown>();
  const lock = new ThreadLock();
  locks.set(dataSource, lock);
  dataSource.driver.createQueryRunner = (): QueryRunner =>
    new GatedSqliteRunner(dataSource, gate, lock, statements);
}

const locks = new WeakMap<DataSource, ThreadLock>();

/** Lock held while writing; for threads with a connection of their own. A new, free one when the data source is not SQLite. */
export const writeLockOf = (dataSource: DataSource): ThreadLock => locks.get(dataSource) ?? new ThreadLock();

/** Statements that cannot write, judged by their first word. */
const READS = /^\s*(SELECT|EXPLAIN)\b/i;

type SqliteDriver = ConstructorParameters<typeof BetterSqlite3QueryRunner>[0];

class GatedSqliteRunner extends BetterSqlite3QueryRunner {
  readonly #gate: ConnectionAcquireLimit;
  readonly #lock: ThreadLock;
  #holdsGate = false;
  #holdsLock = false;

  constructor(
    dataSource: DataSource,
    gate: ConnectionAcquireLimit,
    lock: ThreadLock,
    statements: Map<string, unknown>,
  ) {
    super(dataSource.driver as SqliteDriver);
    this.#gate = gate;
    this.#lock = lock;
    // Runners come and go with every call; prepared statements belong to the connection and are kept with it.
    Object.assign(this, { stmtCache: statements });
  }

  // The declared result is whatever the statement gives: `unknown` here, typed by the callers.
  override async query(query: string, parameters?: unknown[], useStructuredResult = false): Promise<never> {
    if (this.#holdsGate) return (await super.query(query, parameters, useStructuredResult)) as never;
    await this.#gate.enter();
    const writes = !READS.test(query);
    if (writes && !this.#lock.tryEnter()) await this.#lock.enter();
    try {
      return (await super.query(query, parameters, useStructuredResult)) as never;
    } finally {
      if (writes) this.#lock.release();
      this.#gate.release();
    }
  }

  /** Takes the write lock at once: a transaction that starts by reading could otherwise be refused when it first writes. */
  override async startTransaction(): Promise<void> {
    if (this.transactionDepth > 0) return super.startTransaction();
    await this.#begin('BEGIN IMMEDIATE');
  }

  /** A transaction that only reads: one consistent state, and other processes may go on writing. */
  async startSnapshot(): Promise<void> {
    await this.#begin('BEGIN DEFERRED');
  }

  override async commitTransaction(): Promise<void> {
    await super.commitTransaction();
    if (this.transactionDepth === 0) this.#leaveGate();
  }

  override async rollbackTransaction(): Promise<void> {
    const isOutermost = this.transactionDepth <= 1;
    try {
      await super.rollbackTransaction();
    } catch (error) {
      // A full disk and a few other faults make SQLite roll back by itself; then there is nothing left to roll back.
      if (!isOutermost || (await this.#isInTransaction())) throw error;
    } finally {
      if (isOutermost) {
        this.transactionDepth = 0;
        this.isTransactionActive = false;
        this.#leaveGate();
      }
    }
  }

  /** A runner given back in the middle of a transaction takes that transaction with it. */
  override async release(): Promise<void> {
    if (this.#holdsGate) {
      this.transactionDepth = 1;
      await this.rollbackTransaction();
    }
    await super.release();
  }

  async #begin(statement: string): Promise<void> {
    await this.#gate.enter();
    this.#holdsGate = true;
    if (statement === 'BEGIN IMMEDIATE') {
      if (!this.#lock.tryEnter()) await this.#lock.enter();
      this.#holdsLock = true;
    }
    try {
      await this.broadcaster.broadcast('BeforeTransactionStart');
      await this.query(statement);
    } catch (error) {
      this.#leaveGate();
      throw error;
    }
    this.isTransactionActive = true;
    this.transactionDepth = 1;
    await this.broadcaster.broadcast('AfterTransactionStart');
  }

  async #isInTransaction(): Promise<boolean> {
    const database = (await this.connect()) as { readonly inTransaction: boolean };
    return database.inTransaction;
  }

  #leaveGate(): void {
    if (!this.#holdsGate) return;
    this.#holdsGate = false;
    if (this.#holdsLock) this.#lock.release();
    this.#holdsLock = false;
    this.#gate.release();
  }
}

/** True when the runner is one of ours, which can start a reading transaction. */
export function canStartSnapshot(runner: QueryRunner): runner is GatedSqliteRunner {
  return runner instanceof GatedSqliteRunner;
}
