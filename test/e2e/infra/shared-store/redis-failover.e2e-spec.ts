import { afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { RedisSharedStore } from '../../../../server/infra/shared-store/redis-shared-store.js';
import { type RedisGroup, startRedisCluster, startRedisSentinels } from '../../../support/redis-groups.js';
import { until } from '../../../support/until.js';

const aHold = (userId: number) => ({
  callId: randomUUID(),
  userId,
  tokenId: null,
  amount: 100,
  owner: 'owner',
  promptEstimate: 1,
  windows: [],
});

describe('a store that fails over [F-61]', () => {
  let group: RedisGroup;
  let stores: RedisSharedStore[] = [];

  const open = async (): Promise<RedisSharedStore> => {
    const store = new RedisSharedStore(group.url, new SystemClock(), () => undefined);
    stores.push(store);
    expect(await store.waitUntilAvailable(10_000)).toBe(true);
    return store;
  };

  afterEach(async () => {
    for (const store of stores) await store.close();
    stores = [];
    await group.stop();
  });

  it('follows one behind sentinels to the new master, as a new epoch whose pools are empty', async () => {
    group = await startRedisSentinels();
    const [one, two] = [await open(), await open()];
    const epoch = await one.pools.epoch();
    expect(await one.pools.fill({ userId: 1, tokenId: null }, 1_000, 'r-1', epoch)).toBe(true);
    expect(await one.pools.place(aHold(1))).toMatchObject({ kind: 'placed', epoch });
    const heard: string[] = [];
    two.signals.subscribe('news', (payload) => heard.push(payload));

    await group.killMaster();
    await until(() => !one.isAvailable);
    await until(() => one.isAvailable && two.isAvailable);

    const next = await one.pools.epoch();
    expect(next).not.toBe(epoch);
    expect(await two.pools.epoch()).toBe(next);
    // The replica's remains of the old epoch have no effect.
    expect(await one.pools.place(aHold(1))).toMatchObject({ kind: 'short', epoch: next });
    expect(await one.pools.fill({ userId: 1, tokenId: null }, 1_000, 'r-1', epoch)).toBe(false);
    await until(async () => {
      await one.signals.publish('news', 'after');
      return heard.includes('after');
    });
  });

  it('keeps scripts of one user on one node of a cluster, and notices a lost master at once', async () => {
    group = await startRedisCluster();
    const store = await open();
    const epoch = await store.pools.epoch();
    const users = Array.from({ length: 30 }, (_, index) => index + 1);
    for (const userId of users) {
      expect(await store.pools.fill({ userId, tokenId: null }, 1_000, `r-${userId}`, epoch)).toBe(true);
      const windows = [
        { key: `{u:${userId}}:requests`, limit: 5, windowMs: 60_000, mode: 'count' as const },
        { key: `{u:${userId}}:successes`, limit: 5, windowMs: 60_000, mode: 'peek' as const },
      ];
      expect(await store.pools.place({ ...aHold(userId), windows })).toMatchObject({ kind: 'placed' });
    }

    await group.killMaster();
    const served = async (): Promise<number> => {
      const answers = await Promise.allSettled(
        users.map((userId) => store.windows.count(`{u:${userId}}:requests`, 60_000)),
      );
      return answers.filter(({ status }) => status === 'fulfilled').length;
    };
    // A cluster without one of its masters serves nothing (cluster-require-full-coverage), and says so at once.
    await until(async () => (await served()) === 0 || !store.isAvailable);
    const startedAt = performance.now();
    await Promise.allSettled(users.map((userId) => store.pools.place(aHold(userId))));
    expect(performance.now() - startedAt).toBeLessThan(1_500);
  });
});
