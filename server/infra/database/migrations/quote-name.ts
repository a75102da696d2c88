import type { DatabaseDialect } from '../database-url.js';

/** A name as this database quotes it. Names are ours, never a client's: anything unusual is a fault in the program. */
export function quoteName(dialect: DatabaseDialect, name: string): string {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`not a name for a table, column or index: ${name}`);
  return dialect === 'mysql' ? `\`${name}\`` : `"${name}"`;
}
