import type { DataSource } from 'typeorm';
import { dialectOf } from '../../server/infra/database/data-source.js';

/** A column as the database itself describes it. */
export interface ColumnDescription {
  readonly name: string;
  /** Lower case, without length. */
  readonly type: string;
  readonly length: number | null;
  readonly isNullable: boolean;
  /** Literal without quotes and casts; null = none. */
  readonly default: string | null;
  readonly collation: string | null;
}

export interface IndexDescription {
  readonly name: string;
  readonly columns: readonly string[];
  readonly isUnique: boolean;
}

type Row = Record<string, unknown>;

/** Columns of a table in their order; empty when there is no such table. */
export async function describeColumns(dataSource: DataSource, table: string): Promise<ColumnDescription[]> {
  const dialect = dialectOf(dataSource);
  if (dialect === 'sqlite') {
    const rows = await rowsOf(dataSource, `PRAGMA table_info("${table}")`);
    return rows.map(sqliteColumn);
  }
  const own = dialect === 'mysql' ? 'DATABASE()' : 'current_schema()';
  const rows = await rowsOf(
    dataSource,
    `SELECT column_name AS name, data_type AS type, character_maximum_length AS length, is_nullable AS nullable,
            column_default AS fallback, collation_name AS collation
     FROM information_schema.columns WHERE table_schema = ${own} AND table_name = '${table}' ORDER BY ordinal_position`,
  );
  return rows.map(serverColumn);
}

/** Indexes of a table by name, the primary key left out. */
export async function describeIndexes(dataSource: DataSource, table: string): Promise<IndexDescription[]> {
  const rows = await rowsOf(dataSource, INDEX_QUERIES[dialectOf(dataSource)].replace('$table', table));
  const indexes = new Map<string, { name: string; columns: string[]; isUnique: boolean }>();
  for (const row of rows) {
    const name = String(row['name']);
    const index = indexes.get(name) ?? { name, columns: [], isUnique: Number(row['is_unique']) === 1 };
    index.columns.push(String(row['column_name']));
    indexes.set(name, index);
  }
  return [...indexes.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const INDEX_QUERIES = {
  sqlite: `SELECT list.name AS name, info.name AS column_name, list."unique" AS is_unique
           FROM pragma_index_list('$table') AS list, pragma_index_info(list.name) AS info
           WHERE list.origin = 'c' ORDER BY list.name, info.seqno`,
  mysql: `SELECT index_name AS name, column_name AS column_name, 1 - non_unique AS is_unique
          FROM information_schema.statistics
          WHERE table_schema = DATABASE() AND table_name = '$table' AND index_name <> 'PRIMARY'
          ORDER BY index_name, seq_in_index`,
  postgres: `SELECT index_class.relname AS name, attribute.attname AS column_name, indexed.indisunique::int AS is_unique
             FROM pg_index AS indexed
             JOIN pg_class AS index_class ON index_class.oid = indexed.indexrelid
             CROSS JOIN LATERAL unnest(indexed.indkey) WITH ORDINALITY AS key(number, place)
             JOIN pg_attribute AS attribute ON attribute.attrelid = indexed.indrelid AND attribute.attnum = key.number
             WHERE indexed.indrelid = '"$table"'::regclass AND NOT indexed.indisprimary
             ORDER BY index_class.relname, key.place`,
} as const;

function sqliteColumn(row: Row): ColumnDescription {
  const [, type = '', length] = /^(.*?)(?:\((\d+)\))?$/.exec(String(row['type'])) ?? [];
  return {
    name: String(row['name']),
    type: type.toLowerCase(),
    length: length === undefined || type === 'tinyint' ? null : Number(length),
    isNullable: Number(row['notnull']) === 0 && Number(row['pk']) === 0,
    default: literalOf(row['dflt_value']),
    collation: null,
  };
}

function serverColumn(row: Row): ColumnDescription {
  return {
    name: String(row['name']),
    type: String(row['type']).toLowerCase(),
    // MySQL reports the size of its long texts as a length.
    length: row['length'] === null || String(row['type']).endsWith('text') ? null : Number(row['length']),
    isNullable: row['nullable'] === 'YES',
    default: literalOf(row['fallback']),
    collation: row['collation'] === null ? null : String(row['collation']),
  };
}

function literalOf(value: unknown): string | null {
  if (value === null || value === undefined || value === 'NULL') return null;
  return String(value)
    .replace(/::[a-z ]+$/, '')
    .replace(/^'(.*)'$/s, '$1');
}

async function rowsOf(dataSource: DataSource, sql: string): Promise<Row[]> {
  const rows: unknown = await dataSource.query(sql);
  return rows as Row[];
}
