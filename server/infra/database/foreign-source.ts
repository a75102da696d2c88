import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  closeSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { EntityManager } from 'typeorm';
import { type Sentence, sentence, SentenceError } from '../../common/import-sentences/sentence.js';
import { openDataSource } from './data-source.js';
import { type DatabaseDialect, DatabaseUrlError, parseDatabaseUrl } from './database-url.js';
import { runInSnapshot } from './run-in-transaction.js';
import { renderSql } from './sql-store.js';

/** A row as its driver gives it. */
export type ForeignRow = Readonly<Record<string, unknown>>;

/** The database of another program, open for reading on one consistent state. */
export interface ForeignSource {
  readonly dialect: DatabaseDialect;
  /** Sentences about the file itself. */
  readonly warnings: readonly Sentence[];
  /** Names of its tables, each with its columns. Fails: with the driver's error. */
  tables(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Names quoted with `"`, parameters as `?`. Fails: with the driver's error. */
  query(sql: string, parameters?: readonly unknown[]): Promise<readonly ForeignRow[]>;
}

/** The source cannot be read; the message says what to do and never holds a password. */
export class ForeignSourceError extends SentenceError {}

const SQLITE_HEADER = 'SQLite format 3\0';
/** Place of the write version in the header of a SQLite file: 2 = write-ahead log. */
const WRITE_VERSION_AT = 18;
const HEADER_BYTES = 100;

/**
 * Opens the database at an address for reading, runs `work` on one consistent state of it, and closes it. Nothing is ever written to
 * it; of a SQLite file with a write-ahead log a copy is read, so that its folder stays as it was.
 * Fails: ForeignSourceError; with the error of `work`.
 */
export async function readForeign<T>(url: string, work: (source: ForeignSource) => Promise<T>): Promise<T> {
  const address = readAddress(url);
  return address.dialect === 'sqlite'
    ? readSqlite(address.path, work)
    : readServer(url, address.dialect, work);
}

function readAddress(url: string): ReturnType<typeof parseDatabaseUrl> {
  try {
    return parseDatabaseUrl(url);
  } catch (error) {
    if (error instanceof DatabaseUrlError)
      throw new ForeignSourceError(sentence('address_wrong', { reason: error.message }), { cause: error });
    throw error;
  }
}

async function readSqlite<T>(path: string, work: (source: ForeignSource) => Promise<T>): Promise<T> {
  const hasLog = usesWriteAheadLog(path);
  const warnings = hasLog && !existsSync(`${path}-wal`) ? [sentence('file_without_log', { path })] : [];
  const copy = hasLog ? copyAside(path) : undefined;
  const database = openReadOnly(copy?.path ?? path, path);
  try {
    database.exec('BEGIN');
    const query: ForeignSource['query'] = async (sql, parameters = []) => {
      // The driver answers at once: without a pause a long reading would stop every call of this process.
      await nextTurn();
      try {
        return database.prepare(sql).all(...parameters) as ForeignRow[];
      } catch (error) {
        throw sqliteFault(error, path);
      }
    };
    return await work({
      dialect: 'sqlite',
      warnings,
      query,
      tables: async () => {
        const found = new Map<string, readonly string[]>();
        for (const { name } of await query(`SELECT name FROM sqlite_master WHERE type = 'table'`)) {
          const columns = await query('SELECT name FROM pragma_table_info(?)', [name]);
          found.set(
            String(name),
            columns.map((column) => String(column['name'])),
          );
        }
        return found;
      },
    });
  } finally {
    database.close();
    if (copy !== undefined) rmSync(copy.folder, { recursive: true, force: true });
  }
}

function usesWriteAheadLog(path: string): boolean {
  const header = Buffer.alloc(HEADER_BYTES);
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const fault =
      code === 'ENOENT'
        ? sentence('file_missing', { path })
        : sentence('file_not_opened', { path, code: code ?? 'unknown' });
    throw new ForeignSourceError(fault, { cause });
  }
  try {
    if (statSync(path).isDirectory()) throw new ForeignSourceError(sentence('file_is_folder', { path }));
    const length = readSync(file, header, 0, HEADER_BYTES, 0);
    if (length < HEADER_BYTES || header.toString('latin1', 0, SQLITE_HEADER.length) !== SQLITE_HEADER)
      throw new ForeignSourceError(sentence('file_not_sqlite', { path }));
  } finally {
    closeSync(file);
  }
  return header[WRITE_VERSION_AT] === 2;
}

