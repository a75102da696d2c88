import type { Database as SqliteDatabase } from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { openDatabase } from '../../server/infra/database/open-named-database.js';
import type { Clock } from '../../server/common/clock.js';
import { loadAllEntities } from '../support/all-entities.js';

/** Runs one statement on the connection that is about to be used. */
export type OnConnection = (sql: string) => Promise<unknown>;

/** The database of a world. Leases run by the database's clock, which is the world's here. */
export interface WorldDatabase {
  readonly dataSource: DataSource;
  /** Before each statement: what the time is on this connection. */
  readonly tellTime: ((run: OnConnection) => Promise<unknown>) | undefined;
}

/** @param url  an empty database of a server; undefined = SQLite in memory, the fastest */
export async function openWorldDatabase(url: string | undefined, clock: Clock): Promise<WorldDatabase> {
  if (url === undefined) return openSqlite(clock);
  return url.startsWith('mariadb') ? openMariadb(url, clock) : openPostgres(url, clock);
}

async function openSqlite(clock: Clock): Promise<WorldDatabase> {
  const dataSource = await openDatabase('sqlite::memory:', { entities: await loadAllEntities() });
  const { databaseConnection } = dataSource.driver as unknown as { databaseConnection: SqliteDatabase };
  databaseConnection.function('unixepoch', { varargs: true }, () => clock.nowMs() / 1_000);
  return { dataSource, tellTime: undefined };
}

async function openMariadb(url: string, clock: Clock): Promise<WorldDatabase> {
  const dataSource = await openDatabase(url, { entities: await loadAllEntities() });
  return { dataSource, tellTime: (run) => run(`SET timestamp = ${clock.nowMs() / 1_000}`) };
}

/** A schema that is looked through before the catalogue holds another `clock_timestamp`. */
const POSTGRES_CLOCK = [
  'CREATE SCHEMA world',
  `CREATE FUNCTION world.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
     $$ SELECT to_timestamp(current_setting('world.seconds', true)::double precision) $$`,
  `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, world, pg_catalog', current_database()); END $$`,
];

async function openPostgres(url: string, clock: Clock): Promise<WorldDatabase> {
  const entities = await loadAllEntities();
  const first = await openDatabase(url, { entities });
  for (const sql of POSTGRES_CLOCK) await first.query(sql);
  await first.destroy();
  const dataSource = await openDatabase(url, { entities });
  return {
    dataSource,
    tellTime: (run) => run(`SELECT set_config('world.seconds', '${clock.nowMs() / 1_000}', false)`),
  };
}
