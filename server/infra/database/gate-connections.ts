import type { DataSource, QueryRunner } from 'typeorm';
import { ConnectionAcquireLimit, type AcquireLimits } from './connection-acquire-limit.js';
import { ConnectionChanges, socketOf } from './connection-changes.js';
import { DATABASE_LIMITS } from './database-limits.js';

export interface ConnectionLimits extends AcquireLimits {
  /** A statement without an answer for so long is given up, and its connection with it. */
  readonly silenceMs: number;
  /** An answer that took longer is no evidence that the database serves its clients. */
  readonly promptMs: number;
}

/** Runners whose statements may take as long as they like. */
const deadlineExempt = new WeakSet<QueryRunner>();

/** From now on this runner waits for its statements as long as it takes: migrations of a large table do. */
export const waitWithoutDeadline = (runner: QueryRunner): void => void deadlineExempt.add(runner);

/** Queue for bursts, so that a burst does not fill the queue for connections. */
export const burstQueue = (): ConnectionAcquireLimit =>
  new ConnectionAcquireLimit({
    permits: DATABASE_LIMITS.crowdPermits,
    queueLimit: DATABASE_LIMITS.crowdQueueLimit,
    deadlineMs: DATABASE_LIMITS.crowdWaitMs,
  });

const gates = new WeakMap<DataSource, ConnectionAcquireLimit>();

/** The gate of a data source; undefined = it has none (SQLite has one connection). */
export const gateOf = (dataSource: DataSource): ConnectionAcquireLimit | undefined => gates.get(dataSource);

/**
 * Puts a gate before the connection pool of a MySQL or PostgreSQL data source: every query runner passes it before it asks the
 * pool, so that waiting has a deadline and a bound whatever the driver does. The server's own deadline ends slow statements; a
 * server that vanished ends none, and its connections would be waited for until the kernel gives up, minutes later.
 */
export function gateConnections(dataSource: DataSource, limits: ConnectionLimits): void {
  const gate = new ConnectionAcquireLimit(limits);
  gates.set(dataSource, gate);
  const changes = new ConnectionChanges(dataSource);
  const { driver } = dataSource;
  const createRunner = driver.createQueryRunner.bind(driver);
  driver.createQueryRunner = (mode) => gateRunner(createRunner(mode), { gate, changes }, limits);
}

function gateRunner(
  runner: QueryRunner,
  { gate, changes }: { readonly gate: ConnectionAcquireLimit; readonly changes: ConnectionChanges },
  limits: ConnectionLimits,
): QueryRunner {
  const connect = runner.connect.bind(runner);
  const release = runner.release.bind(runner);
  let connecting: Promise<unknown> | undefined;
  let isInside = false;
  let isGivenBack = false;

  const leave = (): void => {
    if (!isInside) return;
    isInside = false;
    gate.release();
  };

  const enterAndConnect = async (): Promise<unknown> => {
    await gate.enter();
    isInside = true;
    if (isGivenBack) {
      leave();
      throw new Error('the query runner was released while it waited for a connection');
    }
    try {
      const connection: unknown = await connect();
      changes.note(connection);
      return connection;
    } catch (error) {
      leave();
      throw error;
    }
  };

  const query = runner.query.bind(runner) as (...words: unknown[]) => Promise<unknown>;
  const ask = async (words: unknown[]): Promise<unknown> => {
    const sentMs = performance.now();
    const answer = await query(...words);
    if (performance.now() - sentMs < limits.promptMs) gate.promptAnswers += 1;
    return answer;
  };
  const queryInTime = async (...words: unknown[]): Promise<unknown> => {
    const connection = await runner.connect();
    if (deadlineExempt.has(runner)) return ask(words);
    // Its driver then fails the statement as it does when a connection breaks, and the pool opens another one.
    const deadline = setTimeout(() => destroyConnection(connection), limits.silenceMs);
    try {
      return await ask(words);
    } finally {
      clearTimeout(deadline);
    }
  };
  runner.query = queryInTime as QueryRunner['query'];
  runner.connect = () => (connecting ??= enterAndConnect());
  runner.release = async () => {
    isGivenBack = true;
    // A connection that arrives for a released runner would never go back, and the next one to enter would wait forever.
    if (isInside) await connecting?.catch(() => undefined);
    try {
      await release();
    } finally {
      leave();
    }
  };
  return runner;
}

/**
 * Cuts the socket under a driver's connection. When asked to close a connection itself, mysql2 forgets pending statements; when a
 * socket breaks, both drivers fail them all.
 * Fails: throws when the connection is of neither driver.
 */
function destroyConnection(connection: unknown): void {
  const socket = socketOf(connection);
  if (!isDestroyable(socket)) throw new TypeError('a database connection without a socket');
  socket.destroy();
}

const isDestroyable = (value: unknown): value is { destroy(): void } =>
  typeof value === 'object' && value !== null && 'destroy' in value && typeof value.destroy === 'function';
