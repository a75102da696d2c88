import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { programPath } from '../../config/env-file.js';
import { copySqlite } from '../../infra/database/copy-sqlite.js';
import { parseDatabaseUrl, type ServerAddress } from '../../infra/database/database-url.js';

/** A database could not be written out; the message says what to do. */
class BackupError extends Error {}

/** A program of the database's own that writes it out, and what it is given. */
export interface DumpCommand {
  /** Tried in this order: the first that is installed. */
  readonly programs: readonly string[];
  readonly args: readonly string[];
  /** Environment that holds the password: arguments are visible to every user of the machine. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Writes one consistent state of a database into a file, while the server runs.
 * @param name  of the file, without its ending
 * @returns path of the file
 * Fails: BackupError; the driver's error.
 */
export async function dumpDatabase(url: string, folder: string, name: string): Promise<string> {
  const address = parseDatabaseUrl(url);
  if (address.dialect === 'sqlite') {
    const file = join(folder, `${name}.db`);
    if (!(await copySqlite(address.path, file)))
      throw new BackupError(`the copy of ${address.path} is damaged`);
    return file;
  }
  const file = join(folder, `${name}.sql`);
  await runDump(dumpCommand(address, file));
  return file;
}

/** One snapshot without locks: a repeatable read on both kinds of servers. */
function dumpCommand(address: ServerAddress, file: string): DumpCommand {
  const { dialect, host, port, socket, username, password, database, sslMode, sslRootCert } = address;
  if (dialect === 'postgres') {
    return {
      programs: ['pg_dump'],
      args: ['--no-password', '--no-owner', '--no-privileges', '--file', file, '--dbname', database],
      env: {
        PGHOST: host,
        PGPORT: String(port),
        PGUSER: username,
        PGPASSWORD: password,
        PGSSLMODE: sslMode,
        ...(sslRootCert === undefined ? {} : { PGSSLROOTCERT: sslRootCert }),
      },
    };
  }
  return {
    programs: ['mariadb-dump', 'mysqldump'],
    args: [
      '--single-transaction',
      '--quick',
      '--hex-blob',
      '--no-tablespaces',
      '--skip-lock-tables',
      ...(sslMode === 'disable' || sslMode === 'prefer' ? [] : ['--ssl']),
      ...(sslRootCert === undefined ? [] : [`--ssl-ca=${sslRootCert}`]),
      ...(socket === undefined
        ? [`--host=${host}`, '--protocol=TCP', `--port=${port}`]
        : [`--socket=${socket}`, '--protocol=SOCKET']),
      `--user=${username}`,
      `--result-file=${file}`,
      database,
    ],
    env: { MYSQL_PWD: password },
  };
}

async function runDump({ programs, args, env }: DumpCommand): Promise<void> {
  for (const program of programs) {
    const child = spawn(program, args, {
      env: { PATH: programPath(), ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (bytes: Buffer) => (said = (said + bytes.toString()).slice(-2_000)));
    try {
      const [code] = (await once(child, 'close')) as [number | null];
      if (code === 0) return;
      throw new BackupError(`${program} ended with ${code}: ${said.trim()}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new BackupError(
    `${programs.join(' or ')} is not installed here: install the client programs of the database`,
  );
}
