import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { openDataSource } from '../../../../server/infra/database/data-source.js';
import { installationId } from '../../../../server/infra/database/installation-id.js';
import { migrateDatabase } from '../../../../server/infra/database/migrate-database.js';
import { DegradedModes } from '../../../../server/infra/observability/degraded-modes.js';
import { DependencyWatch } from '../../../../server/infra/health/dependency-watch.js';
import { RedisConnection } from '../../../../server/infra/shared-store/redis-connection.js';
import { findEviction } from '../../../../server/infra/shared-store/redis-eviction.js';
import { RedisSharedStore } from '../../../../server/infra/shared-store/redis-shared-store.js';
import { StoreUnavailableError } from '../../../../server/infra/shared-store/shared-store.js';
import { createTestDatabase, DATABASE_KINDS } from '../../../support/database.js';
import { startRedis, type TestRedis } from '../../../support/redis.js';
import { until } from '../../../support/until.js';

const OURS = 'aaaaaaaa-0000-4000-8000-000000000001';
const THEIRS = 'bbbbbbbb-0000-4000-8000-000000000002';
const FOREIGN = /belongs to another installation/;
const CLAIM_KEY = 'tollgate:installation';

describe('one Redis database is of one installation', () => {
  let redis: TestRedis;
  let hand: Redis;
  const stores: RedisSharedStore[] = [];

  beforeEach(async () => {
    redis = await startRedis();
    hand = new Redis(redis.url);
    hand.on('error', () => undefined);
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    hand.disconnect();
    await redis.stop();
  });

  const open = async (installation: string, path = '', withinMs = 3_000): Promise<RedisSharedStore> => {
    const store = new RedisSharedStore(`${redis.url}${path}`, new SystemClock(), () => undefined, {
      installation,
    });
    stores.push(store);
    await store.waitUntilAvailable(withinMs);
    return store;
  };
  const fill = async (store: RedisSharedStore): Promise<string> => {
    const epoch = await store.pools.epoch();
    await store.pools.fill({ userId: 1, tokenId: null }, 1_000, 'their-reservation', epoch);
    return epoch;
  };
  const place = async (store: RedisSharedStore) =>
    store.pools.place({
      callId: crypto.randomUUID(),
      userId: 1,
      tokenId: null,
      amount: 10,
      owner: 'w',
      promptEstimate: 1,
      windows: [],
    });

  it('gives it to the first installation; another one finds no pool, no lease and no cache in it, and reports why', async () => {
    const first = await open(OURS);
    await fill(first);
    const second = await open(THEIRS);
    expect(second.misplaced).toMatch(FOREIGN);
    expect(second.fault).toMatch(FOREIGN);
    expect(second.isAvailable).toBe(false);
    await expect(place(second)).rejects.toThrow(StoreUnavailableError);
    await expect(second.pools.drain({ userId: 1, tokenId: null }, 0)).rejects.toThrow(StoreUnavailableError);
    await expect(second.cache.set('key', 1, 1_000)).rejects.toThrow(StoreUnavailableError);
    await expect(second.leases.acquire('name', 1_000)).rejects.toThrow(StoreUnavailableError);
    expect(await (await open(OURS)).pools.epoch()).toBe(await first.pools.epoch());
    expect((await place(first)).kind).toBe('placed');
    expect((await open(THEIRS, '/1')).isAvailable).toBe(true);
  });

  it('claims a flushed one again for its owner, with a new name and a new epoch', async () => {
    const store = await open(OURS);
    const [epoch, name] = [await fill(store), store.identity];
    expect(name).toMatch(/^[0-9a-f-]{36}$/);
    await redis.flush();
    await until(async () => (await hand.get(CLAIM_KEY)) !== null);
    expect(await hand.get(CLAIM_KEY)).toMatch(new RegExp(`^${OURS}/`));
    await until(() => store.identity !== name);
    expect(store.isAvailable).toBe(true);
    expect(await store.pools.epoch()).not.toBe(epoch);
    expect((await open(THEIRS)).misplaced).toMatch(FOREIGN);
    expect((await open(OURS)).identity).toBe(store.identity);
  });

  it('claims a store that was restarted empty on reconnection', async () => {
    const store = await open(OURS);
    const name = store.identity;
    await redis.restart();
    await until(() => store.isAvailable && store.identity !== name);
    expect((await open(THEIRS)).misplaced).toMatch(FOREIGN);
  });

  it('taken by another one while this one runs, it counts as away until that is mended', async () => {
    const store = await open(OURS);
    await fill(store);
    await hand.set(CLAIM_KEY, `${THEIRS}/x`);
    await until(() => !store.isAvailable);
    expect(store.fault).toMatch(FOREIGN);
    await expect(place(store)).rejects.toThrow(StoreUnavailableError);
    await hand.flushall();
    await until(() => store.isAvailable);
    expect(store.misplaced).toBeNull();
    expect(await hand.get(CLAIM_KEY)).toMatch(new RegExp(`^${OURS}/`));
    expect((await place(store)).kind).toBe('short');
  });

  it('a database that cannot be selected is none, and nothing is written to number 0 instead', async () => {
    const store = await open(OURS, '/999999');
    expect(store.isAvailable).toBe(false);
    expect(store.misplaced).toMatch(/database 999999 cannot be selected \(ERR .*range/);
    await expect(store.cache.set('key', 1, 1_000)).rejects.toThrow(StoreUnavailableError);
    await expect(store.pools.epoch()).rejects.toThrow(StoreUnavailableError);
    expect(await hand.keys('*')).toEqual([]);
  });

  it('delivers messages within an installation only, whatever the numbers of the databases', async () => {
    const [ours, theirs, receiver] = [await open(OURS), await open(THEIRS, '/1'), await open(OURS)];
    const heard: string[] = [];
    receiver.signals.subscribe('topic', (text) => heard.push(text));
    await until(async () => {
      await theirs.signals.publish('topic', 'theirs');
      await ours.signals.publish('topic', 'ours');
      return heard.length > 2;
    });
    expect(new Set(heard)).toEqual(new Set(['ours']));
  });

  it('names a store that may evict keys within seconds, but none without a limit or with noeviction', async () => {
    const source = await openDataSource('sqlite::memory:', { entities: [] });
    const modes = new DegradedModes(new SystemClock());
    try {
      const gate = new RedisConnection(hand, new SystemClock(), 'probe');
      await hand.config('SET', 'maxmemory-policy', 'allkeys-lru');
      expect(await findEviction(gate)).toBeNull();
      await hand.config('SET', 'maxmemory', '100mb');
      const store = await open(OURS);
      const watch = new DependencyWatch(source, store, new SystemClock(), modes);
      await until(async () => (await watch.look(), modes.has('shared-store-evicts')));
      expect(modes.list()[0]?.cause).toBe(
        'Redis: its maxmemory-policy is allkeys-lru and must be noeviction',
      );
      expect(store.isAvailable).toBe(true);
      await hand.config('SET', 'maxmemory-policy', 'noeviction');
      expect(await findEviction(gate)).toBeNull();
    } finally {
      await source.destroy();
    }
  });

  it('names a wrong password in the fault', async () => {
    await hand.config('SET', 'requirepass', 'the right one');
    const url = redis.url.replace('redis://', 'redis://:wrong@');
    const store = new RedisSharedStore(url, new SystemClock(), () => undefined, { installation: OURS });
    stores.push(store);
    await until(() => /WRONGPASS/.test(store.fault ?? ''));
    expect(store.isAvailable).toBe(false);
  });
});

it.each(DATABASE_KINDS)(
  'gives an installation one name, whichever instance is first, on %s',
  async (kind) => {
    const database = await createTestDatabase(kind);
    const sources = await Promise.all([1, 2].map(() => openDataSource(database.url, { entities: [] })));
    const [first, second] = sources as [(typeof sources)[0], (typeof sources)[0]];
    try {
      await migrateDatabase(first);
      const names = await Promise.all([installationId(first), installationId(second), installationId(first)]);
      expect(names[0]).toMatch(/^[0-9a-f-]{36}$/);
      expect(new Set(names).size).toBe(1);
    } finally {
      for (const source of sources) await source.destroy();
      await database.drop();
    }
  },
);
