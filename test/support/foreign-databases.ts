import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { createTestDatabase } from './database.ts';

/** A database of another gateway, filled from a sample. */
export interface ForeignDatabase {
  /** Address for `npm run import`. */
  readonly url: string;
  /** Path of a SQLite file; empty for a server. */
  readonly path: string;
  drop(): Promise<void>;
}

/** @param file  `*.sqlite.gz`, `*.mysql.sql.gz` or `*.postgres.sql.gz` */
export async function loadSample(file: string): Promise<ForeignDatabase> {
  const content = gunzipSync(readFileSync(file));
  if (file.endsWith('.sqlite.gz')) return loadFile(content);
  const kind = file.includes('.mysql.') ? 'mariadb' : 'postgres';
  const database = await createTestDatabase(kind);
  if (kind === 'mariadb') await runOnMariadb(database.url, content.toString('utf8'));
  else await runOnPostgres(database.url, content.toString('utf8'));
  return { ...database, path: '' };
}

function loadFile(content: Buffer): ForeignDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-foreign-'));
  const path = join(folder, 'one-api.db');
  writeFileSync(path, content);
  return {
    url: `sqlite:${path}`,
    path,
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function runOnMariadb(url: string, sql: string): Promise<void> {
  const connection = await createConnection({
    uri: url.replace('mariadb:', 'mysql:'),
    multipleStatements: true,
  });
  await connection.query(sql);
  await connection.end();
}

const ROWS_PER_INSERT = 100;

/** The client has no COPY: its rows become INSERTs. */
async function runOnPostgres(url: string, dump: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const lines = dump.split('\n').filter((line) => !/^\\(un)?restrict /.test(line));
  let statements: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const copy = /^COPY (\S+) \((.*)\) FROM stdin;$/.exec(lines[at] ?? '');
    if (copy === null) {
      statements.push(lines[at] ?? '');
      continue;
    }
    await client.query(statements.join('\n'));
    statements = [];
    const rows: (string | null)[][] = [];
    for (at += 1; lines[at] !== '\\.'; at += 1) rows.push((lines[at] ?? '').split('\t').map(unescapeCopy));
    for (let from = 0; from < rows.length; from += ROWS_PER_INSERT)
      await insert(client, copy[1] ?? '', copy[2] ?? '', rows.slice(from, from + ROWS_PER_INSERT));
  }
  await client.query(statements.join('\n'));
  await client.end();
}

async function insert(
  client: pg.Client,
  table: string,
  columns: string,
  rows: readonly (readonly (string | null)[])[],
): Promise<void> {
  const literal = (value: string | null): string =>
    value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`;
  const values = rows.map((row) => `(${row.map(literal).join(', ')})`).join(', ');
  await client.query(`INSERT INTO ${table} (${columns}) VALUES ${values}`);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };

function unescapeCopy(text: string): string | null {
  if (text === '\\N') return null;
  return text.replaceAll(/\\(.)/g, (_, mark: string) => ESCAPES[mark] ?? mark);
}
