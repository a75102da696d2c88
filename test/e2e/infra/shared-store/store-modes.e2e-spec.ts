import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { openDataSource } from '../../../../server/infra/database/data-source.js';
import { ClockWatch } from '../../../../server/infra/health/clock-watch.js';
import { ReferenceClocks } from '../../../../server/infra/health/clock-watch.js';
import { DegradedModes } from '../../../../server/infra/observability/degraded-modes.js';
import { DependencyWatch } from '../../../../server/infra/health/dependency-watch.js';
import { MetricsRegistry } from '../../../../server/infra/observability/metrics-registry.js';
import { RedisSharedStore } from '../../../../server/infra/shared-store/redis-shared-store.js';
import { StoreUnavailableError } from '../../../../server/infra/shared-store/shared-store.js';
import { FaultProxy } from '../../../chaos/rig/fault-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';
import { STEP_MS, SteppedClock } from '../../../support/fake-clock.js';
import { startRedis, type TestRedis } from '../../../support/redis.js';
import { until } from '../../../support/until.js';

const portOf = (url: string): number => Number(new URL(url.replace('mariadb:', 'http:')).port);

const DEADLINE_MS = 250;
/** One timer watches the deadlines of all commands, four times while each lasts. */
const COARSE_MS = DEADLINE_MS / 4;

