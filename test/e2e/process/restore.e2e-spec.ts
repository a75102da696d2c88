import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, createReadStream, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDataSource } from '../../../server/infra/database/data-source.js';
import { parseDatabaseUrl } from '../../../server/infra/database/database-url.js';
import { COMPILE_CACHE } from '../../support/compile-cache.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../support/database.js';
import { FakeUpstream } from '../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../support/gateway-console.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { RelayClient } from '../../support/relay-client.js';

const DIST = join(import.meta.dirname, '../../../dist/server');
const SECRETS = { SESSION_SECRET: 's'.repeat(40), CRYPTO_SECRET: 'c'.repeat(40) };

let database: TestDatabase;
let folder: string;
let upstream: FakeUpstream;
let gateway: GatewayProcess | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-restore-'));
  upstream = await FakeUpstream.start();
});
afterEach(async () => {
  await gateway?.kill();
  await upstream.close();
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

interface Outcome {
  readonly code: number | null;
  readonly text: string;
}

async function runCommand(
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  inputFile?: string,
): Promise<Outcome> {
  const child = spawn(program, words, {
    env: { PATH: process.env['PATH'], ...COMPILE_CACHE, ...env },
    stdio: 'pipe',
  });
  if (inputFile === undefined) child.stdin.end();
  else createReadStream(inputFile).pipe(child.stdin);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (text += String(bytes)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text };
}

const productCommand = (name: string, ...words: string[]): Promise<Outcome> =>
  runCommand(process.execPath, [join(DIST, `${name}.js`), ...words], {
    DATABASE_URL: database.url,
    DATA_DIR: join(folder, 'data'),
    ...SECRETS,
  });

/** Same steps as docs/operating/backup-and-restore.md describes: the database is emptied and the backup put into it. */
async function putBack(backup: string): Promise<void> {
  const address = parseDatabaseUrl(database.url);
  if (address.dialect === 'sqlite') {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${address.path}${suffix}`, { force: true });
    copyFileSync(join(backup, 'tollgate.db'), address.path);
    return;
  }
  const dataSource = await openDataSource(database.url, { entities: [] });
  await dataSource.dropDatabase();
  await dataSource.destroy();
  const { host, port, username, database: name } = address;
  const file = join(backup, 'tollgate.sql');
  const { code, text } =
    address.dialect === 'mysql'
      ? await runCommand(
          'mariadb',
          [`--host=${host}`, '--protocol=TCP', `--port=${port}`, `--user=${username}`, name],
          {},
          file,
        )
      : await runCommand(
          'psql',
          ['-v', 'ON_ERROR_STOP=1', '-q', '-h', host, '-p', String(port), '-U', username, '-d', name],
          {},
          file,
        );
  if (code !== 0) throw new Error(text);
}

describe.each(DATABASE_KINDS)('a backup put back on %s [F-71]', (kind) => {
  beforeEach(async () => {
    database = await createTestDatabase(kind);
  });

  const start = () =>
    GatewayProcess.start({ databaseUrl: database.url, dataDir: join(folder, 'data'), env: SECRETS });

  it('every charge after it is booked from the spool, once; logins end; the books are right', async () => {
    gateway = await start();
    const admin = new GatewayConsole(gateway.url);
    await admin.setUp();
    await admin.setOptions(FX_PRICES(['fx-quick']));
    await admin.addChannel({ base_url: upstream.url, models: ['fx-quick'] });
    const { key } = await admin.addToken();
    const call = async (times: number): Promise<void> => {
      const client = new RelayClient(gateway?.url ?? '', key);
      for (let done = 0; done < times; done += 1) expect((await client.chat('fx-quick')).status).toBe(200);
      client.close();
    };
    const booked = () => admin.send<{ used_quota: number; request_count: number }>('GET', '/api/user/self');
    await call(3);

    const backup = join(folder, 'backup');
    const saved = await productCommand('backup', backup);
    expect(saved).toMatchObject({ code: 0 });
    expect(saved.text).toContain('CRYPTO_SECRET and SESSION_SECRET are not in it');
    expect(readdirSync(backup).toSorted()).toEqual([
      'backup.json',
      kind === 'sqlite' ? 'tollgate.db' : 'tollgate.sql',
    ]);
    expect((await productCommand('backup', backup)).text).toContain('is not empty');

    await call(4);
    const { used_quota: usedBefore } = await admin.waitFor(
      booked,
      ({ request_count: count }) => count === 7,
      30_000,
    );
    // Booked or not: the spool is what knows of the last ones.
    await call(2);
    await gateway.kill();
    await putBack(backup);

    const finished = await productCommand('restore-finish');
    expect(finished).toEqual({
      code: 0,
      text: expect.stringMatching(/Replaying \d+ segment\(s\)[^]*books are right/),
    });
    expect(finished.text).toMatch(/[1-9]\d* login\(s\) ended/);
    expect(existsSync(join(folder, 'data/instance.lock'))).toBe(false);
    // Done again it changes nothing.
    expect(await productCommand('restore-finish')).toMatchObject({ code: 0 });

    gateway = await start();
    const again = new GatewayConsole(gateway.url);
    await again.signIn();
    const { used_quota: used } = await again.send<{ used_quota: number }>('GET', '/api/user/self');
    expect(used).toBe((usedBefore / 7) * 9);
    const logs = await again.send<{ items: unknown[]; total: number }>(
      'GET',
      '/api/log/?p=0&page_size=50&type=2',
    );
    expect(JSON.stringify(logs).match(/"model_name":"fx-quick"/g)).toHaveLength(9);
    expect(await gateway.checkMoney()).toMatchObject({ exitCode: 0 });
    expect(await gateway.stop()).toBe(0);
  }, 240_000);
});
