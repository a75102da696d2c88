import type { DatabaseDialect } from './database-url.js';
import { DIALECTS } from './dialect.js';

export interface SqlAnswer {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Matched rows of a change. */
  readonly affected: number;
}

/** One open transaction, in portable SQL: names quoted with `"`, parameters as `?`. */
export interface SqlSession {
  readonly dialect: DatabaseDialect;
  /** Fails: with the driver's error. */
  run(sql: string, parameters?: readonly unknown[]): Promise<SqlAnswer>;
  /**
   * The same change with each of some parameters. On SQLite the cheapest way to change many rows: the statement is understood
   * once; on a server each is a trip.
   * @returns matched rows of all of them
   */
  runEach(sql: string, rows: readonly (readonly unknown[])[]): Promise<number>;
}

/** A database as far as whole transactions are concerned. */
export interface SqlStore {
  readonly dialect: DatabaseDialect;
  /**
   * Runs `work` in one READ COMMITTED transaction, the whole of it again when the database gave way to another one.
   * Fails: with the error of `work` or of the driver; when the connection broke during COMMIT the outcome is unknown.
   */
  transaction<T>(work: (session: SqlSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const rendered: Record<DatabaseDialect, Map<string, string>> = {
  sqlite: new Map(),
  mysql: new Map(),
  postgres: new Map(),
};
const MAX_RENDERED = 200;

/** Writes portable SQL in the words of one database. */
export function renderSql(dialect: DatabaseDialect, sql: string): string {
  if (dialect === 'sqlite') return sql;
  const known = rendered[dialect].get(sql);
  if (known !== undefined) return known;
  const text = DIALECTS[dialect].render(sql);
  if (rendered[dialect].size < MAX_RENDERED) rendered[dialect].set(sql, text);
  return text;
}

/** Runs one statement for each row, one after the other, for sessions without batches of their own. */
export async function runSerially(
  run: SqlSession['run'],
  sql: string,
  rows: readonly (readonly unknown[])[],
): Promise<number> {
  let affected = 0;
  for (const row of rows) affected += (await run(sql, row)).affected;
  return affected;
}
