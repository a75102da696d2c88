const CONTROL = /\p{Cc}/gu;
const BREAKS = /[\t-\r\u0085\u2028\u2029]+/gu;
const CONTROL_BUT_LINES = /[^\P{Cc}\n\t]/gu;

/** One line of text as it is stored: NFC, line breaks and tabs one blank, no other control characters, no blanks around it. */
export const cleanLine = (text: string): string =>
  text.normalize('NFC').replace(BREAKS, ' ').replace(CONTROL, '').trim();

/** Text of several lines: as cleanLine, but line breaks and tabs stay, line ends become LF. */
export const cleanText = (text: string): string =>
  text.normalize('NFC').replace(/\r\n?/g, '\n').replace(CONTROL_BUT_LINES, '').trim();

/** Finds candidates only: halves of a pair stand in whole characters, too. */
const UNSTORABLE = /[\0\ud800-\udfff]/;

/**
 * Text in the form that every database takes: PostgreSQL rejects NUL, and drivers replace half characters.
 * @param nul  what takes the place of a NUL
 */
export const storableText = (text: string, nul = ''): string =>
  UNSTORABLE.test(text) ? text.replaceAll('\0', nul).toWellFormed() : text;

/** Characters as people count them (code points). */
export const lengthOf = (text: string): number => Array.from(text).length;

/** Elements of a comma or line list, full-width commas as well: cleaned, without empty ones and duplicates, in order. */
export function splitList(text: string): string[] {
  const elements = text.split(/[,，\n\r]/).map(cleanLine);
  return [...new Set(elements.filter((element) => element !== ''))];
}

/** A literal inside a LIKE pattern with `ESCAPE '!'`. */
export const escapeLike = (text: string): string => text.replace(/[!%_]/g, '!$&');
