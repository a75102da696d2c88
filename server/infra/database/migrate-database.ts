import type { DataSource, QueryRunner } from 'typeorm';
import { dialectOf } from './data-source.js';
import { bigint, varchar } from './migrations/column-specs.js';
import { ALL_MIGRATIONS } from './migrations/all-migrations.js';
import type { Migration } from './migrations/migration.js';
import { quoteName } from './migrations/quote-name.js';
import { Schema } from './migrations/schema.js';
import { MigrationLockError, withMigrationLock } from './migration-lock.js';

const TABLE = 'schema_migrations';
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
 * Fails: MigrationLockError; the database's error when a step fails.
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
      await last.down(await Schema.on(runner, dialectOf(dataSource)));
      await record(runner, 'DELETE', last.name);
      return last.name;
    }),
  );
}

/** Names of the steps this database does not have yet. Takes no lock and changes nothing. */
export async function pendingMigrations(
  dataSource: DataSource,
  settings: MigrateSettings = {},
): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    const applied = await appliedNames(runner);
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
  if (!(await runner.hasTable(TABLE))) {
    await schema.createTable({
      name: TABLE,
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
    await record(runner, 'INSERT', migration.name);
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
  if (!(await runner.hasTable(TABLE))) return new Set();
  const table = quoteName(dialectOf(runner.dataSource), TABLE);
  const rows = (await runner.query(`SELECT name FROM ${table}`)) as { name: string }[];
  return new Set(rows.map(({ name }) => name));
}

async function record(runner: QueryRunner, change: 'INSERT' | 'DELETE', name: string): Promise<void> {
  const query = runner.manager.createQueryBuilder();
  const dialect = dialectOf(runner.dataSource);
  if (change === 'INSERT') {
    await query
      .insert()
      .into(TABLE, ['name', 'applied_at_ms'])
      .values({ name, applied_at_ms: Date.now() })
      .execute();
  } else {
    await query
      .delete()
      .from(TABLE)
      .where(`${quoteName(dialect, 'name')} = :name`, { name })
      .execute();
  }
}

function migrationsOf({
  scope = 'main',
  migrations = ALL_MIGRATIONS,
}: MigrateSettings): readonly Migration[] {
  return scope === 'main' ? migrations : migrations.filter(({ appliesTo }) => appliesTo === 'logs');
}