describe('Redis slow, gone, frozen, read-only, without memory, loading', () => {
  const clock = new SystemClock();
  let storeClock: SteppedClock;
  let redis: TestRedis;
  let line: FaultProxy;
  let store: RedisSharedStore;
  let modes: DegradedModes;
  let watch: DependencyWatch;
  let local: DataSource;

  beforeEach(async () => {
    redis = await startRedis();
    line = await FaultProxy.open({ host: '127.0.0.1', port: portOf(redis.url) }, Math.random);
    storeClock = new SteppedClock();
    store = new RedisSharedStore(`redis://127.0.0.1:${line.port}`, storeClock, () => undefined);
    expect(await store.waitUntilAvailable(5_000)).toBe(true);
    act = () => store.windows.admit('{u:1}:requests', 1_000_000, 60_000);
    modes = new DegradedModes(clock);
    local = await openDataSource('sqlite::memory:', { entities: [] });
    watch = new DependencyWatch(local, store, clock, modes);
  });
  afterEach(async () => {
    await store.close();
    storeClock.stop();
    line.close();
    await redis.stop();
    await local.destroy();
  });

  /** Constant load of calls. A script that has begun to write may finish without memory: new keys fail there. */
  let act = async (): Promise<unknown> => undefined;
  const ask = async (): Promise<{ readonly isAnswered: boolean; readonly ms: number }> => {
    const startedAt = storeClock.monotonicMs();
    try {
      await act();
      return { isAnswered: true, ms: storeClock.monotonicMs() - startedAt };
    } catch (error) {
      expect(error).toBeInstanceOf(StoreUnavailableError);
      return { isAnswered: false, ms: storeClock.monotonicMs() - startedAt };
    }
  };
  /** Number of calls refused before any timer, socket or other turn of the event loop runs. */
  const refusedAtOnce = async (calls: number): Promise<number> => {
    let refused = 0;
    for (let index = 0; index < calls; index += 1)
      void ask().then(({ isAnswered }) => (refused += isAnswered ? 0 : 1));
    // Runs once all promises that can go on have done so.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    return refused;
  };
  const untilOpen = async (): Promise<number[]> => {
    const waits: number[] = [];
    while (store.isAvailable) waits.push((await ask()).ms);
    return waits;
  };

  const control = async (...words: string[]): Promise<void> => {
    // Without the check of readiness, which waits for a Redis that loads.
    const client = new Redis(redis.url, {
      lazyConnect: true,
      maxRetriesPerRequest: 1,
      enableReadyCheck: false,
    });
    try {
      await client.connect();
      await client.call(words[0] ?? '', ...words.slice(1));
    } finally {
      client.disconnect();
    }
  };

  /** Reloads its data, a millisecond per key: commands meanwhile get LOADING. */
  let loading: Promise<void> = Promise.resolve();
  const load = async (): Promise<void> => {
    for (const [name, value] of [
      ['rdbcompression', 'no'],
      ['key-load-delay', '1000'],
      ['loading-process-events-interval-bytes', '1024'],
    ])
      await control('CONFIG', 'SET', name ?? '', value ?? '');
    await control('DEBUG', 'POPULATE', '2500', 'ballast', '1024');
    loading = control('DEBUG', 'RELOAD');
    await until(() =>
      control('PING').then(
        () => false,
        (error: unknown) => String(error).includes('LOADING'),
      ),
    );
  };

  const FAULTS: readonly (readonly [
    string,
    { readonly begin: () => void | Promise<void>; readonly end: () => void | Promise<void> },
  ])[] = [
    [
      'slow: every answer two seconds late',
      {
        begin: () => line.set({ kind: 'delay', delayMs: 2_000 }),
        end: () => line.set({ kind: 'none' }),
      },
    ],
    ['frozen', { begin: () => redis.pause(), end: () => redis.resume() }],
    ['cut off', { begin: () => line.set({ kind: 'black-hole' }), end: () => line.set({ kind: 'none' }) }],
    ['gone', { begin: () => redis.kill(), end: () => redis.restart() }],
    [
      'a replica that takes no writes',
      {
        begin: () => control('REPLICAOF', '127.0.0.1', '1'),
        end: () => control('REPLICAOF', 'NO', 'ONE'),
      },
    ],
    ['loading its data', { begin: () => load(), end: () => loading }],
    [
      'without memory',
      {
        begin: () => {
          act = () => store.cache.set('key', 1, 1_000);
          return control('CONFIG', 'SET', 'maxmemory', '1');
        },
        end: () => control('CONFIG', 'SET', 'maxmemory', '0'),
      },
    ],
  ];

  it.each(FAULTS)(
    '%s: fails five times within 250 ms each, then refuses at once, and comes back by itself [F-61]',
    async (_what, fault) => {
      await fault.begin();
      const waits = await untilOpen();
      expect(waits.length).toBeLessThanOrEqual(6);
      expect(Math.max(...waits, 0)).toBeLessThanOrEqual(DEADLINE_MS + COARSE_MS + STEP_MS);
      expect(await refusedAtOnce(50)).toBe(50);

      await watch.look();
      expect(modes.list()).toEqual([
        { mode: 'shared-store-away', sinceMs: expect.any(Number), cause: expect.stringMatching(/^Redis: ./) },
      ]);

      await fault.end();
      await until(() => store.isAvailable);
      expect((await ask()).isAnswered).toBe(true);
      await watch.look();
      expect(modes.list()).toEqual([]);
    },
  );

  it('takes an answer that came while this process stood still for longer than the deadline', async () => {
    const asked = ask();
    storeClock.leap(10 * DEADLINE_MS);
    storeClock.advance(COARSE_MS);
    expect((await asked).isAnswered).toBe(true);
    expect(store.isAvailable).toBe(true);
  });

  it('its clock is compared with ours: a difference is a degraded mode, and no reason not to start [F-69]', async () => {
    const clocks = new ClockWatch(new ReferenceClocks(local, store), modes, new MetricsRegistry());
    await clocks.onModuleInit();
    expect(modes.list()).toEqual([]);
    const realNow = Date.now;
    Date.now = () => realNow() + 150_000;
    try {
      await clocks.look();
      expect(modes.list()).toMatchObject([
        { mode: 'clock-skewed', cause: expect.stringMatching(/^it is 1(49|50|51) s ahead of Redis's$/) },
      ]);
      await redis.kill();
      await until(() => !store.isAvailable);
      // Unknown meanwhile: the last value stays.
      await clocks.look();
      expect(modes.has('clock-skewed')).toBe(true);
    } finally {
      Date.now = realNow;
    }
  });

  it('flushed: it goes on, under a new epoch [F-61]', async () => {
    const before = await store.pools.epoch();
    await redis.flush();
    expect(await store.pools.epoch()).not.toBe(before);
    expect((await ask()).isAnswered).toBe(true);
  });
});

describe.each(['mariadb', 'postgres'] as const)('%s slow, gone, cut off', (kind) => {
  const clock = new SystemClock();
  let database: TestDatabase;
  let line: FaultProxy;
  let dataSource: DataSource;
  let modes: DegradedModes;
  let watch: DependencyWatch;

  beforeEach(async () => {
    database = await createTestDatabase(kind);
    const address = new URL(database.url.replace(/^\w+:/, 'http:'));
    line = await FaultProxy.open({ host: address.hostname, port: Number(address.port) }, Math.random);
    dataSource = await openDataSource(database.url.replace(address.host, `127.0.0.1:${line.port}`), {
      entities: [],
    });
    modes = new DegradedModes(clock);
    const store = { fault: null, concern: null } as unknown as RedisSharedStore;
    watch = new DependencyWatch(dataSource, store, clock, modes);
  });
  afterEach(async () => {
    line.close();
    await dataSource.destroy().catch(() => undefined);
    await database.drop();
  });

  const look = async (): Promise<string[]> => {
    await watch.look();
    return modes.list().map(({ mode }) => mode);
  };

  it('answers two seconds late are slow, and quick ones end it [F-64]', async () => {
    expect(await look()).toEqual([]);
    line.set({ kind: 'delay', delayMs: 1_000 });
    await until(async () => (await look()).includes('database-slow'));
    line.set({ kind: 'none' });
    await until(async () => (await look()).length === 0);
    expect(watch.databaseMs).toBeLessThan(500);
  });

  it.each(['black-hole', 'reset'] as const)(
    'away (%s) is seen within 5 s, and over by itself [F-66]',
    async (fault) => {
      expect(await look()).toEqual([]);
      line.set({ kind: fault });
      const stopwatch = new SteppedClock(0);
      await until(async () => (await look()).includes('database-away'));
      stopwatch.stop();
      expect(stopwatch.monotonicMs()).toBeLessThan(5_000);
      line.set({ kind: 'none' });
      await until(async () => (await look()).length === 0);
    },
  );
});
