import { createRequire } from 'node:module';

type Driver = typeof import('mysql2');

/** Whoever writes rows for MySQL has loaded it to connect; who uses another database does without. */
let driver: Driver | undefined;
const escape = (text: string): string =>
  (driver ??= createRequire(import.meta.url)('mysql2') as Driver).escape(text);

/** Text that means itself between two quotes, as nearly all of it does. */
const PLAIN = /^[\x20-\x26\x28-\x5b\x5d-\x7e]*$/;

/**
 * Rows as they stand behind `VALUES`. The driver looks for the place of each parameter through the whole statement; with a hundred rows
 * of seventeen columns that takes longer than everything else about them.
 * Fails: throws RangeError for what is no integer, text, truth value or null.
 */
export function writeRows(rows: readonly (readonly unknown[])[]): string {
  let text = '';
  for (const row of rows) {
    let before = text === '' ? '(' : ', (';
    for (const value of row) {
      text += before + literalOf(value);
      before = ', ';
    }
    text += ')';
  }
  return text;
}

function literalOf(value: unknown): string {
  if (typeof value === 'string') return PLAIN.test(value) ? `'${value}'` : escape(value);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  throw new RangeError('a value that cannot be written down');
}
