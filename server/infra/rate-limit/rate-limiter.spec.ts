import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { codeOf } from '../../../test/support/code-of.js';
import type { SharedStore } from '../shared-store/shared-store.js';
import type { LimitShares } from './limit-shares.js';
import { RateLimiter } from './rate-limiter.js';

function limiter({ isAvailable = true, storeFails = false, admitted = true } = {}) {
  const asked: string[] = [];
  const answer = (by: string, fails: boolean) => async () => {
    asked.push(by);
    if (fails) throw new Error('away');
    return admitted ? { admitted } : { admitted, retryAfterMs: 7_000 };
  };
  const limits = new RateLimiter(
    {
      isAvailable,
      windows: { admit: answer('store', storeFails), count: answer('store', storeFails) },
    } as unknown as SharedStore,
    { ask: answer('share', false), count: answer('share', false) } as unknown as LimitShares,
    {
      options: { type: 'postgres' },
      transaction: answer('database', true),
      createQueryRunner: () => answer('database', true)(),
    } as unknown as DataSource,
  );
  return { limits, asked };
}
const rate = { limit: 5, windowMs: 1_000 };

describe('RateLimiter', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['log', 'warn', 'error', 'fatal']));

  it('uses the shared store while it is there', async () => {
    const { limits, asked } = limiter();
    expect(await limits.ask('k', rate)).toEqual({ admitted: true });
    expect(asked).toEqual(['store']);
  });

  it('refuses with the time to wait', async () => {
    const { limits } = limiter({ admitted: false });
    expect(await codeOf(limits.admit('k', rate))).toBe('too_many_requests');
    await expect(limits.admit('k', rate)).rejects.toMatchObject({ retryAfterMs: 7_000 });
  });

  it.each([
    ['is away', { isAvailable: false }, ['share']],
    ['fails', { storeFails: true }, ['store', 'share']],
  ])('lets each worker admit its share of frequent limits when the store %s', async (_, situation, by) => {
    const { limits, asked } = limiter(situation);
    await limits.ask('k', { ...rate, isFrequent: true });
    expect(asked).toEqual(by);
  });

  it('uses the database for limits of logins and codes, and only then the share', async () => {
    const { limits, asked } = limiter({ isAvailable: false });
    expect(await limits.ask('k', rate)).toEqual({ admitted: true });
    expect(new Set(asked)).toEqual(new Set(['database', 'share']));
    expect(asked.at(-1)).toBe('share');
    expect(asked[0]).toBe('database');
  });
});
