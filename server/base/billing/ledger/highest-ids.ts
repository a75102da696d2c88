import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { dialectOf } from '../../../infra/database/data-source.js';
import { read, toInteger } from './money-sql.js';
import type { BookingRecord } from '../records/spool-documents.js';

const FILE = 'highest-ids.json';

/** Highest ids given to accounts and to tokens. */
export interface HighestIds {
  readonly users: number;
  readonly tokens: number;
}

const TABLES = ['users', 'tokens'] as const;

/**
 * Remembers outside the database the highest ids it has given, so that a database restored from a backup gives none of them again:
 * otherwise records of a deleted account (a spool, a log in a database of its own, an operator's notes) would point at another one.
 */
export class HighestIdFile {
  constructor(
    private readonly dataSource: DataSource,
    /** Every instance keeps what it has seen in its own folder. */
    private readonly dataDir: string,
  ) {}

  /** Records the ids the database has given so far. */
  async note(): Promise<void> {
    const seen = higher(this.kept(), await highestIds(this.dataSource));
    this.keep(seen);
  }

  /** Advances the database's sequences past every id known to have been given. */
  async advanceSequences(also: HighestIds = { users: 0, tokens: 0 }): Promise<void> {
    const given = higher(this.kept(), also);
    const present = await highestIds(this.dataSource);
    for (const table of TABLES)
      if (given[table] > present[table]) await advanceSequence(this.dataSource, table, given[table]);
    this.keep(higher(given, present));
  }

  private kept(): HighestIds {
    try {
      const kept = JSON.parse(readFileSync(join(this.dataDir, FILE), 'utf8')) as Partial<HighestIds>;
      return { users: toInteger(kept.users), tokens: toInteger(kept.tokens) };
    } catch (error) {
      // None yet, or half of one after a power cut: the spools know the numbers that matter for money.
      if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT')
        return { users: 0, tokens: 0 };
      throw error;
    }
  }

  private keep(numbers: HighestIds): void {
    const { users, tokens } = this.kept();
    if (numbers.users <= users && numbers.tokens <= tokens) return;
    const path = join(this.dataDir, FILE);
    // Workers of an instance share it: each writes a whole file, and what one of them overwrites is noted again.
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(numbers), { mode: 0o600 });
    renameSync(draft, path);
  }
}

/** Ids named by records of calls. */
export function highestIdsIn(records: readonly BookingRecord[]): HighestIds {
  let given: HighestIds = { users: 0, tokens: 0 };
  for (const { document } of records)
    given = higher(given, { users: document.user_id, tokens: document.token_id ?? 0 });
  return given;
}

/** Ids named by logs in a database of their own. */
export async function highestIdsInLogs(logDataSource: DataSource): Promise<HighestIds> {
  const [row] = await read(
    logDataSource,
    `SELECT MAX("user_id") AS "users", MAX("token_id") AS "tokens" FROM "logs"`,
  );
  return { users: toInteger(row?.['users']), tokens: toInteger(row?.['tokens']) };
}

const higher = (a: HighestIds, b: HighestIds): HighestIds => ({
  users: Math.max(a.users, b.users),
  tokens: Math.max(a.tokens, b.tokens),
});

async function highestIds(dataSource: DataSource): Promise<HighestIds> {
  const [row] = await read(
    dataSource,
    `SELECT (SELECT MAX("id") FROM "users") AS "users", (SELECT MAX("id") FROM "tokens") AS "tokens"`,
  );
  return { users: toInteger(row?.['users']), tokens: toInteger(row?.['tokens']) };
}

/** Advances the counter of a table past `number`. Ids are 32 bits: a greater one is made up. */
async function advanceSequence(
  dataSource: DataSource,
  table: (typeof TABLES)[number],
  number: number,
): Promise<void> {
  if (number >= 2 ** 31 - 1) return;
  const dialect = dialectOf(dataSource);
  if (dialect === 'mysql') {
    await dataSource.query(`ALTER TABLE \`${table}\` AUTO_INCREMENT = ${toInteger(number) + 1}`);
  } else if (dialect === 'postgres') {
    await dataSource.query(
      `SELECT setval(s.name::regclass, $1) FROM (SELECT pg_get_serial_sequence('${table}', 'id') AS name) s
         WHERE $1 > COALESCE(pg_sequence_last_value(s.name::regclass), 0)`,
      [number],
    );
  } else {
    await dataSource.query(
      `INSERT INTO sqlite_sequence (name, seq) SELECT '${table}', 0
         WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = '${table}')`,
    );
    await dataSource.query(`UPDATE sqlite_sequence SET seq = ? WHERE name = '${table}' AND seq < ?`, [
      number,
      number,
    ]);
  }
}
