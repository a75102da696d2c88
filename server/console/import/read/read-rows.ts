import { sentence } from '../../../common/import-sentences/sentence.js';
import type { ForeignSource } from '../../../infra/database/foreign-source.js';
import { DamagedValueError, RowValues } from '../source/row-values.js';
import type { SourceNote } from '../source/records.js';

const PAGE_ROWS = 1_000;

/**
 * Reads a table page by page in the order of its key and turns each row into a record. A row that cannot be read becomes a note and
 * leaves the others alone.
 * @param toRecord  null = the row is left out; the function reports why
 */
export async function readRows<T>(
  source: ForeignSource,
  {
    table,
    key,
    notes,
    onDamaged,
  }: {
    readonly table: string;
    readonly key: string;
    readonly notes: SourceNote[];
    /** Called with a row that cannot be read. */
    readonly onDamaged?: (row: RowValues) => void;
  },
  toRecord: (row: RowValues) => T | null,
): Promise<T[]> {
  const records: T[] = [];
  let after: unknown;
  for (;;) {
    const where = after === undefined ? '' : `WHERE "${key}" > ?`;
    const rows = await source.query(
      `SELECT * FROM "${table}" ${where} ORDER BY "${key}" LIMIT ${PAGE_ROWS}`,
      after === undefined ? [] : [after],
    );
    for (const row of rows) {
      const values = new RowValues(table, row);
      try {
        const record = toRecord(values);
        if (record !== null) records.push(record);
      } catch (error) {
        if (!(error instanceof DamagedValueError)) throw error;
        onDamaged?.(values);
        notes.push({
          kind: 'damaged',
          table,
          id: values.text(key),
          sentence: sentence('row_left_out', { fault: error.sentence }),
        });
      }
    }
    after = rows.at(-1)?.[key];
    if (rows.length < PAGE_ROWS || after === undefined || after === null) return records;
  }
}

/** Largest value that is kept to the unit; rows beyond it are damaged, and no part of a sum. */
const LARGEST = Number.MAX_SAFE_INTEGER;

/** A sum over a column of the source, exact. */
export async function sumOf(
  source: ForeignSource,
  table: string,
  column: string,
  where = '1 = 1',
): Promise<bigint> {
  const [row] = await source.query(
    `SELECT CAST(COALESCE(SUM(CASE WHEN "${column}" BETWEEN -${LARGEST} AND ${LARGEST} THEN "${column}" END), 0) AS ${source.dialect === 'mysql' ? 'CHAR' : 'VARCHAR(64)'}) AS "total" FROM "${table}" WHERE ${where}`,
  );
  // A sum of fractions on SQLite is text such as 12.0.
  return BigInt(String(row?.['total'] ?? '0').replace(/\.0*$/, ''));
}
