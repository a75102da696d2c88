import type { ForeignRow, ForeignSource } from '../../../infra/database/foreign-source.js';
import { RowValues } from '../source/row-values.js';

/** Lines of one transaction. */
export const PAGE_LINES = 500;

/** Lines of a source that come next, with the position after them. */
export interface LogPage {
  readonly rows: readonly ForeignRow[];
  readonly position: number;
  /** Lines that an earlier run may have imported: those that are here are left out. */
  readonly mayBeKnown: boolean;
}

/** Reads the log of a source from a position on, in an order that a further run can go on in. */
export interface LogPages {
  readonly table: string;
  /** Column that names a line in the report. */
  readonly key: string;
  /** Lines that are left. */
  count(): Promise<number>;
  /** Null = none is left. */
  next(): Promise<LogPage | null>;
}

interface Start {
  readonly position: number;
  /** Seconds since 1970; 0 = every line. */
  readonly since: number;
}

/** A line without a time is old, and is read where every line is. */
const SINCE = 'COALESCE("created_at", 0) >= ?';

/** The log of new-api and one-api, by its number. */
export function familyPages(source: ForeignSource, { position, since }: Start): LogPages {
  let after = position;
  return {
    table: 'logs',
    key: 'id',
    count: () =>
      countOf(source, `SELECT COUNT(*) AS "count" FROM "logs" WHERE "id" > ? AND ${SINCE}`, [after, since]),
    next: async () => {
      const rows = await source.query(
        `SELECT * FROM "logs" WHERE "id" > ? AND ${SINCE} ORDER BY "id" LIMIT ${PAGE_LINES}`,
        [after, since],
      );
      if (rows.length === 0) return null;
      after = Number(rows.at(-1)?.['id']);
      return { rows, position: after, mayBeKnown: false };
    },
  };
}

/** LiteLLM writes a line when its call has ended, in portions: one that began earlier may appear later. */
const OVERLAP_MS = 6 * 3_600_000;
const AT = 'startTime';
const KEY = 'request_id';
/** All columns would bring the texts of requests and answers. */
const SPEND_COLUMNS = [
  KEY,
  AT,
  'endTime',
  'completionStartTime',
  'api_key',
  'user',
  'team_id',
  'spend',
  'prompt_tokens',
  'completion_tokens',
  'model',
  'model_id',
  'model_group',
  'metadata',
  'status',
  'end_user',
];

/** The call log of LiteLLM, by the start of the calls in milliseconds. */
export async function spendPages(source: ForeignSource, { position, since }: Start): Promise<LogPages> {
  const table = 'LiteLLM_SpendLogs';
  const known = new Set((await source.tables()).get(table) ?? []);
  const columns = SPEND_COLUMNS.filter((column) => known.has(column))
    .map((column) => `"${column}"`)
    .join(', ');
  const from = Math.max(since * 1_000, position === 0 ? 0 : position - OVERLAP_MS);
  const condition = `("${AT}" > ? OR ("${AT}" = ? AND "${KEY}" > ?))`;
  let last: { readonly at: unknown; readonly key: string } = { at: textOf(from - 1), key: '' };
  return {
    table,
    key: KEY,
    count: () =>
      countOf(source, `SELECT COUNT(*) AS "count" FROM "${table}" WHERE "${AT}" >= ?`, [textOf(from)]),
    next: async () => {
      const rows = await source.query(
        `SELECT ${columns}, CAST("${AT}" AS VARCHAR(40)) AS "exact_start" FROM "${table}" WHERE ${condition} ORDER BY "${AT}", "${KEY}" LIMIT ${PAGE_LINES}`,
        [last.at, last.at, last.key],
      );
      const end = rows.at(-1);
      const start = rows[0];
      if (end === undefined || start === undefined) return null;
      last = { at: end['exact_start'], key: String(end[KEY]) };
      return {
        rows,
        position: Math.max(position, momentOf(end)),
        mayBeKnown: momentOf(start) <= position,
      };
    },
  };
}

const momentOf = (row: ForeignRow): number => new RowValues('LiteLLM_SpendLogs', row).moment(AT) ?? 0;

/** Text of a moment for a column without a zone, which holds UTC. */
const textOf = (ms: number): string =>
  new Date(Math.max(0, ms)).toISOString().replace('T', ' ').replace('Z', '');

async function countOf(source: ForeignSource, sql: string, parameters: readonly unknown[]): Promise<number> {
  const [row] = await source.query(sql, parameters);
  return Number(row?.['count']);
}
