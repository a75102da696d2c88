import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { nowExpression } from '../../../../server/infra/database/database-clock.js';
import { dialectOf } from '../../../../server/infra/database/dialect-of.js';
import { sessionOf } from '../../../../server/infra/database/manager-session.js';
import { openDatabase } from '../../../../server/infra/database/open-named-database.js';
import { runInTransaction } from '../../../../server/infra/database/run-in-transaction.js';
import { SqlWindows } from '../../../../server/infra/rate-limit/sql-windows.js';
import { JobRunner } from '../../../../server/infra/schedule/job-runner.js';
import { loadAllEntities } from '../../../support/all-entities.js';
import type { ApiClient } from '../../../support/api-client.js';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { testRedisUrl } from '../../../support/redis.js';
import { until } from '../../../support/until.js';

/*
 * During an upgrade two versions run beside each other and count in the same windows, take the same jobs. What is written and read here
 * by hand is what instances of 2026-11-24 (commit e677b9b7) write and read.
 */

describe('windows in Redis that an older instance counts in, too', () => {
  const PER_MINUTES = 3 * 60_000;
  let app: TestApp;
  let redis: Redis;
  let root: ApiClient;

  beforeAll(async () => {
    const url = testRedisUrl();
    redis = new Redis(url);
    app = await startTestApp({ env: { REDIS_URL: url, GLOBAL_API_RATE_LIMIT: '20' } });
    root = await setUpRoot(app);
  });
  afterAll(async () => {
    await app.close();
    redis.disconnect();
  });

  async function enterAsOlder(key: string, entries: number): Promise<void> {
    const [seconds = 0, micros = 0] = (await redis.time()).map(Number);
    const moment = seconds * 1000 + Math.floor(micros / 1000);
    await redis.rpush(key, ...Array.from({ length: entries }, () => moment));
    await redis.pexpire(key, PER_MINUTES);
  }

  it('counts calls of an account to the console API with those at an older instance', async () => {
    const member = await signUp(root, { username: 'between' });
    const key = `tollgate:m:api:user:${member.userId}`;
    await redis.del(key);
    expect((await member.get('/api/user/self')).status).toBe(200);
    const [moment = 0] = (await redis.lrange(key, 0, -1)).map(Number);
    expect(Math.abs(moment - Date.now())).toBeLessThan(PER_MINUTES);
    expect(await redis.pttl(key)).toBeGreaterThan(0);
    await enterAsOlder(key, 199);
    expect((await member.get('/api/user/self')).body.code).toBe('too_many_requests');
  });

  it('counts guests of an address with those at an older instance', async () => {
    const key = 'tollgate:m:api:address:127.0.0.1';
    await redis.del(key);
    const ask = () => fetch(`${app.url}/api/oauth/state`);
    expect((await ask()).status).toBe(200);
    expect(await redis.llen(key)).toBe(1);
    await enterAsOlder(key, 19);
    expect((await ask()).status).toBe(429);
    await redis.del(key);
  });

  it('counts calls to models with those at an older instance', async () => {
    const upstream = await FakeUpstream.start();
    const admin = new GatewayConsole(app.url);
    await admin.signIn();
    await admin.setOptions({
      ...FX_PRICES(['fx-quick']),
      ModelRequestRateLimitCount: 3,
      ModelRequestRateLimitDurationMinutes: 3,
      ModelRequestRateLimitEnabled: true,
    });
    await admin.addChannel({ base_url: upstream.url, models: ['fx-quick'] });
    const token = await admin.addToken();
    const call = () =>
      fetch(`${app.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'fx-quick', messages: [{ role: 'user', content: 'hello' }] }),
      });
    const key = `tollgate:m:{u:${root.userId}}:requests`;
    expect((await call()).status).toBe(200);
    expect(await redis.llen(key)).toBe(1);
    await enterAsOlder(key, 2);
    expect((await call()).status).toBe(429);
    await upstream.close();
  });
});

describe.each(DATABASE_KINDS)('what an older instance wrote into %s', (kind) => {
  const LEASE_MS = 60_000;
  const LOOK_EVERY_MS = 25;
  let database: TestDatabase;
  let dataSource: DataSource;
  let runner: JobRunner;
  let looks: NodeJS.Timeout;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    dataSource = await openDatabase(database.url, { entities: await loadAllEntities() });
  });
  beforeEach(() => {
    runner = new JobRunner(dataSource, new SystemClock(), 'newer', LEASE_MS);
    looks = setInterval(() => void runner.look(), LOOK_EVERY_MS);
  });
  afterEach(async () => {
    clearInterval(looks);
    await runner.beforeApplicationShutdown();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const run = (sql: (now: string) => string, values: readonly (string | number)[]) =>
    runInTransaction(dataSource, (manager) =>
      sessionOf(manager).run(sql(nowExpression(dialectOf(dataSource))), values),
    );
  const stateOf = async (name: string) => (await runner.states()).find((state) => state.name === name);

  const introduceAsOlder = (name: string) =>
    run(
      (now) => `INSERT INTO "jobs" ("name", "due_at_ms", "started_at_ms") VALUES (?, ${now} + ?, ${now})`,
      [name, 1],
    );
  const takeAsOlder = (name: string) =>
    run(
      (now) =>
        `UPDATE "jobs" SET "fence" = "fence" + 1, "owner" = ?, "host" = ?, "lease_until_ms" = ${now} + ${LEASE_MS},
           "started_at_ms" = ${now}, "outcome" = 'running', "message" = ''
         WHERE "name" = ? AND "lease_until_ms" <= ${now}`,
      ['older', 'older:3000', name],
    );
  const renewAsOlder = (name: string, fence: number) =>
    run(
      (now) =>
        `UPDATE "jobs" SET "lease_until_ms" = ${now} + ${LEASE_MS} WHERE "name" = ? AND "fence" = ? AND "outcome" = 'running'`,
      [name, fence],
    );

  it('leaves a job to the older instance that has it, and takes it when that one is gone', async () => {
    await introduceAsOlder('theirs');
    expect((await takeAsOlder('theirs')).affected).toBe(1);
    const fences: number[] = [];
    runner.every('theirs', 1, async ({ fence }) => void fences.push(fence));
    await runner.look();
    expect(await runner.runNow('theirs')).toBe(false);
    expect(await stateOf('theirs')).toMatchObject({ owner: 'older', outcome: 'running', fence: 1 });
    expect(fences).toEqual([]);
    // Expires the lease, as without a renewal.
    await run((now) => `UPDATE "jobs" SET "lease_until_ms" = ${now} - 1 WHERE "name" = ?`, ['theirs']);
    await until(() => fences.length > 0);
    expect(fences[0]).toBe(2);
    expect((await renewAsOlder('theirs', 1)).affected).toBe(0);
  });

  it('keeps the older instance away from a job that it has itself, until that is done', async () => {
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    runner.every('ours', 3_600_000, async () => {
      runs += 1;
      await gate.promise;
    });
    expect(await runner.runNow('ours')).toBe(true);
    await until(() => runs === 1);
    expect((await takeAsOlder('ours')).affected).toBe(0);
    gate.resolve();
    await until(async () => (await stateOf('ours'))?.outcome === 'done');
    expect((await takeAsOlder('ours')).affected).toBe(1);
    expect(await stateOf('ours')).toMatchObject({ owner: 'older', fence: 2 });
  });

  it('counts the failures an older instance counted there while Redis was away', async () => {
    const windowMs = 3_600_000;
    const windows = new SqlWindows(dataSource);
    const [{ now_ms: now }] = (await dataSource.query(
      `SELECT ${nowExpression(dialectOf(dataSource))} AS now_ms`,
    )) as [{ now_ms: string | number }];
    const moment = Number(now);
    await run(
      () => 'INSERT INTO "limit_counters" ("key", "moments", "until_ms") VALUES (?, ?, ?)',
      ['login:failures', JSON.stringify([moment, moment]), moment + windowMs],
    );
    expect(await windows.count('login:failures', windowMs)).toBe(2);
    expect(await windows.admit('login:failures', 3, windowMs)).toEqual({ admitted: true });
    expect(await windows.admit('login:failures', 3, windowMs)).toMatchObject({ admitted: false });
    const { rows } = await run(
      () => 'SELECT "moments" AS "moments" FROM "limit_counters" WHERE "key" = ?',
      ['login:failures'],
    );
    expect(JSON.parse(String(rows[0]?.['moments']))).toEqual([moment, moment, expect.any(Number)]);
  });
});
