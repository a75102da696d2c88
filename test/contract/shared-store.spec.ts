import { MemorySharedStore } from '../../server/infra/shared-store/memory-shared-store.js';
import { RedisSharedStore } from '../../server/infra/shared-store/redis-shared-store.js';
import { SystemClock } from '../../server/infra/clock/system-clock.js';
import { FakeClock } from '../support/fake-clock.js';
import { testRedisUrl } from '../support/redis.js';
import { describeSharedStore } from './shared-store.contract.js';

describeSharedStore('memory', async () => {
  const clock = new FakeClock();
  const store = new MemorySharedStore(clock, 'memory:contract');
  return { store, advance: async (ms) => clock.advance(ms), close: () => store.close() };
});

describeSharedStore('Redis', async () => {
  const faults: Error[] = [];
  const store = new RedisSharedStore(testRedisUrl(), new SystemClock(), (error) => faults.push(error));
  if (!(await store.waitUntilAvailable(5_000)))
    throw new Error(`Redis did not come up: ${String(faults[0])}`);
  // Time is the server's here: a window that is a quarter of a second long really passes.
  const advance = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  return { store, advance, close: () => store.close() };
});
