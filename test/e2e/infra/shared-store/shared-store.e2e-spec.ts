import { MemorySharedStore } from '../../../../server/infra/shared-store/memory-shared-store.js';
import { StoreUnavailableError } from '../../../../server/infra/shared-store/shared-store.js';
import { RedisSharedStore } from '../../../../server/infra/shared-store/redis-shared-store.js';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { type RedisGroup, startRedisCluster, startRedisSentinels } from '../../../support/redis-groups.js';
import { testRedisUrl } from '../../../support/redis.js';
import { describeSharedStore } from '../../../support/contracts/shared-store.js';
import { describeSlices } from '../../../support/contracts/slices.js';

/** The contract is about what a store decides; its deadline is proved in store-modes.e2e-spec.ts, and not by the pace of this machine. */
const PATIENT = { deadlineMs: 30_000 };

describeSharedStore('memory', async () => {
  const clock = new FakeClock();
  const store = new MemorySharedStore(clock, 'memory:contract');
  return { store, advance: async (ms) => clock.advance(ms), close: () => store.close() };
});

describeSharedStore('Redis', async () => {
  const faults: Error[] = [];
  const store = new RedisSharedStore(
    testRedisUrl(),
    new SystemClock(),
    (error) => faults.push(error),
    PATIENT,
  );
  if (!(await store.waitUntilAvailable(5_000)))
    throw new Error(`Redis did not come up: ${String(faults[0])}`);
  // Time is the server's here: a window that is a quarter of a second long really passes.
  const advance = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  return { store, advance, close: () => store.close() };
});

describeSlices('memory', async () => new MemorySharedStore(new FakeClock(), 'memory:slices'));

describeSlices('Redis', async () => {
  const store = new RedisSharedStore(testRedisUrl(), new SystemClock(), () => undefined, PATIENT);
  if (!(await store.waitUntilAvailable(5_000))) throw new Error('Redis did not come up');
  return store;
});

const GROUPS: readonly (readonly [string, () => Promise<RedisGroup>])[] = [
  ['Redis Cluster of three', startRedisCluster],
  ['Redis behind three sentinels', startRedisSentinels],
];

/** Connections to the nodes of a cluster are made when they are needed first: here before anything has a deadline to keep. */
async function reachEveryNode(store: RedisSharedStore): Promise<void> {
  for (let index = 0; index < 24;) {
    try {
      await store.cache.get(`reached-${index}`);
      index += 1;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      if (!(await store.waitUntilAvailable(10_000))) throw error;
    }
  }
}

for (const [name, start] of GROUPS) {
  describeSharedStore(name, async () => {
    const group = await start();
    const faults: Error[] = [];
    const store = new RedisSharedStore(group.url, new SystemClock(), (error) => faults.push(error), PATIENT);
    if (!(await store.waitUntilAvailable(10_000)))
      throw new Error(`${name} did not come up: ${String(faults[0])}`);
    await reachEveryNode(store);
    const advance = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
    const close = async (): Promise<void> => {
      await store.close();
      await group.stop();
    };
    return { store, advance, close };
  });
}
