import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { createTestFolder, sharedServerUrl } from './servers.ts';

/** Every database the product runs on. Tests about storage run once per kind: `describe.each(DATABASE_KINDS)`. */
export const DATABASE_KINDS = ['sqlite', 'mariadb', 'postgres'] as const;
export type DatabaseKind = (typeof DATABASE_KINDS)[number];

export interface TestDatabase {
  /** As DATABASE_URL takes it. The database is empty: no tables. */
  readonly url: string;
  drop(): Promise<void>;
}

/** An empty database of its own; the caller drops it after closing its connections. */
export async function createTestDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  return kind === 'sqlite' ? createSqliteFile() : createDatabaseOn(kind, await sharedServerUrl(kind));
}

/** The same on a server of the caller's own. */
export async function createDatabaseOn(kind: 'mariadb' | 'postgres', server: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const execute = kind === 'mariadb' ? executeOnMariadb : executeOnPostgres;
  await execute(server, `CREATE DATABASE ${name}`);
  const drop = kind === 'mariadb' ? `DROP DATABASE ${name}` : `DROP DATABASE ${name} WITH (FORCE)`;
  return { url: `${server}/${name}`, drop: () => execute(server, drop) };
}

function createSqliteFile(): TestDatabase {
  const folder = createTestFolder('sqlite');
  return {
    url: `sqlite:${join(folder, 'test.db')}`,
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function executeOnMariadb(server: string, sql: string): Promise<void> {
  const connection = await createConnection(server.replace('mariadb:', 'mysql:'));
  await connection.query(sql);
  await connection.end();
}

async function executeOnPostgres(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  await client.query(sql);
  await client.end();
}
