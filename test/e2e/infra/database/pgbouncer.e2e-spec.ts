import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { openDataSource } from '../../../../server/infra/database/data-source.js';
import { openPostgresPool } from '../../../../server/infra/database/postgres-connections.js';
import { parseDatabaseUrl, type ServerAddress } from '../../../../server/infra/database/database-url.js';
import { withMigrationLock } from '../../../../server/infra/database/migration-lock.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { freePort } from '../../../support/free-port.mjs';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { getProgram, installMissing } from '../../../support/programs.js';
import { RelayClient } from '../../../support/relay-client.js';

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

/** PgBouncer as providers run it: sessions change hands after every transaction, and unknown start-up parameters are refused. */
async function startBouncer(server: URL, mode: string): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-pgbouncer-'));
  await chmod(folder, 0o755);
  const port = await freePort();
  const user = decodeURIComponent(server.username);
  await writeFile(join(folder, 'users'), `"${user}" "${decodeURIComponent(server.password)}"\n`);
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
auth_file = ${folder}/users
pool_mode = ${mode}
default_pool_size = ${mode === 'session' ? 60 : 3}
max_client_conn = 200
`.replace(
      '[databases]\n* = ',
      `[databases]\n* = user=${user} ${server.password === '' ? '' : `password=${decodeURIComponent(server.password)} `}`,
    ),
  );
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  const child: ChildProcess = spawn(getProgram('pgbouncer'), [join(folder, 'pgbouncer.ini')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {}),
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => (said += bytes.toString()));
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${said}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    url: `postgres://${user}:x@127.0.0.1:${port}${server.pathname}`,
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      child.kill('SIGINT');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const LIMITS = {
  statement_timeout: '5s',
  lock_timeout: '3s',
  idle_in_transaction_session_timeout: '10s',
  TimeZone: 'UTC',
};

type Ask = (sql: string) => Promise<readonly Record<string, string>[]>;

async function limitsIn(ask: Ask): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of Object.keys(LIMITS))
    found[name] = Object.values((await ask(`SHOW ${name}`))[0] ?? {})[0] ?? '';
  return found;
}

describe.each(['none', 'transaction', 'session'] as const)(
  'PostgreSQL behind a PgBouncer of mode %s',
  (mode) => {
    let database: TestDatabase;
    let bouncer: Awaited<ReturnType<typeof startBouncer>> | undefined;
    let url: string;
    const sources: DataSource[] = [];

    beforeAll(async () => {
      installMissing(['pgbouncer'], () => undefined);
      database = await createTestDatabase('postgres');
      bouncer = mode === 'none' ? undefined : await startBouncer(new URL(database.url), mode);
      url = bouncer?.url ?? database.url;
    });
    afterAll(async () => {
      for (const source of sources) await source.destroy();
      await bouncer?.stop();
      await database?.drop();
    });

    async function open(settings: Parameters<typeof openDataSource>[1] = {}): Promise<DataSource> {
      const source = await openDataSource(url, { entities: [], ...settings });
      sources.push(source);
      return source;
    }

    it('keeps every limit in every transaction, however many share the sessions', async () => {
      const source = await open();
      const seen = await Promise.all(
        Array.from({ length: 8 }, () =>
          source.transaction((manager) => limitsIn((sql) => manager.query(sql))),
        ),
      );
      for (const limits of seen) expect(limits).toEqual(LIMITS);
      const slow = source.transaction(async (manager) => {
        await manager.query("SET LOCAL statement_timeout = '20ms'");
        await manager.query('SELECT pg_sleep(30)');
      });
      await expect(slow).rejects.toMatchObject({ code: '57014' });
    });

    it('keeps them for threads that write by themselves', async () => {
      const faults: Error[] = [];
      const pool = openPostgresPool(parseDatabaseUrl(url) as ServerAddress, 1, (error) => faults.push(error));
      const client = await pool.connect();
      await client.query('START TRANSACTION');
      expect(
        await limitsIn(async (sql) => (await client.query(sql)).rows as Record<string, string>[]),
      ).toEqual(LIMITS);
      await client.query('COMMIT');
      client.release();
      await pool.end();
      expect(faults).toEqual([]);
    });

    it('leaves nothing behind in sessions others get', async () => {
      const source = await open();
      await source.transaction((manager) => manager.query('SELECT 1'));
      const stranger = new pg.Client({ connectionString: url });
      await stranger.connect();
      const { rows } = await stranger.query<{ statement_timeout: string }>('SHOW statement_timeout');
      expect(rows).toEqual([{ statement_timeout: '0' }]);
      await stranger.end();
    });

    it('lets one process migrate at a time, without a deadline for its statements', async () => {
      const [first, second] = await Promise.all([open(), open()]);
      const within: string[] = [];
      await withMigrationLock(first, 1_000, async (runner) => {
        await runner.startTransaction();
        within.push(
          Object.values(
            ((await runner.query('SHOW statement_timeout')) as Record<string, string>[])[0] ?? {},
          )[0] ?? '',
        );
        await runner.commitTransaction();
        await expect(withMigrationLock(second, 0, async () => undefined)).rejects.toThrow(/another process/);
      });
      expect(within).toEqual(['0']);
      await withMigrationLock(second, 1_000, async (runner) => {
        expect(runner.isReleased).toBe(false);
      });
      const after = await first.transaction((manager) => limitsIn((sql) => manager.query(sql)));
      expect(after).toEqual(LIMITS);
    });

    it('serves and books calls', async () => {
      const own = await createTestDatabase('postgres');
      const throughBouncer =
        bouncer === undefined ? own.url : `${url.replace(/\/[^/]*$/, '')}${new URL(own.url).pathname}`;
      const upstream = await FakeUpstream.start();
      const gateway = await GatewayProcess.start({ databaseUrl: throughBouncer });
      const root = new GatewayConsole(gateway.url);
      await root.setUp();
      await root.setOptions(FX_PRICES(['fx-quick']));
      await root.addChannel({ base_url: upstream.url, models: ['fx-quick'] });
      const client = new RelayClient(gateway.url, (await root.addToken()).key);
      const answers = await Promise.all(Array.from({ length: 20 }, () => client.chat('fx-quick')));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      client.close();
      expect(await gateway.stop()).toBe(0);
      const reader = new pg.Client({ connectionString: own.url });
      await reader.connect();
      const { rows } = await reader.query<{ count: string }>('SELECT COUNT(*) AS count FROM settlements');
      expect(Number(rows[0]?.count)).toBe(20);
      await reader.end();
      await upstream.close();
      await own.drop();
    });
  },
);
