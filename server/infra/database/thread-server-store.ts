import type { ServerAddress } from './database-url.js';
import { isConnectionLost, retryTransaction } from './database-faults.js';
import { renderSql, runSerially, type SqlAnswer, type SqlSession, type SqlStore } from './sql-store.js';

/** A transaction that takes longer is given up: its connection is cut, and the batch is tried anew on another one. */
const TRANSACTION_DEADLINE_MS = 15_000;

/** The database did not finish in time; whether a commit on its way was made is unknown. */
class TransactionTimeoutError extends Error {}

/** A connection of a pool, as different as the drivers are. */
export interface ServerConnection {
  run(sql: string, parameters: readonly unknown[]): Promise<SqlAnswer>;
  release(): void;
  /** Cuts the connection. What it still waits for may never be answered: MySQL's driver forgets it. */
  destroy(): void;
}

export interface ConnectionPool {
  readonly dialect: ServerAddress['dialect'];
  acquire(): Promise<ServerConnection>;
  end(): Promise<void>;
}

/** Transactions over a pool, without TypeORM. */
export function storeOverPool(pool: ConnectionPool): SqlStore {
  const { dialect } = pool;

  async function once<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    const connection = await pool.acquire();
    let isBroken = false;
    const timeout = Promise.withResolvers<never>();
    // The pending statement handles it; between two statements there is no listener.
    timeout.promise.catch(() => undefined);
    const deadline = setTimeout(() => {
      isBroken = true;
      connection.destroy();
      timeout.reject(
        new TransactionTimeoutError(
          `the database did not finish a transaction in ${TRANSACTION_DEADLINE_MS} ms`,
        ),
      );
    }, TRANSACTION_DEADLINE_MS);
    const run: SqlSession['run'] = (sql, parameters = []) =>
      Promise.race([connection.run(renderSql(dialect, sql), parameters), timeout.promise]);
    const session: SqlSession = { dialect, run, runEach: (sql, rows) => runSerially(run, sql, rows) };
    try {
      await run('START TRANSACTION');
      const result = await work(session);
      await run('COMMIT');
      return result;
    } catch (error) {
      isBroken ||= isConnectionLost(error) || !(await rollBack(run));
      throw error;
    } finally {
      clearTimeout(deadline);
      if (isBroken) connection.destroy();
      else connection.release();
    }
  }

  return {
    dialect,
    transaction: (work) => retryTransaction(() => once(work)),
    close: () => pool.end(),
  };
}

/** @returns false when the state of the connection is unknown now */
async function rollBack(run: SqlSession['run']): Promise<boolean> {
  try {
    await run('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}

/** Fails: never; faults of connections show when they are used. */
export async function openThreadPool(
  address: ServerAddress,
  onFault: (error: Error) => void,
): Promise<ConnectionPool> {
  return address.dialect === 'postgres' ? postgresPool(address, onFault) : mysqlPool(address);
}

/** The thread works on one batch at a time. */
const CONNECTIONS = 1;

async function postgresPool(
  address: ServerAddress,
  onFault: (error: Error) => void,
): Promise<ConnectionPool> {
  const { openPostgresPool } = await import('./postgres-connections.js');
  const pool = openPostgresPool(address, CONNECTIONS, onFault);
  return {
    dialect: 'postgres',
    async acquire() {
      const client = await pool.connect();
      let isGone = false;
      const leave = (isBroken: boolean): void => {
        if (!isGone) client.release(isBroken);
        isGone = true;
      };
      return {
        async run(sql, parameters) {
          const result = await client.query(sql, [...parameters]);
          return { rows: result.rows as SqlAnswer['rows'], affected: result.rowCount ?? 0 };
        },
        release: () => leave(false),
        destroy: () => leave(true),
      };
    },
    end: () => pool.end(),
  };
}

async function mysqlPool(address: ServerAddress): Promise<ConnectionPool> {
  const { openMysqlPool } = await import('./mysql-connections.js');
  const pool = openMysqlPool(address, CONNECTIONS).promise();
  return {
    dialect: 'mysql',
    async acquire() {
      const connection = await pool.getConnection();
      return {
        async run(sql, parameters) {
          const [result] = await connection.query(sql, [...parameters]);
          if (Array.isArray(result)) return { rows: result as SqlAnswer['rows'], affected: 0 };
          return { rows: [], affected: result.affectedRows };
        },
        release: () => connection.release(),
        destroy: () => connection.destroy(),
      };
    },
    end: () => pool.end(),
  };
}
