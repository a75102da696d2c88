import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { OptionEntity } from '../../../../server/base/options/option.entity.js';
import { OptionsRepository } from '../../../../server/base/options/options.repository.js';
import { OptionsService } from '../../../../server/base/options/options.service.js';
import { bumpRevision } from '../../../../server/infra/events/bump-revision.js';
import { type ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';
import { startRedis, type TestRedis } from '../../../support/redis.ts';
import { until } from '../../../support/until.ts';

const noticeOf = ({ app }: TestApp): unknown => app.get(OptionsService, { strict: false }).values().Notice;

describe.each(DATABASE_KINDS)('options in Redis, %s', (kind) => {
  let database: TestDatabase;
  let redis: TestRedis;
  let client: Redis;
  let first: TestApp;
  let root: ApiClient;
  let dataSource: DataSource;
  const started: TestApp[] = [];
  const env = (): Record<string, string> => ({ DATABASE_URL: database.url, REDIS_URL: redis.url });
  const start = async (more: Readonly<Record<string, string>> = {}): Promise<TestApp> => {
    const app = await startTestApp({ env: { ...env(), LOG_LEVEL: 'fatal', ...more } });
    started.push(app);
    return app;
  };
  const reads = () => jest.spyOn(OptionsRepository.prototype, 'all');
  const entries = async (): Promise<string[]> => (await client.keys('*options:*')).toSorted();
  const setNotice = (value: string) => root.expectSuccess('PUT', '/api/option/', { key: 'Notice', value });

  beforeAll(async () => {
    [database, redis] = await Promise.all([createTestDatabase(kind), startRedis()]);
    client = new Redis(redis.url);
    first = await startTestApp({ env: env() });
    root = await setUpRoot(first);
    dataSource = first.dataSource;
    await setNotice('first');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const app of started.splice(0)) await app.close();
  });
  afterAll(async () => {
    await first?.close();
    client?.disconnect();
    await redis?.stop();
    await database?.drop();
  });

  it('lets a start read no option from SQL when Redis has the state, and keeps one entry', async () => {
    await until(async () => (await entries()).length === 1);
    const all = reads();
    const second = await start();
    expect([noticeOf(second), all.mock.calls.length]).toEqual(['first', 0]);
    expect(await client.get((await entries())[0] ?? '')).not.toContain('first');
  });

  it('lets other instances read a change from Redis', async () => {
    const second = await start();
    const all = reads();
    await setNotice('second');
    await until(() => noticeOf(second) === 'second');
    // The instance that stored it reads SQL.
    expect(all).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['flushed', () => client.flushdb().then(() => undefined)],
    ['with a damaged entry', async () => void (await client.set((await entries())[0] ?? '', '"v1.a.b.c"'))],
  ])('reads SQL when Redis was %s, and writes the entry anew', async (_, damage) => {
    await until(async () => (await entries()).length === 1);
    await damage();
    const all = reads();
    const second = await start();
    expect([noticeOf(second), all.mock.calls.length]).toEqual([noticeOf(first), 1]);
    await until(async () => (await entries()).length === 1);
    const third = await start();
    expect([noticeOf(third), all.mock.calls.length]).toEqual([noticeOf(first), 1]);
  });

  it('reads SQL for what a release without the cache stored', async () => {
    const rows = dataSource.getRepository(OptionEntity);
    await dataSource.transaction(async (manager) => {
      await bumpRevision(manager, 'options');
      await first.app
        .get(OptionsRepository, { strict: false })
        .writeWith(
          manager,
          [{ key: 'Notice', stored: 'of another release', oldValue: null, newValue: 'of another release' }],
          { actorId: 0, nowMs: Date.now() },
        );
    });
    const all = reads();
    const second = await start();
    expect([noticeOf(second), all.mock.calls.length]).toEqual(['of another release', 1]);
    expect((await rows.findOneByOrFail({ key: 'Notice' })).value).toBe('of another release');
  });

  it('reads SQL for a row that was edited by hand to another length', async () => {
    await dataSource.getRepository(OptionEntity).update({ key: 'Notice' }, { value: 'by hand' });
    const second = await start();
    expect(noticeOf(second)).toBe('by hand');
  });

  it('reads SQL in safe mode', async () => {
    const all = reads();
    await start({ SAFE_MODE: '1' });
    expect(all).toHaveBeenCalledTimes(1);
  });
});

describe('options while Redis is away', () => {
  it('reads SQL at the start and at a change', async () => {
    const [database, redis] = await Promise.all([createTestDatabase('sqlite'), startRedis()]);
    const settings = {
      env: { DATABASE_URL: database.url, REDIS_URL: redis.url, LOG_LEVEL: 'fatal' },
    };
    const first = await startTestApp(settings);
    try {
      const root = await setUpRoot(first);
      await redis.kill();
      await root.expectSuccess('PUT', '/api/option/', { key: 'Notice', value: 'without Redis' });
      expect(noticeOf(first)).toBe('without Redis');
      const second = await startTestApp(settings);
      expect(noticeOf(second)).toBe('without Redis');
      await second.close();
    } finally {
      await first.close();
      await redis.stop();
      await database.drop();
    }
  });
});
