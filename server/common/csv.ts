/** Characters before which a spreadsheet skips: blanks, and characters that draw nothing. */
const BLANK = String.raw`[\s\p{Cc}\p{Default_Ignorable_Code_Point}]`;
/** Begins a formula; the full-width and small forms count, which some spreadsheets read as the plain ones. */
const OPERATOR = String.raw`[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B]`;
/** Separates cells for a reader that was set to another separator than the comma. */
const SEPARATOR = String.raw`[;|\uFF1B\uFF5C\uFE54]`;
/** Matches cells a spreadsheet would evaluate as a formula. */
const FORMULA = new RegExp(`^(?:[\\t\\r]|${BLANK}*(?:${OPERATOR}|${SEPARATOR}))`, 'u');
/** Matches the end of a cell, for a reader with another separator, before a formula. Quotes inside a cell do not stop that reader. */
const INNER_FORMULA = new RegExp(`([;|\\t\\r\\n]${BLANK}*"?${BLANK}*)(?=${OPERATOR})`, 'gu');
const NEEDS_QUOTES = /[",\r\n]/;

/** One cell. Numbers are ours and stay numbers; texts that a spreadsheet would run get an apostrophe in front. */
function toCell(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  const inert = value.replaceAll(INNER_FORMULA, "$1'");
  const text = FORMULA.test(value) ? `'${inert}` : inert;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line with its end, by RFC 4180. */
export const toCsvLine = (cells: readonly (string | number | boolean)[]): string =>
  `${cells.map(toCell).join(',')}\r\n`;

/** Byte order mark, by which spreadsheets recognize UTF-8. */
export const CSV_START = '\uFEFF';
