import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseDatabaseUrl } from '../../../../server/infra/database/database-url.js';
import { runInTransaction } from '../../../../server/infra/database/run-in-transaction.js';
import { acceptHistory } from '../../../../server/infra/rollback-detection/accept-history.js';
import { RollbackWatch } from '../../../../server/infra/rollback-detection/rollback-watch.js';
import { DegradedModes } from '../../../../server/infra/observability/degraded-modes.js';
import { SharedStore } from '../../../../server/infra/shared-store/shared-store.js';
import { AlertEvaluator } from '../../../../server/console/operations/alerts/alert-evaluator.js';
import { WorkerReporter } from '../../../../server/console/operations/fleet/worker-reporter.js';
import { UuidIds } from '../../../../server/infra/ids/uuid-ids.js';
import { SettlementEntity } from '../../../../server/base/billing/ledger/settlement.entity.js';
import { AuditLog } from '../../../../server/base/audit/audit-log.js';
import { ApiClient } from '../../../support/api-client.ts';
import {
  ROOT_ACCOUNT,
  setUpRoot,
  signUp,
  startTestApp,
  type TestApp,
} from '../../../support/build-test-app.ts';
import { COMPILE_CACHE } from '../../../support/compile-cache.ts';
import {
  createTestDatabase,
  DATABASE_KINDS,
  type DatabaseKind,
  type TestDatabase,
} from '../../../support/database.ts';
import { copyDatabase } from '../../../support/database-copy.ts';
import { startRedis, type TestRedis } from '../../../support/redis.ts';
import { ShiftedClock } from '../../../support/shifted-clock.ts';

const DIST = join(import.meta.dirname, '../../../../dist/server');
const PASSWORD = 'password-of-a-test';

/** One instance with a clock of the test's own and a folder that outlives it. */
interface Instance {
  readonly app: TestApp;
  readonly modes: DegradedModes;
  /** Checks as often as it takes to believe a loss, with time passing in between. */
  look(times?: number): Promise<void>;
}

let database: TestDatabase;
let redis: TestRedis | undefined;
let folders: string[];
let running: TestApp[];

beforeEach(() => {
  folders = [];
  running = [];
});
afterEach(async () => {
  for (const app of running) await app.close();
  await redis?.stop();
  redis = undefined;
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-history-'));
  folders.push(folder);
  return folder;
}

async function start(dataDir = newFolder()): Promise<Instance> {
  const clock = new ShiftedClock();
  const app = await startTestApp({
    clock,
    env: {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
    },
  });
  running.push(app);
  const watch = app.app.get(RollbackWatch, { strict: false });
  return {
    app,
    modes: app.app.get(DegradedModes, { strict: false }),
    look: async (times = 3) => {
      for (let look = 0; look < times; look += 1) {
        await watch.look();
        clock.advance(2_600);
      }
    },
  };
}

/** Runs a command of the built program. Fails: throws with its output when it does not end well. */
const command = (name: string, dataDir: string): string =>
  execFileSync(process.execPath, [join(DIST, `${name}.js`)], {
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      ...COMPILE_CACHE,
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      SESSION_SECRET: 's'.repeat(32),
      CRYPTO_SECRET: 'c'.repeat(32),
    },
  });

async function stop({ app }: Instance): Promise<void> {
  running.splice(running.indexOf(app), 1);
  await app.close();
}

const aSettlement = (requestId: string): SettlementEntity => ({
  requestId,
  userId: 1,
  tokenId: null,
  tokenLimited: 0,
  channelId: 0,
  model: 'm',
  usage: '{}',
  evidence: 'none',
  charged: 0,
  writeoff: 0,
  outcome: 'ok',
  priceSnapshot: '{}',
  createdAtMs: 1,
});

const isBehind = ({ modes }: Instance): boolean => modes.has('database-behind');

