const ASSIGNMENT = /^\s*(?:export\s+)?[A-Za-z_][A-Za-z0-9_.-]*\s*=\s*(.*)$/;
const NOTHING = /^\s*(#.*)?$/;
const QUOTES = new Set(['"', "'", '`']);

/**
 * The lines of a file of settings that hold none: its reader (node:util) passes over them in silence.
 * @returns a sentence each, beginning with the number of the line; never what stands there
 */
export function brokenLines(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const faults: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (NOTHING.test(line)) continue;
    const value = ASSIGNMENT.exec(line)?.[1];
    if (value === undefined) {
      faults.push(`line ${index + 1}: is not NAME=value`);
      continue;
    }
    const quote = value[0] ?? '';
    if (!QUOTES.has(quote) || value.includes(quote, 1)) continue;
    // Values in quotes may go on over several lines.
    const end = lines.findIndex((later, at) => at > index && later.includes(quote));
    if (end < 0) faults.push(`line ${index + 1}: its quotation mark is not closed`);
    else index = end;
  }
  return faults;
}
