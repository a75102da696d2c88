import { DomainError } from '../../server/common/errors/domain-error.js';
import type { Rate, RateLimiter } from '../../server/infra/rate-limit/rate-limiter.js';
import { MemoryWindows } from '../../server/infra/shared-store/memory-windows.js';
import type { Clock } from '../../server/common/clock.js';

/** The product's sliding windows in memory, without a database behind them. */
export function memoryRateLimiter(clock: Clock): RateLimiter {
  const windows = new MemoryWindows(clock);
  const ask = (key: string, { limit, windowMs }: Rate) => windows.admit(key, limit, windowMs);
  const limiter: Pick<RateLimiter, 'ask' | 'admit' | 'count' | 'record' | 'reset'> = {
    ask,
    admit: async (key, rate) => {
      const verdict = await ask(key, rate);
      if (!verdict.admitted) throw new DomainError('too_many_requests', {}, verdict.retryAfterMs);
    },
    count: (key, windowMs) => windows.count(key, windowMs),
    record: (key, windowMs) => windows.record(key, windowMs),
    reset: (key) => windows.reset(key),
  };
  return limiter as RateLimiter;
}
