import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDataSource } from '../../../server/infra/database/data-source.js';
import { migrateDatabase } from '../../../server/infra/database/migrate-database.js';
import { ALL_MIGRATIONS } from '../../../server/infra/database/migrations/all-migrations.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { type ProgramRun, ProgramRuns } from '../../support/program-run.js';
import { testRedisUrl } from '../../support/redis.js';

const SECRETS = { SESSION_SECRET: 's'.repeat(40), CRYPTO_SECRET: 'c'.repeat(40) };
const REDIS_NOWHERE = 'redis://127.0.0.1:1';

let folder: string;
let programs: ProgramRuns;
let databases: TestDatabase[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-bad-'));
  programs = new ProgramRuns();
  databases = [];
});
afterEach(async () => {
  await programs.end();
  rmSync(folder, { recursive: true, force: true });
  for (const database of databases) await database.drop();
});

const start = (variables: Readonly<Record<string, string>>, words: readonly string[] = []): ProgramRun =>
  programs.run({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error', ...variables }, words);

/** Output for the operator: no stack, no log lines. */
async function refusalOf(run: ProgramRun): Promise<string> {
  expect(await run.ended()).toBe(1);
  expect(run.text()).not.toMatch(/\n\s+at |"level":/);
  return run.text();
}

async function emptyDatabase(kind: 'mariadb' | 'postgres'): Promise<string> {
  const database = await createTestDatabase(kind);
  databases.push(database);
  return database.url;
}

describe('a bad configuration is refused with the cause and the remedy', () => {
  it.each([
    [
      'half a cluster address',
      { REDIS_URL: 'redis+cluster://10.0.0.1:7000,', ...SECRETS },
      /REDIS_URL: "" is not a host with a port/,
    ],
    [
      'a node of a cluster without its port',
      { REDIS_URL: 'redis+cluster://10.0.0.1:7000,10.0.0.2', ...SECRETS },
      /REDIS_URL: "10\.0\.0\.2" has no port, though others have/,
    ],
    [
      'a misspelled DATABASE_URL, which would start on SQLite',
      { DATABSE_URL: 'mysql://u:hidden@10.0.0.1/tollgate' },
      /^The environment has a fault:\n {2}DATABSE_URL: is not read; if DATABASE_URL is meant, call it that/,
    ],
    [
      'a sentinel address without the master',
      { REDIS_URL: 'redis+sentinel://10.0.0.1:26379', ...SECRETS },
      /REDIS_URL: .*of a sentinel needs the name of the master/,
    ],
    [
      'several instances without a shared secret',
      { REDIS_URL: REDIS_NOWHERE, CRYPTO_SECRET: SECRETS.CRYPTO_SECRET },
      /SESSION_SECRET: is required when REDIS_URL is set \(all instances must share it\)/,
    ],
    [
      'several workers without a shared store',
      { WORKERS: '2' },
      /WORKERS: several processes need a shared store, set REDIS_URL/,
    ],
    ['a secret that is too short', { SESSION_SECRET: 'short' }, /SESSION_SECRET: must have at least 32/],
    [
      'half of the first root account',
      { INITIAL_ROOT_USERNAME: 'root' },
      /INITIAL_ROOT_USERNAME: goes together/,
    ],
    ['a file of settings that is not there', { ENV_FILE: '/no/such/file' }, /ENV_FILE: .*cannot be read/],
    ['a number that is none', { WORKERS: 'many' }, /WORKERS: /],
  ])('%s', async (_name, variables, sentence) => {
    expect(await refusalOf(start(variables))).toMatch(sentence);
  });

  it('a DATA_DIR that another instance works in, until that one is gone', async () => {
    const first = start({});
    await first.until(/Tollgate is ready/);
    expect(await refusalOf(start({}))).toBe(
      `Tollgate could not start. DATA_DIR: ${folder} is in use by another instance (process ${first.child.pid} on ` +
        `${hostname()}). Stop that one first, or give this one a folder of its own.\n`,
    );
    first.child.kill('SIGKILL');
    await first.ended();
    await start({}).until(/Tollgate is ready/);
  });

  it('a DATA_DIR that is a file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(await refusalOf(start({ DATA_DIR: file }))).toMatch(/DATA_DIR: .*something that is not a folder/);
  });

  it('a schema of another program, and one that a newer version took something away from', async () => {
    const url = await emptyDatabase('postgres');
    const dataSource = await openDataSource(url, { entities: [] });
    await dataSource.query('CREATE TABLE users (id integer)');
    expect(await refusalOf(start({ DATABASE_URL: url, ...SECRETS }))).toBe(
      'Tollgate could not start. DATABASE_URL: the database has a table users that Tollgate did not make. ' +
        'Give Tollgate an empty database of its own.\n',
    );
    await dataSource.query('DROP TABLE users');
    const newer = {
      name: '1999999999999-drop-the-past',
      appliesTo: 'main' as const,
      oldestReader: '1999999999999-drop-the-past',
      up: async () => undefined,
      down: async () => undefined,
    };
    await migrateDatabase(dataSource, { migrations: [...ALL_MIGRATIONS, newer] });
    await dataSource.destroy();
    expect(await refusalOf(start({ DATABASE_URL: url, ...SECRETS }))).toMatch(
      /DATABASE_URL: the schema was brought to 1999999999999-drop-the-past by a newer version of Tollgate, .* Start the newer version/,
    );
  });

  it.each([
    ['ahead of', 300_000],
    ['behind', -300_000],
  ])('a clock that is five minutes %s the database’s', async (words, shiftMs) => {
    const shift = join(folder, 'shift.mjs');
    writeFileSync(shift, `const now = Date.now; Date.now = () => now() + (${shiftMs});\n`);
    const url = await emptyDatabase('mariadb');
    const text = await refusalOf(start({ DATABASE_URL: url, ...SECRETS }, ['--import', shift]));
    expect(text).toMatch(
      new RegExp(`The clock of this machine is (299|300|301) s ${words} the database's\\. .*NTP`),
    );
  });
});

describe('a Redis that is not the one to work with', () => {
  const onRedis = (name: string, url: string, redisUrl: string | undefined): ProgramRun => {
    const own = join(folder, name);
    mkdirSync(own);
    return start({
      DATABASE_URL: url,
      WORKERS: '1',
      DATA_DIR: own,
      DRAIN_DELAY_SECONDS: '0',
      ...SECRETS,
      ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    });
  };

  it('another kind of Redis than its address names, and a password it does not know', async () => {
    const url = await emptyDatabase('postgres');
    const place = testRedisUrl().replace(/^redis:\/\/|\/\d+$/g, '');
    expect(await refusalOf(onRedis('cluster', url, `redis+cluster://${place}`))).toBe(
      `Tollgate could not start. REDIS_URL: at ${place} is a single Redis, not a node of a Cluster: write redis://.\n`,
    );
    const text = await refusalOf(onRedis('password', url, `redis://somebody:hidden@${place}`));
    expect(text).toMatch(/REDIS_URL: Redis at .* does not accept the name and password of the address/);
    expect(text).not.toContain('hidden');
  });

  it('a database it does not have, one of another installation, and another one than the neighbours have', async () => {
    const [url, otherUrl] = [await emptyDatabase('mariadb'), await emptyDatabase('postgres')];
    const redis = testRedisUrl();
    expect(await refusalOf(onRedis('number', url, redis.replace(/\d+$/, '999999')))).toMatch(
      /^Tollgate could not start\. REDIS_URL: .*its database 999999 cannot be selected \(ERR .*range\)/,
    );
    await onRedis('first', url, redis).until(/Tollgate is ready/);
    expect(await refusalOf(onRedis('stranger', otherUrl, redis))).toMatch(
      /^Tollgate could not start\. REDIS_URL: .*it belongs to another installation .*FLUSHDB/,
    );
    const elsewhere = [onRedis('elsewhere', url, testRedisUrl()), onRedis('without', url, undefined)];
    for (const run of elsewhere) {
      expect(await refusalOf(run)).toMatch(
        /^Tollgate could not start\. REDIS_URL: .* the same database.*: both would spend the same quota/,
      );
    }
    await onRedis('second', url, redis).until(/Tollgate is ready/);
    await programs.end();
  }, 240_000);
});

describe('secrets that differ between instances on one database', () => {
  const instance = (name: string, url: string, redisUrl: string, secrets: Record<string, string>) => {
    const own = join(folder, name);
    mkdirSync(own);
    return start({
      DATABASE_URL: url,
      REDIS_URL: redisUrl,
      WORKERS: '1',
      DATA_DIR: own,
      DRAIN_DELAY_SECONDS: '0',
      ...secrets,
    });
  };

  it('CRYPTO_SECRET never, SESSION_SECRET not while another one runs; afterwards it may be changed', async () => {
    const url = await emptyDatabase('mariadb');
    const redis = testRedisUrl();
    const other = { ...SECRETS, SESSION_SECRET: 't'.repeat(40) };
    const first = instance('first', url, redis, SECRETS);
    await first.until(/Tollgate is ready/);
    expect(
      await refusalOf(instance('second', url, redis, { ...SECRETS, CRYPTO_SECRET: 'd'.repeat(40) })),
    ).toMatch(/CRYPTO_SECRET is not the one this database was set up with/);
    expect(await refusalOf(instance('third', url, redis, other))).toMatch(
      new RegExp(
        `^Tollgate could not start\\. SESSION_SECRET is not the one of the instance that runs on ${hostname()} `,
      ),
    );
    await instance('fourth', url, redis, SECRETS).until(/Tollgate is ready/);
    await programs.end();
  }, 240_000);

  it('accepts another SESSION_SECRET when no other instance runs', async () => {
    const url = await emptyDatabase('mariadb');
    const redis = testRedisUrl();
    const first = instance('first', url, redis, SECRETS);
    await first.until(/Tollgate is ready/);
    first.child.kill('SIGTERM');
    expect(await first.ended()).toBe(0);
    await instance('second', url, redis, { ...SECRETS, SESSION_SECRET: 't'.repeat(40) }).until(
      /Tollgate is ready/,
    );
  }, 240_000);
});
