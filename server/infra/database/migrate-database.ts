import type { DataSource, QueryRunner } from 'typeorm';
import { appliedSteps, checkOwnTable, checkReadable, STEPS_TABLE } from './applied-steps.js';
import { dialectOf } from './data-source.js';
import { bigint, varchar } from './migrations/column-specs.js';
import { ALL_MIGRATIONS } from './migrations/all-migrations.js';
import type { Migration } from './migrations/migration.js';
import { quoteName } from './migrations/quote-name.js';
import { Schema } from './migrations/schema.js';
import { MigrationLockError, withMigrationLock } from './migration-lock.js';

const LOCK_WAIT_MS = 60_000;

export interface MigrateSettings {
  /** `logs`: a database that holds the call logs only. */
  readonly scope?: 'main' | 'logs';
  readonly migrations?: readonly Migration[];
  readonly lockWaitMs?: number;
}

/**
 * Brings the schema up to date: one process at a time, each step recorded, on SQLite and PostgreSQL all or nothing.
 * When another process holds the lock too long but the schema has everything we need by then, that is good enough.
 * @returns names of the steps applied now
 * Fails: IncompatibleSchemaError; MigrationLockError; the database's error when a step fails.
 */
export async function migrateDatabase(
  dataSource: DataSource,
  settings: MigrateSettings = {},
): Promise<string[]> {
  if ((await pendingMigrations(dataSource, settings)).length === 0) return [];
  try {
    return await withMigrationLock(dataSource, settings.lockWaitMs ?? LOCK_WAIT_MS, (runner) =>
      inMigrationTransaction(runner, () => applyPending(dataSource, runner, settings)),
    );
  } catch (error) {
    if (!(error instanceof MigrationLockError)) throw error;
    if ((await pendingMigrations(dataSource, settings)).length > 0) throw error;
    return [];
  }
}

/**
 * Takes back the newest step.
 * @returns its name, null when there is none
 * Fails: Error when a newer version made it, which alone knows the way back.
 */
export async function revertLastMigration(
  dataSource: DataSource,
  settings: MigrateSettings = {},
): Promise<string | null> {
  return withMigrationLock(dataSource, settings.lockWaitMs ?? LOCK_WAIT_MS, (runner) =>
    inMigrationTransaction(runner, async () => {
      const applied = await appliedNames(runner);
      const last = migrationsOf(settings).findLast(({ name }) => applied.has(name));
      if (last === undefined) return null;
      const newer = [...applied].filter((name) => name > last.name && !isKnown(name, settings));
      if (newer.length > 0)
        throw new Error(
          `the newest step, ${newer[0]}, was made by a newer version: take it back with that one`,
        );
      await last.down(await Schema.on(runner, dialectOf(dataSource)));
      await forget(runner, last.name);
      return last.name;
    }),
  );
}

const isKnown = (step: string, { migrations = ALL_MIGRATIONS }: MigrateSettings): boolean =>
  migrations.some(({ name }) => name === step);

/** Names of the steps this database does not have yet. Takes no lock and changes nothing. Fails: IncompatibleSchemaError. */
export async function pendingMigrations(
  dataSource: DataSource,
  settings: MigrateSettings = {},
): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await checkOwnTable(runner, settings.scope === 'logs' ? 'logs' : 'users');
    const steps = await appliedSteps(runner);
    checkReadable(steps, settings.migrations ?? ALL_MIGRATIONS);
    const applied = new Set(steps.map(({ name }) => name));
    return migrationsOf(settings)
      .map(({ name }) => name)
      .filter((name) => !applied.has(name));
  } finally {
    await runner.release();
  }
}

async function applyPending(
  dataSource: DataSource,
  runner: QueryRunner,
  settings: MigrateSettings,
): Promise<string[]> {
  const schema = await Schema.on(runner, dialectOf(dataSource));
  if (!(await runner.hasTable(STEPS_TABLE))) {
    await schema.createTable({
      name: STEPS_TABLE,
      columns: [varchar('name', 191, {}), bigint('applied_at_ms')],
      primaryKey: ['name'],
    });
  }
  // Read again under the lock: another process may have been faster.
  const applied = await appliedNames(runner);
  const done: string[] = [];
  for (const migration of migrationsOf(settings)) {
    if (applied.has(migration.name)) continue;
    await migration.up(schema);
    await record(runner, migration);
    done.push(migration.name);
  }
  return done;
}

/** MySQL commits every schema statement at once; the others roll the whole run back when a step fails. */
async function inMigrationTransaction<T>(runner: QueryRunner, work: () => Promise<T>): Promise<T> {
  await runner.startTransaction();
  try {
    const result = await work();
    await runner.commitTransaction();
    return result;
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

async function appliedNames(runner: QueryRunner): Promise<ReadonlySet<string>> {
  return new Set((await appliedSteps(runner)).map(({ name }) => name));
}

/** Steps that only add do not name readers, so that the list can be written before it has the column. */
async function record(runner: QueryRunner, { name, oldestReader }: Migration): Promise<void> {
  const note = oldestReader === undefined ? {} : { oldest_reader: oldestReader };
  const row = { name, applied_at_ms: Date.now(), ...note };
  await runner.manager
    .createQueryBuilder()
    .insert()
    .into(STEPS_TABLE, Object.keys(row))
    .values(row)
    .execute();
}

async function forget(runner: QueryRunner, name: string): Promise<void> {
  await runner.manager
    .createQueryBuilder()
    .delete()
    .from(STEPS_TABLE)
    .where(`${quoteName(dialectOf(runner.dataSource), 'name')} = :name`, { name })
    .execute();
}

function migrationsOf({
  scope = 'main',
  migrations = ALL_MIGRATIONS,
}: MigrateSettings): readonly Migration[] {
  return scope === 'main' ? migrations : migrations.filter(({ appliesTo }) => appliesTo === 'logs');
}
