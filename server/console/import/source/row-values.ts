import { sentence, SentenceError } from '../../../common/import-sentences/sentence.js';
import { isJsonObject, parseJson } from '../../../common/parse-json.js';
import type { ForeignRow } from '../../../infra/database/foreign-source.js';

/** A value that is not of the kind its column should have; the message names the column. */
export class DamagedValueError extends SentenceError {}

/**
 * The values of one row of a source. The three databases give numbers as numbers or text, flags as 0 and 1 or true and false, JSON as
 * text, bytes or objects, and dates as text or `Date`; PostgreSQL pads texts of fixed length with blanks.
 */
export class RowValues {
  constructor(
    readonly table: string,
    private readonly row: ForeignRow,
  ) {}

  has(column: string): boolean {
    return this.row[column] !== undefined && this.row[column] !== null;
  }

  /** Empty where there is none. */
  text(column: string): string {
    const value = this.row[column];
    if (value === undefined || value === null) return '';
    if (Buffer.isBuffer(value)) return value.toString('utf8');
    if (typeof value === 'object') return JSON.stringify(value);
    return String(value);
  }

  /** A text of a column of fixed length, without the blanks that pad it. */
  fixedText(column: string): string {
    return this.text(column).replace(/ +$/, '');
  }

  /** Fails: DamagedValueError for anything but an integer that is exact. */
  integer(column: string, absent = 0): number {
    const value = this.row[column];
    if (value === undefined || value === null || value === '') return absent;
    const number = typeof value === 'number' ? value : Number(this.text(column));
    if (Number.isInteger(number) && !Number.isSafeInteger(number))
      throw new DamagedValueError(sentence('value_too_large', { column }));
    if (!Number.isSafeInteger(number)) throw new DamagedValueError(sentence('value_no_integer', { column }));
    return number;
  }

  /** The same for sums of rows that cannot be read: 0 where the value is none. */
  readableInteger(column: string): bigint {
    try {
      return BigInt(this.integer(column));
    } catch (error) {
      if (error instanceof DamagedValueError) return 0n;
      throw error;
    }
  }

  /** Fails: DamagedValueError. */
  number(column: string, absent = 0): number {
    const value = this.row[column];
    if (value === undefined || value === null || value === '') return absent;
    const number = Number(this.text(column));
    if (!Number.isFinite(number)) throw new DamagedValueError(sentence('value_no_number', { column }));
    return number;
  }

  flag(column: string): boolean {
    const value = this.row[column];
    return (
      value === true || value === 1 || value === 1n || value === '1' || value === 'true' || value === 't'
    );
  }

  /** Undefined where there is none. Fails: DamagedValueError for text that is no JSON. */
  json(column: string): unknown {
    const value = this.row[column];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value === 'object' && !Buffer.isBuffer(value)) return value;
    const parsed = parseJson(this.text(column));
    if (parsed === undefined) throw new DamagedValueError(sentence('value_no_json', { column }));
    return parsed;
  }

  /** Fails: DamagedValueError. */
  object(column: string): Readonly<Record<string, unknown>> {
    const value = this.json(column);
    if (value === undefined || value === null) return {};
    if (!isJsonObject(value)) throw new DamagedValueError(sentence('value_no_object', { column }));
    return value;
  }

  /** Texts of an array column; null where there is none. */
  texts(column: string): readonly string[] | null {
    const value = this.row[column];
    if (value === undefined || value === null) return null;
    if (!Array.isArray(value)) throw new DamagedValueError(sentence('value_no_list', { column }));
    return value.map(String);
  }

  /** Milliseconds since 1970 of a date; null where there is none. A time without a zone is UTC. Fails: DamagedValueError. */
  moment(column: string): number | null {
    const value = this.row[column];
    if (value === undefined || value === null || value === '') return null;
    if (value instanceof Date) return momentOf(value.getTime(), column);
    const text = this.text(column).trim();
    const withZone = /(?:Z|[+-]\d\d:?\d\d|[+-]\d\d)$/i.test(text.slice(10)) ? text : `${text}Z`;
    return momentOf(Date.parse(withZone.replace(' ', 'T').replace(/(\.\d{3})\d+/, '$1')), column);
  }
}

function momentOf(ms: number, column: string): number {
  if (!Number.isFinite(ms)) throw new DamagedValueError(sentence('value_no_date', { column }));
  return ms;
}
