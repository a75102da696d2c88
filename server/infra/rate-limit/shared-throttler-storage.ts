import type { ThrottlerStorage } from '@nestjs/throttler';
import { secondsToWait } from '../../common/retry-after.js';
import type { RateLimiter } from './rate-limiter.js';

type ThrottlerStorageRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * Counts of ThrottlerGuard in the windows all instances share. They slide: a caller is blocked only until there is room again, so
 * that `blockDuration` has no meaning here. They report whether there is room and not how much: `totalHits` is the least it can be.
 */
export class SharedThrottlerStorage implements ThrottlerStorage {
  constructor(private readonly limiter: Pick<RateLimiter, 'ask'>) {}

  /** @returns times in seconds, as ThrottlerGuard writes them into headers */
  async increment(key: string, ttl: number, limit: number): Promise<ThrottlerStorageRecord> {
    const verdict = await this.limiter.ask(key, { limit, windowMs: ttl, isFrequent: true });
    if (verdict.admitted)
      return { totalHits: 1, timeToExpire: Math.ceil(ttl / 1000), isBlocked: false, timeToBlockExpire: 0 };
    const seconds = secondsToWait(verdict.retryAfterMs);
    return { totalHits: limit + 1, timeToExpire: seconds, isBlocked: true, timeToBlockExpire: seconds };
  }
}
