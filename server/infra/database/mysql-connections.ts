import { contained } from '../../common/contain-faults.js';
import mysql from 'mysql2';
import type { DataSourceOptions } from 'typeorm';
import { DATABASE_LIMITS } from './database-limits.js';
import { encryptionOf, type ServerAddress } from './database-url.js';

/** MySQL and MariaDB. Loaded only where an address asks for them: the driver costs every process megabytes. */

const CONNECTION = {
  charset: 'UTF8MB4_BIN',
  timezone: 'Z',
  connectTimeout: DATABASE_LIMITS.connectMs,
  supportBigNumbers: true,
  bigNumberStrings: false,
  multipleStatements: false,
  // Affected rows are matched rows: guards test the old state in WHERE and count on it. No file upload from the client.
  flags: ['+FOUND_ROWS', '-LOCAL_FILES'],
} as const;

const sessionOf = (idleInTransactionMs: number): readonly string[] => [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  `SET SESSION sql_mode = 'STRICT_ALL_TABLES,ONLY_FULL_GROUP_BY,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
    time_zone = '+00:00', innodb_lock_wait_timeout = ${DATABASE_LIMITS.lockWaitMs / 1000}
    /*M!100101 , max_statement_time = ${DATABASE_LIMITS.statementMs / 1000} */
    /*M!100300 , idle_write_transaction_timeout = ${idleInTransactionMs / 1000}, idle_transaction_timeout = ${DATABASE_LIMITS.idleSnapshotMs / 1000} */
    /*!50708 , max_execution_time = ${DATABASE_LIMITS.statementMs} */`,
];

/**
 * MySQL, which has no limit for idle transactions, ends them by its `wait_timeout`.
 * @param idleInTransactionMs  in whole seconds
 */
export function mysqlOptions(
  address: ServerAddress,
  poolSize: number,
  idleInTransactionMs: number,
): DataSourceOptions {
  const { host, port, username, password, database } = address;
  return {
    type: address.type === 'mariadb' ? 'mariadb' : 'mysql',
    host,
    port,
    username,
    password,
    database,
    ...placeOf(address),
    ...CONNECTION,
    flags: [...CONNECTION.flags],
    poolSize,
    driver: {
      ...mysql,
      createPool: (options: mysql.PoolOptions) => createMysqlPool(options, idleInTransactionMs),
    },
    extra: { stringifyObjects: true, waitForConnections: true, enableKeepAlive: true, maxIdle: poolSize },
  };
}

/** Socket and TLS, in the driver's form: it checks the certificate's name only on request. */
function placeOf(address: ServerAddress): { socketPath?: string; ssl?: mysql.SslOptions } {
  if (address.socket !== undefined) return { socketPath: address.socket };
  const encryption = encryptionOf(address);
  if (encryption === undefined) return {};
  const { checksName, ...ssl } = encryption;
  return { ssl: { ...ssl, verifyIdentity: checksName } };
}

/** A pool without TypeORM, for threads that write by themselves. */
export function openMysqlPool(address: ServerAddress, poolSize: number): mysql.Pool {
  const { host, port, username, password, database } = address;
  return createMysqlPool({
    host,
    port,
    user: username,
    password,
    database,
    ...placeOf(address),
    ...CONNECTION,
    flags: [...CONNECTION.flags],
    connectionLimit: poolSize,
    maxIdle: poolSize,
    stringifyObjects: true,
    waitForConnections: true,
    enableKeepAlive: true,
    // A stack taken for every statement costs a twentieth of booking; its faults name the batch.
    trace: false,
    // The driver looks through statements without parameters for their places too.
    queryFormat: (sql: string, values: unknown) =>
      Array.isArray(values) && values.length > 0 ? mysql.format(sql, values, true) : sql,
  });
}

/** Every new connection is brought into the state the code relies on, before its first use. */
function createMysqlPool(
  options: mysql.PoolOptions,
  idleInTransactionMs: number = DATABASE_LIMITS.idleInTransactionMs,
): mysql.Pool {
  const session = sessionOf(idleInTransactionMs);
  const pool = mysql.createPool(options);
  const prepare = (connection: mysql.PoolConnection): void => {
    // A connection in an unknown state is not usable; its first caller gets the connection error and may try again.
    const drop = (): void => connection.destroy();
    const check = (error: unknown): void => {
      if (error !== null) drop();
    };
    for (const statement of session) connection.query(statement, contained(check, drop));
  };
  pool.on(
    'connection',
    contained(prepare, (connection) => connection.destroy()),
  );
  return pool;
}