const CALLS = {
  'OpenAI chat': ['/v1/chat/completions', /"error":\{"message":"The database of this gateway is older/],
  'OpenAI responses': ['/v1/responses', /"error":\{"message":"The database of this gateway is older/],
  Anthropic: [
    '/v1/messages',
    /"type":"error","error":\{[^}]*"message":"The database of this gateway is older/,
  ],
  Gemini: [
    '/v1beta/models/gemini-x:generateContent',
    /"error":\{"code":503,"message":"The database of this gateway is older/,
  ],
  embeddings: ['/v1/embeddings', /The database of this gateway is older/],
  pictures: ['/v1/images/generations', /The database of this gateway is older/],
  drawings: ['/mj/submit/imagine', /The database of this gateway is older/],
  songs: ['/suno/submit/music', /The database of this gateway is older/],
} as const;

async function call(app: TestApp, path: string): Promise<{ readonly status: number; readonly text: string }> {
  const reply = await fetch(app.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer sk-0',
      'x-api-key': 'sk-0',
      'x-goog-api-key': 'sk-0',
    },
    body: JSON.stringify({ model: 'm', max_tokens: 1, messages: [], contents: [], input: 'x' }),
  });
  return { status: reply.status, text: await reply.text() };
}

const readyz = async ({ app }: Instance): Promise<{ readonly status: number; readonly body: unknown }> => {
  const reply = await fetch(`${app.url}/readyz`);
  return { status: reply.status, body: await reply.json() };
};

/** Each database, and each store with a database of several instances: a file has one process, whatever the store. */
const PLACES: readonly { readonly kind: DatabaseKind; readonly store: string }[] = [
  { kind: 'sqlite', store: 'without Redis' },
  { kind: 'mariadb', store: 'with Redis' },
  { kind: 'postgres', store: 'without Redis' },
  { kind: 'postgres', store: 'with Redis' },
];

describe.each(PLACES)('a database put back under running instances: $kind, $store', ({ kind, store }) => {
  let instances: Instance[];
  let root: ApiClient;
  let user: ApiClient;

  beforeEach(async () => {
    database = await createTestDatabase(kind);
    redis = store === 'with Redis' ? await startRedis() : undefined;
    // A file has one process.
    instances = [await start(), ...(kind === 'sqlite' ? [] : [await start()])];
    root = await setUpRoot(first().app);
    user = await signUp(root, { username: 'alice', password: PASSWORD });
  });

  const first = (): Instance => {
    const [instance] = instances;
    if (instance === undefined) throw new Error('nothing runs');
    return instance;
  };
  const everywhere = (act: (instance: Instance) => Promise<unknown>): Promise<unknown> =>
    Promise.all(instances.map(act));
  /** Writes rows that only grow after the copy was made, seen by all instances. */
  async function loseABan(): Promise<void> {
    const copy = await copyDatabase(database.url);
    await root.expectSuccess('POST', '/api/user/manage', { id: user.userId, action: 'disable' });
    await everywhere(({ look }) => look(1));
    await copy.putBack();
  }

  it('stops every instance; refuses calls and sign-ins in the form of each API until root accepts', async () => {
    await loseABan();
    await everywhere(({ look }) => look());
    expect(instances.map(isBehind)).toEqual(instances.map(() => true));

    for (const instance of instances) {
      expect(await readyz(instance)).toEqual({
        status: 503,
        body: { status: 'unavailable', reasons: ['database-behind'] },
      });
      for (const [path, words] of Object.values(CALLS)) {
        const { status, text } = await call(instance.app, path);
        expect({ path, status }).toEqual({ path, status: 503 });
        expect(text).toMatch(words);
      }
      const guest = new ApiClient(instance.app.url);
      const { username, password } = ROOT_ACCOUNT;
      for (const [path, body] of [
        ['/api/user/login', { username: 'alice', password: PASSWORD }],
        ['/api/user/login', { username, password }],
        ['/api/user/login/2fa', { code: '123456' }],
        ['/api/user/register', { username: 'bob', password: PASSWORD }],
        ['/api/user/epay/notify', {}],
      ] as const) {
        const { status, body: answer } = await guest.post(path, body);
        expect({ path, status, code: answer.code }).toEqual({ path, status: 503, code: 'database_behind' });
      }
    }
    for (const person of [user, root])
      expect((await person.post('/pg/chat/completions', { model: 'm', messages: [] })).status).toBe(503);
    expect((await user.post('/api/user/topup', { key: 'k'.repeat(32) })).body.code).toBe('database_behind');
    expect((await user.get('/api/user/self')).status).toBe(200);

    const { app } = first().app;
    await app.get(WorkerReporter, { strict: false }).say();
    await app.get(AlertEvaluator, { strict: false }).run();
    const alerts = await root.expectSuccess<{ items: { subject: string; severity: string }[] }>(
      'GET',
      '/api/operations/alerts',
    );
    expect(alerts.items).toEqual([
      expect.objectContaining({ subject: 'database-behind', severity: 'fault' }),
    ]);

    await root.expectSuccess('POST', '/api/operations/history/accept');
    await everywhere(({ look }) => look(1));
    expect(instances.map(isBehind)).toEqual(instances.map(() => false));
    expect(await readyz(first())).toMatchObject({ status: 200 });
    await ApiClient.signIn(first().app.url, 'alice', PASSWORD);
    expect((await call(first().app, '/v1/chat/completions')).status).toBe(401);
    const audit = await root.expectSuccess<{ items: { action: string }[] }>('GET', '/api/audit/?p=0');
    expect(audit.items.map(({ action }) => action)).toContain('history.accept');
  });

  it('keeps reporting a loss after as many new rows as were lost', async () => {
    const copy = await copyDatabase(database.url);
    for (const action of ['disable', 'enable'])
      await root.expectSuccess('POST', '/api/user/manage', { id: user.userId, action });
    await everywhere(({ look }) => look(1));
    await copy.putBack();
    const log = first().app.app.get(AuditLog, { strict: false });
    for (const action of ['user.rename', 'user.mail', 'user.edit'] as const)
      await log.record(null, { actorId: 1, actorRole: 100, action, targetType: 'user', targetId: 2 });
    await everywhere(({ look }) => look());
    expect(instances.map(isBehind)).toEqual(instances.map(() => true));
  });

  it('ignores a connection to a replica that lasts a check or two', async () => {
    const copy = await copyDatabase(database.url);
    await root.expectSuccess('POST', '/api/user/manage', { id: user.userId, action: 'disable' });
    await everywhere(({ look }) => look(1));
    const present = await copyDatabaseAgain();
    await copy.putBack();
    await everywhere(({ look }) => look(2));
    await present.putBack();
    await everywhere(({ look }) => look());
    expect(instances.map(isBehind)).toEqual(instances.map(() => false));
  });

  it('reaches an instance that starts afterwards, and none after the procedure', async () => {
    const dataDir = first().app.env.dataDir;
    await loseABan();
    // Stopped at once: it never saw the loss, and remembers what there was.
    await Promise.all(instances.map(stop));
    instances = [await start(dataDir)];
    expect(isBehind(first())).toBe(true);
    await stop(first());
    if (store === 'with Redis') expect(command('restore-finish', dataDir)).toContain('The books are right.');
    else expect(command('history-accept', dataDir)).toBe('Accepted. Running instances follow within 5 s.\n');
    instances = [await start(dataDir)];
    expect(isBehind(first())).toBe(false);
  });

  if (store === 'with Redis')
    it('reaches an instance that never saw the lost rows, also when Redis is emptied, which alone means nothing', async () => {
      await everywhere(({ look }) => look(1));
      await redis?.flush();
      await everywhere(({ look }) => look());
      expect(instances.map(isBehind)).toEqual(instances.map(() => false));

      await loseABan();
      await everywhere(({ look }) => look());
      await redis?.flush();
      await everywhere(({ look }) => look());
      expect(instances.map(isBehind)).toEqual(instances.map(() => true));
      const fresh = kind === 'sqlite' ? undefined : await start();
      await fresh?.look();
      expect(fresh === undefined || isBehind(fresh)).toBe(true);
      // Emptied once more under those who remember.
      await redis?.flush();
      await everywhere(({ look }) => look());
      const kept = await first().app.app.get(SharedStore, { strict: false }).cache.get(historyKey());
      expect(JSON.stringify(kept)).toContain('"audit"');
    });

  const historyKey = (): string => `history:${installation}`;
  let installation: string;
  beforeEach(async () => {
    const [row] = await first().app.dataSource.query<{ value: string }[]>(
      kind === 'mariadb'
        ? "SELECT `value` FROM options WHERE `key` = '.installation'"
        : `SELECT "value" FROM options WHERE "key" = '.installation'`,
    );
    installation = row?.value ?? '';
  });
  const copyDatabaseAgain = () => copyDatabase(database.url, 'now__');
});

describe.each(DATABASE_KINDS)('a new installation on %s', (kind) => {
  it('ignores what DATA_DIR remembers of the one before', async () => {
    const dataDir = newFolder();
    database = await createTestDatabase(kind);
    const before = await start(dataDir);
    await setUpRoot(before.app);
    await before.look(1);
    await stop(before);
    await database.drop();
    database = await createTestDatabase(kind);
    const after = await start(dataDir);
    await after.look();
    expect(isBehind(after)).toBe(false);
  });

  it('finds losses in all that only grows (bookings, ledger, revisions), except accepted ones', async () => {
    database = await createTestDatabase(kind);
    const { app, modes, look } = await start();
    const root = await setUpRoot(app);
    await root.expectSuccess('PUT', '/api/option/', [{ key: 'SystemName', value: 'Once' }]);
    await app.dataSource.getRepository(SettlementEntity).insert(aSettlement(new UuidIds().callId()));
    await runInTransaction(app.dataSource, acceptHistory);
    await look(1);
    const copy = await copyDatabase(database.url);
    const causes: string[] = [];
    for (const loss of [
      'DELETE FROM settlements',
      'DELETE FROM ledger WHERE id > 0',
      "UPDATE revisions SET number = number - 1 WHERE name = 'options'",
      kind === 'mariadb'
        ? "DELETE FROM options WHERE `key` = '.history'"
        : `DELETE FROM options WHERE "key" = '.history'`,
    ]) {
      await app.dataSource.query(loss);
      await look();
      causes.push(modes.list()[0]?.cause.replace(/[\w-]{36}/, 'ID') ?? 'nothing');
      await copy.putBack();
      await look(1);
      expect(modes.list()).toEqual([]);
    }
    expect(causes).toEqual([
      'the booking of call ID is gone',
      expect.stringMatching(/^row \d+ of the ledger is gone$/),
      expect.stringMatching(/^the options are of revision \d+, after revision \d+$/),
      'it is older than what an operator accepted',
    ]);
  });

  it('reports no loss when the retention of the audit log removes known rows', async () => {
    database = await createTestDatabase(kind);
    const instance = await start();
    await setUpRoot(instance.app);
    await instance.look(1);
    const { dataSource } = instance.app;
    const log = instance.app.app.get(AuditLog, { strict: false });
    const [chain] = await dataSource.query<{ head_sequence: string; head_hash: string }[]>(
      'SELECT head_sequence, head_hash FROM audit_chain',
    );
    await log.record(null, {
      actorId: 0,
      actorRole: 0,
      action: 'audit.prune',
      targetType: 'audit',
      targetId: '',
    });
    const through = Number(chain?.head_sequence);
    await dataSource.query(`DELETE FROM audit_events WHERE sequence <= ${through}`);
    await dataSource.query(
      `UPDATE audit_chain SET base_sequence = ${through}, base_hash = '${chain?.head_hash}'`,
    );
    await instance.look();
    expect(isBehind(instance)).toBe(false);
  });
});

describe('a file of SQLite that is exchanged under the running process', () => {
  it('reports an exchanged file although the process keeps the old one open, but no short absence', async () => {
    database = await createTestDatabase('sqlite');
    const instance = await start();
    await setUpRoot(instance.app);
    const address = parseDatabaseUrl(database.url);
    if (address.dialect !== 'sqlite') throw new Error('not a file');
    const { path } = address;
    copyFileSync(path, `${path}.copy`);
    const copied = readFileSync(`${path}.copy`);
    renameSync(path, `${path}.aside`);
    await instance.look(1);
    renameSync(`${path}.aside`, path);
    await instance.look();
    expect(isBehind(instance)).toBe(false);

    renameSync(`${path}.copy`, path);
    await instance.look();
    expect(instance.modes.list()).toMatchObject([
      { mode: 'database-behind', cause: expect.stringMatching(/^another file took its place/) },
    ]);
    expect(readFileSync(path).equals(copied)).toBe(true);
    rmSync(path);
    await instance.look(1);
    expect(instance.modes.list()).toMatchObject([{ cause: expect.stringMatching(/^its file is gone/) }]);
  });
});
