import type { QueryRunner } from 'typeorm';
import type { DatabaseDialect } from '../database-url.js';
import { quoteName } from './quote-name.js';
import { columnSql, type ColumnSpec, isSerial } from './column-specs.js';

export interface IndexSpec {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique?: boolean;
  /** Only rows that meet this (columns as `{name}`) have an entry. MySQL has no such indexes and indexes them all. */
  readonly where?: string;
}

export interface CheckSpec {
  readonly name: string;
  /** SQL condition with columns written as `{name}`, so that each database quotes them its own way. */
  readonly condition: string;
}

export interface TableSpec {
  readonly name: string;
  readonly columns: readonly ColumnSpec[];
  /** Not needed when a column is `serial` or `bigSerial`. */
  readonly primaryKey?: readonly string[];
  readonly indexes?: readonly IndexSpec[];
  readonly checks?: readonly CheckSpec[];
}

/**
 * Writes the statements of a migration for the database at hand. Each method is a few statements with every type written out;
 * nothing is compared with entities and nothing is guessed. MySQL commits each statement by itself, so there every statement
 * may be repeated after a crash in the middle of a migration.
 */
export class Schema {
  readonly dialect: DatabaseDialect;
  readonly #runner: QueryRunner;
  /** MySQL and MariaDB: a collation that distinguishes case, accents and trailing spaces. Empty elsewhere. */
  readonly #collation: string;

  private constructor(runner: QueryRunner, dialect: DatabaseDialect, collation: string) {
    this.#runner = runner;
    this.dialect = dialect;
    this.#collation = collation;
  }

  static async on(runner: QueryRunner, dialect: DatabaseDialect): Promise<Schema> {
    return new Schema(runner, dialect, dialect === 'mysql' ? await exactCollation(runner) : '');
  }

  async createTable(table: TableSpec): Promise<void> {
    const lines = table.columns.map((column) => columnSql(this.dialect, column));
    const hasSerial = table.columns.some(isSerial);
    if (table.primaryKey !== undefined) lines.push(`PRIMARY KEY (${this.#names(table.primaryKey)})`);
    else if (hasSerial && this.dialect === 'mysql') {
      lines.push(`PRIMARY KEY (${this.#names(table.columns.filter(isSerial).map(({ name }) => name))})`);
    }
    for (const check of table.checks ?? []) {
      lines.push(`CONSTRAINT ${this.#name(check.name)} CHECK (${this.#condition(check.condition)})`);
    }
    const indexes = table.indexes ?? [];
    if (this.dialect === 'mysql') {
      // Inside CREATE TABLE, so that a table is either complete or not there.
      lines.push(
        ...indexes.map(
          (index) => `${uniqueWord(index)}KEY ${this.#name(index.name)} (${this.#names(index.columns)})`,
        ),
      );
    }
    const ending =
      this.dialect === 'mysql'
        ? ` ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=${this.#collation}`
        : '';
    const start = this.dialect === 'mysql' ? 'CREATE TABLE IF NOT EXISTS' : 'CREATE TABLE';
    await this.#execute(`${start} ${this.#name(table.name)} (\n  ${lines.join(',\n  ')}\n)${ending}`);
    if (this.dialect === 'mysql') return;
    for (const index of indexes) await this.createIndex(table.name, index);
  }

  async dropTable(table: string): Promise<void> {
    await this.#execute(`DROP TABLE IF EXISTS ${this.#name(table)}`);
  }

  async createIndex(table: string, index: IndexSpec): Promise<void> {
    if (this.dialect === 'mysql' && (await this.#hasMysqlIndex(table, index.name))) return;
    // MySQL: the server refuses rather than lock the table against writes.
    const rows = index.where === undefined ? '' : ` WHERE ${this.#condition(index.where)}`;
    const ending = this.dialect === 'mysql' ? ' ALGORITHM=INPLACE LOCK=NONE' : rows;
    const what = `${uniqueWord(index)}INDEX ${this.#name(index.name)}`;
    await this.#execute(`CREATE ${what} ON ${this.#name(table)} (${this.#names(index.columns)})${ending}`);
  }

  async dropIndex(table: string, name: string): Promise<void> {
    if (this.dialect !== 'mysql') {
      await this.#execute(`DROP INDEX IF EXISTS ${this.#name(name)}`);
    } else if (await this.#hasMysqlIndex(table, name)) {
      await this.#execute(
        `ALTER TABLE ${this.#name(table)} DROP INDEX ${this.#name(name)}, ALGORITHM=INPLACE, LOCK=NONE`,
      );
    }
  }

  async addColumn(table: string, column: ColumnSpec): Promise<void> {
    if (this.dialect === 'mysql' && (await this.#hasMysqlColumn(table, column.name))) return;
    await this.#execute(`ALTER TABLE ${this.#name(table)} ADD COLUMN ${columnSql(this.dialect, column)}`);
  }

  async dropColumn(table: string, column: string): Promise<void> {
    if (this.dialect === 'mysql' && !(await this.#hasMysqlColumn(table, column))) return;
    await this.#execute(`ALTER TABLE ${this.#name(table)} DROP COLUMN ${this.#name(column)}`);
  }

  /** Changes rows, in portable SQL: names quoted with `"`. Repeating it must change nothing. */
  async run(sql: string): Promise<void> {
    await this.#execute(this.dialect === 'mysql' ? sql.replaceAll('"', '`') : sql);
  }

  async #hasMysqlIndex(table: string, index: string): Promise<boolean> {
    const rows = (await this.#runner.query(
      'SELECT 1 FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ? AND index_name = ? LIMIT 1',
      [table, index],
    )) as unknown[];
    return rows.length > 0;
  }

  async #hasMysqlColumn(table: string, column: string): Promise<boolean> {
    const rows = (await this.#runner.query(
      'SELECT 1 FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ? AND column_name = ?',
      [table, column],
    )) as unknown[];
    return rows.length > 0;
  }

  async #execute(sql: string): Promise<void> {
    await this.#runner.query(sql);
  }

  #condition(condition: string): string {
    return condition.replaceAll(/\{(\w+)\}/g, (_, name: string) => this.#name(name));
  }

  #names(names: readonly string[]): string {
    return names.map((name) => this.#name(name)).join(', ');
  }

  #name(name: string): string {
    return quoteName(this.dialect, name);
  }
}

function uniqueWord(index: IndexSpec): string {
  return index.unique === true ? 'UNIQUE ' : '';
}

/** The usual binary collation ignores trailing spaces; the two families call the exact one by different names. */
async function exactCollation(runner: QueryRunner): Promise<string> {
  const rows = (await runner.query('SELECT VERSION() AS version')) as { version: string }[];
  return /mariadb/i.test(rows[0]?.version ?? '') ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin';
}
