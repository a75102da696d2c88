import type { QueryRunner } from 'typeorm';
import { dialectOf } from './dialect-of.js';
import { quoteName } from './migrations/quote-name.js';
import type { Migration } from './migrations/migration.js';

export const STEPS_TABLE = 'schema_migrations';

/** The contents of the database do not fit this program. */
export class IncompatibleSchemaError extends Error {}

/** A step this database has been taken through. */
export interface AppliedStep {
  readonly name: string;
  /** The step a program must know to work on the schema after this one; null = any program can. */
  readonly oldestReader: string | null;
}

/** Steps applied to this database; none when it is empty. Also reads lists from before `oldest_reader` was a column. */
export async function appliedSteps(runner: QueryRunner): Promise<AppliedStep[]> {
  if (!(await runner.hasTable(STEPS_TABLE))) return [];
  const table = quoteName(dialectOf(runner.dataSource), STEPS_TABLE);
  const rows = (await runner.query(`SELECT * FROM ${table}`)) as {
    name: string;
    oldest_reader?: string | null;
  }[];
  return rows.map((row) => ({ name: row.name, oldestReader: row.oldest_reader ?? null }));
}

/**
 * An older program works on a newer schema as long as steps only added to it. A step that removed something names the step a
 * program must know.
 * @param known  every step of this program
 * Fails: IncompatibleSchemaError.
 */
export function checkReadable(applied: readonly AppliedStep[], known: readonly Migration[]): void {
  const names = new Set(known.map(({ name }) => name));
  const blocking = applied.find(
    ({ name, oldestReader }) => !names.has(name) && oldestReader !== null && !names.has(oldestReader),
  );
  if (blocking === undefined) return;
  throw new IncompatibleSchemaError(
    `the schema was brought to ${blocking.name} by a newer version of Tollgate, and this version would misread it. ` +
      'Start the newer version, or restore the backup made before the upgrade.',
  );
}

/**
 * A database without our list of steps must be without our tables: those of another program would be taken for ours where they
 * have the same names, and changed.
 * Fails: IncompatibleSchemaError.
 */
export async function checkOwnTable(runner: QueryRunner, table: 'users' | 'logs'): Promise<void> {
  // The table first: a process that creates the schema meanwhile makes the list of steps before any other table.
  if (!(await runner.hasTable(table)) || (await runner.hasTable(STEPS_TABLE))) return;
  throw new IncompatibleSchemaError(
    `the database has a table ${table} that Tollgate did not make. Give Tollgate an empty database of its own.`,
  );
}
