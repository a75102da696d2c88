import { formatSeconds } from '../../shared/format/timestamp';
import { dollarsOfQuota, exactMoney } from '../../shared/format/money';
import type { QuotaSettings } from '../../shared/format/quota';
import type { AttemptUse } from './use.api';
import type { UseTable } from './use-sums';

/** A text that a spreadsheet would run stays a text. */
const FORMULA = /^[=+\-@\t\r]/;

const cellOf = (text: string): string => {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const START = '\uFEFF';
const documentOf = (rows: readonly (readonly (string | number)[])[]): string =>
  `${START}${rows.map((cells) => cells.map((cell) => cellOf(String(cell))).join(',')).join('\r\n')}\r\n`;

/** Sums by name as CSV with a byte order mark, money in dollars, largest first, the total last. */
export function csvOfUse(
  table: UseTable,
  heads: readonly [name: string, money: string, calls: string, tokens: string, total: string],
  settings: QuotaSettings,
): string {
  const [name, money, calls, tokens, total] = heads;
  const row = (label: string, { quota, count, token_used: used }: UseTable['total']) => [
    label,
    exactMoney(dollarsOfQuota(quota, settings)).replaceAll(/[$,]/g, ''),
    count,
    used,
  ];
  return documentOf([
    [name, money, calls, tokens],
    ...table.lines.map((line) => row(line.name, line)),
    row(total, table.total),
  ]);
}

/** Columns of figures of attempts, in the order of tables and files. */
export const ATTEMPT_COLUMNS = [
  'attempts',
  'failures',
  'first_token_p50_ms',
  'first_token_p95_ms',
  'duration_p50_ms',
  'duration_p95_ms',
] as const;

/** Attempts by model or channel as CSV, times in milliseconds, empty where none was measured. */
export const csvOfAttempts = (lines: AttemptUse['lines'], head: string): string =>
  documentOf([
    [head, ...ATTEMPT_COLUMNS],
    ...lines.map((line) => [line.name, ...ATTEMPT_COLUMNS.map((column) => line[column] ?? '')]),
  ]);

/** Name of a file with the first and the last day of its span in the shown zone. @param span  seconds, its end excluded */
export function fileNameOf(
  content: string,
  { start, end }: { readonly start: number; readonly end: number },
  type: 'csv' | 'png',
): string {
  const days = new Set([start, Math.max(start, end - 1)].map((moment) => formatSeconds(moment).slice(0, 10)));
  return `${[content, ...days].join('_')}.${type}`;
}
