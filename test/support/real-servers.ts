/**
 * Throwaway MariaDB, PostgreSQL and Redis on free loopback ports in one temporary folder, each started when first asked for.
 * Settings follow production where a test could notice (lock wait, character set left at the server's default), and skip protection
 * of data that is thrown away anyway (flushing to disk). Built-in modules and erasable types only.
 */
import { type ChildProcess, type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { setPriority, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { getProgram, installMissing, type Program } from './programs.ts';
import { freePort } from './free-port.mjs';

export type ServerKind = 'mariadb' | 'postgres' | 'redis';

const PROGRAMS: Readonly<Record<ServerKind, readonly Program[]>> = {
  mariadb: ['mariadbd', 'mariadb-install-db'],
  postgres: ['postgres', 'initdb'],
  redis: ['redis-server'],
};

const START_DEADLINE_MS = 60_000;

/** Numbered databases of the shared Redis: one per caller. */
export const REDIS_DATABASES = 1_000;

const FOLDER_PREFIX = 'tollgate-test-';

export class ServerStartError extends Error {}

/** Commands to Redis have a quarter of a second, which is soon over behind the dozen programs of a test run. */
function prefer(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, -10);
  } catch {
    // Not every account may.
  }
}

export class RealServers {
  readonly folder: string;
  readonly #running: ChildProcess[] = [];
  readonly #urls = new Map<ServerKind, Promise<string>>();
  readonly #say: (line: string) => void;

  constructor(say: (line: string) => void = () => undefined) {
    this.#say = say;
    removeAbandonedFolders();
    this.folder = mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
    // PostgreSQL runs as another account and has to pass through this folder.
    chmodSync(this.folder, 0o711);
  }

  /** Address of the server, started on the first call. mariadb and postgres: an administrator's url without a database. */
  url(kind: ServerKind): Promise<string> {
    const known = this.#urls.get(kind);
    if (known !== undefined) return known;
    const starting = this.#start(kind);
    this.#urls.set(kind, starting);
    return starting;
  }

  /** A Redis of its own for a test that pauses, kills or flushes it. */
  async startRedis(port?: number): Promise<{ url: string; process: ChildProcess; port: number }> {
    installMissing(PROGRAMS.redis, this.#say);
    const chosen = port ?? (await freePort());
    const folder = join(this.folder, `redis-${chosen}`);
    mkdirSync(folder, { recursive: true });
    const command = { program: getProgram('redis-server'), words: redisWords(chosen, folder), account: null };
    const child = await this.#launch(command, /Ready to accept connections/);
    prefer(child.pid);
    return { url: `redis://127.0.0.1:${chosen}`, process: child, port: chosen };
  }

  /** Ends what was started and removes the folder. Synchronous, so that it also works while the process is exiting. */
  stopNow(): void {
    for (const child of this.#running.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      // PostgreSQL's own children hold the pipes a moment longer; waiting for them is unnecessary.
      child.stdout?.destroy();
      child.stderr?.destroy();
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }

  async #start(kind: ServerKind): Promise<string> {
    installMissing(PROGRAMS[kind], this.#say);
    if (kind === 'redis') return (await this.startRedis()).url;
    return kind === 'mariadb' ? this.#startMariadb() : this.#startPostgres();
  }

  async #startMariadb(): Promise<string> {
    const port = await freePort();
    const data = join(this.folder, 'mariadb');
    const account = userInfo().username;
    const initialise = [
      '--no-defaults',
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      `--user=${account}`,
      `--datadir=${data}`,
    ];
    await run({ program: getProgram('mariadb-install-db'), words: initialise, account: null });
    // Its own: a server that starts deletes the temporary tables of others in a folder they share.
    const temporary = join(this.folder, 'mariadb-tmp');
    mkdirSync(temporary, { recursive: true });
    const words = [
      '--no-defaults',
      `--user=${account}`,
      `--datadir=${data}`,
      `--tmpdir=${temporary}`,
      `--socket=${join(this.folder, 'mariadb.sock')}`,
      `--pid-file=${join(this.folder, 'mariadb.pid')}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      '--skip-log-bin',
      '--performance-schema=OFF',
      '--max-connections=400',
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-buffer-pool-size=128M',
      '--innodb-lock-wait-timeout=3',
    ];
    await this.#launch({ program: getProgram('mariadbd'), words, account: null }, /ready for connections/);
    return `mariadb://root@127.0.0.1:${port}`;
  }

  async #startPostgres(): Promise<string> {
    const port = await freePort();
    const data = join(this.folder, 'postgres');
    mkdirSync(data, { mode: 0o700 });
    const account = postgresAccount();
    if (account !== null) chownSync(data, account.uid, account.gid);
    const initialise = [
      '--username=app',
      '--auth=trust',
      '--encoding=UTF8',
      '--no-locale',
      '--no-sync',
      `--pgdata=${data}`,
    ];
    await run(asAccount({ program: getProgram('initdb'), words: initialise, account }));
    const words = [
      '-D',
      data,
      '-k',
      data,
      '-p',
      String(port),
      '-h',
      '127.0.0.1',
      '-c',
      'fsync=off',
      '-c',
      'max_connections=400',
      '-c',
      'deadlock_timeout=200ms',
    ];
    await this.#launch({ program: getProgram('postgres'), words, account }, /ready to accept connections/);
    return `postgres://app@127.0.0.1:${port}`;
  }

  /**
   * Starts a server and waits for the line it prints when it is ready.
   * Linux ends it even when we are killed outright; elsewhere the exit hooks of our owner have to do.
   */
  #launch(command: Command, ready: RegExp): Promise<ChildProcess> {
    const child = spawnTied(command);
    this.#running.push(child);
    let said = '';
    return new Promise((resolve, reject) => {
      const fail = (what: string): void =>
        reject(new ServerStartError(`${command.program} ${what}. It said:\n${said}`));
      const timer = setTimeout(() => fail(`was not ready after ${START_DEADLINE_MS} ms`), START_DEADLINE_MS);
      const settle = (action: () => void): void => {
        clearTimeout(timer);
        action();
      };
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          said = (said + chunk.toString('utf8')).slice(-8_000);
          if (ready.test(said)) settle(() => resolve(child));
        });
      }
      child.once('error', (error) => settle(() => reject(error)));
      child.once('exit', (code, signal) => settle(() => fail(`ended with ${code ?? signal} while starting`)));
    });
  }
}