function copyAside(path: string): { readonly folder: string; readonly path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-import-'));
  const target = join(folder, 'source.db');
  try {
    copyFileSync(path, target);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${target}-wal`);
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    const { code } = cause as NodeJS.ErrnoException;
    throw new ForeignSourceError(
      sentence('file_not_copied', { path, folder: tmpdir(), code: code ?? 'unknown' }),
      { cause },
    );
  }
  return { folder, path: target };
}

function openReadOnly(path: string, shown: string): Database.Database {
  try {
    const database = new Database(path, { readonly: path === shown, fileMustExist: true });
    database.pragma('trusted_schema = OFF');
    database.prepare('SELECT COUNT(*) FROM sqlite_master').get();
    return database;
  } catch (error) {
    throw sqliteFault(error, shown);
  }
}

function sqliteFault(error: unknown, path: string): unknown {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED')
    return new ForeignSourceError(sentence('file_busy', { path }), { cause: error });
  if (code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB')
    return new ForeignSourceError(sentence('file_damaged', { path }), { cause: error });
  return error;
}

async function readServer<T>(
  url: string,
  dialect: 'mysql' | 'postgres',
  work: (source: ForeignSource) => Promise<T>,
): Promise<T> {
  const dataSource = await openDataSource(url, { entities: [], poolSize: 1 }).catch((error: unknown) => {
    throw openingFault(error);
  });
  let hasBegun = false;
  try {
    return await runInSnapshot(dataSource, async (manager) => {
      hasBegun = true;
      const tables = (): ReturnType<ForeignSource['tables']> => tablesOf(manager, dialect);
      return work({ dialect, warnings: [], query: queryOf(manager, dialect), tables });
    });
  } catch (error) {
    // Once the work has begun, an error may be one of the database it writes to.
    throw hasBegun ? error : serverFault(error);
  } finally {
    await dataSource.destroy();
  }
}

const queryOf =
  (manager: EntityManager, dialect: DatabaseDialect): ForeignSource['query'] =>
  async (sql, parameters = []) => {
    try {
      return (await manager.query(renderSql(dialect, sql), [...parameters])) as ForeignRow[];
    } catch (error) {
      throw serverFault(error);
    }
  };

async function tablesOf(
  manager: EntityManager,
  dialect: 'mysql' | 'postgres',
): Promise<ReadonlyMap<string, readonly string[]>> {
  const place = dialect === 'mysql' ? 'DATABASE()' : 'current_schema()';
  const rows = (await manager.query(
    `SELECT table_name AS table_name, column_name AS column_name FROM information_schema.columns
     WHERE table_schema = ${place} ORDER BY ordinal_position`,
  )) as ForeignRow[];
  const found = new Map<string, string[]>();
  for (const row of rows) {
    const name = String(row['table_name']);
    const columns = found.get(name) ?? [];
    columns.push(String(row['column_name']));
    found.set(name, columns);
  }
  return found;
}

const REFUSED = new Set(['ER_ACCESS_DENIED_ERROR', '28P01', '28000']);
const MISSING = new Set(['ER_BAD_DB_ERROR', '3D000']);
const AWAY = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);
const LOST = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'ECONNRESET',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '25P03',
]);

/** A fault of the first connection; one that is not known may come from a server of another kind. */
function openingFault(error: unknown): ForeignSourceError {
  const fault = serverFault(error);
  if (fault instanceof ForeignSourceError) return fault;
  const text = error instanceof Error ? error.message : String(error);
  return new ForeignSourceError(sentence('server_not_read', { reason: text.slice(0, 160) }), {
    cause: error,
  });
}

function serverFault(error: unknown): unknown {
  if (error instanceof ForeignSourceError) return error;
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const fault = REFUSED.has(code)
    ? sentence('server_refuses')
    : MISSING.has(code)
      ? sentence('server_has_no_database')
      : AWAY.has(code)
        ? sentence('server_away', { code })
        : LOST.has(code)
          ? sentence('server_lost', { code })
          : undefined;
  return fault === undefined ? error : new ForeignSourceError(fault, { cause: error });
}
