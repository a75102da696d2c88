import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { getProgram, installMissing } from '../../support/programs.js';
import { freePort } from '../../support/free-port.mjs';
import { postgresAccount, spawnTied, type Account, type Command } from '../../support/real-servers.js';

export type SqlKind = 'mariadb' | 'postgres';

const START_MS = 60_000;

/** A database server of the rig's own, with the settings of production: every commit is on disk before it is reported. */
export class SqlServer {
  private child: ChildProcess | undefined;

  private constructor(
    readonly kind: SqlKind,
    readonly port: number,
    /** Null = an external server, which is not ours to stop. */
    private readonly command: Command | null,
    private readonly ready: RegExp,
  ) {}

  /** A server that runs already, for scenarios that leave it alone. */
  static at(url: string): SqlServer {
    const { protocol, port } = new URL(url);
    return new SqlServer(protocol === 'postgres:' ? 'postgres' : 'mariadb', Number(port), null, /$/);
  }

  static async start(kind: SqlKind, folder: string): Promise<SqlServer> {
    const server = kind === 'mariadb' ? await prepareMariadb(folder) : await preparePostgres(folder);
    const made = new SqlServer(kind, server.port, server.command, server.ready);
    await made.launch();
    return made;
  }

  /** Address for DATABASE_URL, through any port that leads here. */
  url(database: string, port = this.port): string {
    return this.kind === 'mariadb'
      ? `mariadb://root@127.0.0.1:${port}/${database}`
      : `postgres://app@127.0.0.1:${port}/${database}`;
  }

  async execute(sql: string): Promise<void> {
    if (this.kind === 'mariadb') {
      const connection = await createConnection(`mysql://root@127.0.0.1:${this.port}`);
      await connection.query(sql);
      await connection.end();
    } else {
      const client = new pg.Client({ connectionString: `postgres://app@127.0.0.1:${this.port}/postgres` });
      await client.connect();
      await client.query(sql);
      await client.end();
    }
  }

  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  resume(): void {
    this.child?.kill('SIGCONT');
  }

  /** @param signal  SIGTERM: an orderly stop; SIGKILL: a machine that lost its power */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    // PostgreSQL waits for its clients on SIGTERM; SIGINT is its orderly stop that does not.
    child.kill(signal === 'SIGTERM' && this.kind === 'postgres' ? 'SIGINT' : signal);
    await gone;
  }

  /** On the same data and port, after `stop`. */
  async launch(): Promise<void> {
    if (this.command === null) throw new Error('this database server is not ours to start and stop');
    const child = spawnTied(this.command);
    this.child = child;
    let said = '';
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${this.kind} did not start:\n${said}`)), START_MS);
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (bytes: Buffer) => {
          said = (said + bytes.toString()).slice(-8_000);
          if (!this.ready.test(said)) return;
          clearTimeout(timer);
          resolve();
        });
      }
      child.once('exit', () => {
        clearTimeout(timer);
        reject(new Error(`${this.kind} ended:\n${said}`));
      });
    });
  }
}

interface Prepared {
  readonly port: number;
  readonly command: Command;
  readonly ready: RegExp;
}

async function prepareMariadb(folder: string): Promise<Prepared> {
  installMissing(['mariadbd', 'mariadb-install-db'], () => undefined);
  const port = await freePort();
  const data = join(folder, 'mariadb');
  const account = userInfo().username;
  run(getProgram('mariadb-install-db'), [
    '--no-defaults',
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    `--user=${account}`,
    `--datadir=${data}`,
  ]);
  const words = [
    '--no-defaults',
    `--user=${account}`,
    `--datadir=${data}`,
    `--socket=${join(folder, 'mariadb.sock')}`,
    `--pid-file=${join(folder, 'mariadb.pid')}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    '--skip-log-bin',
    '--max-connections=400',
    '--innodb-buffer-pool-size=128M',
    '--innodb-flush-log-at-trx-commit=1',
    '--innodb-lock-wait-timeout=3',
    '--performance-schema=OFF',
  ];
  const command = { program: getProgram('mariadbd'), words, account: null };
  return { port, command, ready: /ready for connections/ };
}

async function preparePostgres(folder: string): Promise<Prepared> {
  installMissing(['postgres', 'initdb'], () => undefined);
  const port = await freePort();
  const data = join(folder, 'postgres');
  const account = postgresAccount();
  mkdirSync(data, { mode: 0o700 });
  if (account !== null) {
    // It has to pass through the folder of the run.
    chmodSync(folder, 0o711);
    chownSync(data, account.uid, account.gid);
  }
  const words = ['--username=app', '--auth=trust', '--encoding=UTF8', '--no-locale', `--pgdata=${data}`];
  run(getProgram('initdb'), words, account);
  return {
    port,
    command: {
      program: getProgram('postgres'),
      words: [
        '-D',
        data,
        '-k',
        data,
        '-p',
        String(port),
        '-h',
        '127.0.0.1',
        '-c',
        'max_connections=400',
        '-c',
        'deadlock_timeout=200ms',
      ],
      account,
    },
    ready: /ready to accept connections/,
  };
}

function run(program: string, words: readonly string[], account: Account | null = null): void {
  const identity = account === null ? {} : { uid: account.uid, gid: account.gid };
  const result = spawnSync(program, words, { encoding: 'utf8', ...identity });
  if (result.status !== 0) throw new Error(`${program} ended with ${result.status}:\n${result.stderr}`);
}