export function redisWords(port: number, folder: string): string[] {
  return [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder,
    '--databases',
    String(REDIS_DATABASES),
    '--enable-debug-command',
    'local',
  ];
}

/** A killed run could not clean up: the folder's name holds its process id. */
function removeAbandonedFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = new RegExp(`^${FOLDER_PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner !== undefined && !isRunning(Number(owner)))
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

/** True when a process exists, whatever its owner. */
export function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // Another user's process is running as well, though we may not signal it.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root: then its own account runs it. Null = the account we are. */
export function postgresAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const row = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'postgres');
  if (row === undefined)
    throw new ServerStartError('PostgreSQL does not run as root, and there is no account named postgres.');
  return { uid: Number(row[2]), gid: Number(row[3]) };
}

export interface Command {
  readonly program: string;
  readonly words: readonly string[];
  /** Null = the account we are. */
  readonly account: Account | null;
}

function asAccount(command: Command): Command {
  if (command.account === null) return command;
  return {
    program: requireSetpriv(),
    words: [...identity(command.account), command.program, ...command.words],
    account: null,
  };
}

/** Starts a program that Linux ends together with us, however we end. Its outputs must be read. */
export function spawnTied(command: Command): ChildProcessByStdio<null, Readable, Readable> {
  const { program, words } = withDeathSignal(command);
  return spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Identity and death signal go in one call: the kernel forgets the signal when the identity changes afterwards. */
function withDeathSignal(command: Command): Command {
  const wrapper = findSetpriv();
  if (wrapper === null) return asAccount(command);
  const who = command.account === null ? [] : identity(command.account);
  return {
    program: wrapper,
    words: ['--pdeathsig', 'KILL', ...who, command.program, ...command.words],
    account: null,
  };
}

function identity(account: Account): string[] {
  return [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
}

function requireSetpriv(): string {
  const wrapper = findSetpriv();
  if (wrapper !== null) return wrapper;
  throw new ServerStartError(
    'Running PostgreSQL from root needs setpriv (package util-linux); or run the tests as another account.',
  );
}

function findSetpriv(): string | null {
  if (process.platform !== 'linux') return null;
  return spawnSync('setpriv', ['--version'], { stdio: 'ignore' }).status === 0 ? 'setpriv' : null;
}

function run({ program, words }: Command): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString('utf8')).slice(-4_000);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new ServerStartError(`${program} ended with ${code}. Its last words:\n${said}`));
    });
  });
}
