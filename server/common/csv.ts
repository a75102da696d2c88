/** Matches cells a spreadsheet would evaluate as a formula. */
const FORMULA = /^\s*[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** One cell. Numbers are ours and stay numbers; texts that a spreadsheet would run get an apostrophe in front. */
function toCell(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  const text = FORMULA.test(value) || /^[\t\r]/.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line with its end, as RFC 4180 says. */
export const toCsvLine = (cells: readonly (string | number | boolean)[]): string =>
  `${cells.map(toCell).join(',')}\r\n`;

/** Byte order mark, by which spreadsheets recognize UTF-8. */
export const CSV_START = '\uFEFF';
