import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { ALONE, LimitShares } from './limit-shares.js';
import type { RateLimiter } from './rate-limiter.js';
import { SharedThrottlerStorage } from './shared-throttler-storage.js';

function storageOf(clock: FakeClock): SharedThrottlerStorage {
  const shares = new LimitShares(clock, ALONE);
  const limiter: Pick<RateLimiter, 'ask'> = {
    ask: async (key, { limit, windowMs }) => shares.ask(key, limit, windowMs),
  };
  return new SharedThrottlerStorage(limiter);
}

describe('storage of throttlers in the shared windows', () => {
  it('admits requests up to the limit, then blocks until there is room again', async () => {
    const clock = new FakeClock();
    const storage = storageOf(clock);
    const ask = async (): Promise<boolean> => (await storage.increment('k', 60_000, 2)).isBlocked;
    expect([await ask(), await ask(), await ask()]).toEqual([false, false, true]);
    clock.advance(59_000);
    expect(await storage.increment('k', 60_000, 2)).toMatchObject({ isBlocked: true, timeToBlockExpire: 1 });
    clock.advance(1_001);
    expect(await ask()).toBe(false);
  });

  it('keys do not share', async () => {
    const storage = storageOf(new FakeClock());
    await storage.increment('a', 60_000, 1);
    expect((await storage.increment('b', 60_000, 1)).isBlocked).toBe(false);
    expect((await storage.increment('a', 60_000, 1)).isBlocked).toBe(true);
  });
});
