import type { DatabaseDialect } from './database-url.js';

/** Rows to insert, some of which may be there already. */
export interface Upsert {
  readonly table: string;
  /** Columns of the unique key that decides which rows are there. */
  readonly key: readonly string[];
}

/** SQL in which the databases differ. One more database is one more of these, and its connection (`data-source.ts`). */
export interface Dialect {
  /** The database's clock in milliseconds: leases are never compared with another host's clock. */
  readonly now: string;
  /** Locks the rows that a SELECT finds. */
  readonly lock: string;
  /** Writes portable SQL, with names in `"` and parameters as `?`. */
  render(sql: string): string;
  /** A boolean as a parameter. */
  flag(value: boolean): boolean | number;
  /** Behind VALUES: rows that are there stay as they are. */
  orKeep(rows: Upsert): string;
  /** Behind VALUES: rows that are there take the new values of some columns. */
  orReplace(rows: Upsert, columns: readonly string[]): string;
  /** The same, unless the row that is there has a greater value in the column `by`; it is one of the columns. */
  orTakeNewest(rows: Upsert, columns: readonly string[], by: string): string;
  /** Behind VALUES: the new values of some columns are added to rows that are there. */
  orAdd(rows: Upsert, columns: readonly string[]): string;
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');
const eachOf = (names: readonly string[], write: (name: string) => string): string =>
  names.map(write).join(', ');

/** Upserts of SQLite and PostgreSQL. */
const STANDARD = {
  orKeep: ({ key }: Upsert) => `ON CONFLICT (${quoted(key)}) DO NOTHING`,
  orReplace: ({ key }: Upsert, columns: readonly string[]) =>
    `ON CONFLICT (${quoted(key)}) DO UPDATE SET ${eachOf(columns, (name) => `"${name}" = excluded."${name}"`)}`,
  orTakeNewest(rows: Upsert, columns: readonly string[], by: string) {
    return `${this.orReplace(rows, columns)} WHERE excluded."${by}" >= "${rows.table}"."${by}"`;
  },
  orAdd: ({ table, key }: Upsert, columns: readonly string[]) =>
    `ON CONFLICT (${quoted(key)}) DO UPDATE SET ${eachOf(
      columns,
      (name) => `"${name}" = "${table}"."${name}" + excluded."${name}"`,
    )}`,
};

const SQLITE: Dialect = {
  ...STANDARD,
  now: `CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
  // The transaction holds the write lock already.
  lock: '',
  render: (sql) => sql,
  flag: Number,
};

const POSTGRES: Dialect = {
  ...STANDARD,
  now: 'CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)',
  lock: ' FOR UPDATE',
  render(sql) {
    let index = 0;
    return sql.replace(/\?/g, () => `$${(index += 1)}`);
  },
  flag: (value) => value,
};

/** MariaDB, too. */
const MYSQL: Dialect = {
  now: 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)',
  lock: ' FOR UPDATE',
  render: (sql) => sql.replaceAll('"', '`'),
  flag: (value) => value,
  orKeep: ({ table, key }) => `ON DUPLICATE KEY UPDATE "${key[0] ?? ''}" = "${table}"."${key[0] ?? ''}"`,
  orReplace: (_rows, columns) =>
    `ON DUPLICATE KEY UPDATE ${eachOf(columns, (name) => `"${name}" = VALUES("${name}")`)}`,
  orTakeNewest: (_rows, columns, by) =>
    // It assigns from left to right: the column that the others are compared by comes last.
    `ON DUPLICATE KEY UPDATE ${eachOf(
      [...columns.filter((name) => name !== by), by],
      (name) => `"${name}" = IF(VALUES("${by}") >= "${by}", VALUES("${name}"), "${name}")`,
    )}`,
  orAdd: (_rows, columns) =>
    `ON DUPLICATE KEY UPDATE ${eachOf(columns, (name) => `"${name}" = "${name}" + VALUES("${name}")`)}`,
};

export const DIALECTS: Readonly<Record<DatabaseDialect, Dialect>> = {
  sqlite: SQLITE,
  mysql: MYSQL,
  postgres: POSTGRES,
};
