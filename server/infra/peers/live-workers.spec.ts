import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { loadEnv } from '../../config/env-file.js';
import { LiveWorkers } from './live-workers.js';

/** @param alive  boot ids in the database; undefined = it is away */
function worker(
  bootId: string,
  alive: { ids: readonly string[] | undefined },
  source: Record<string, string> = {},
) {
  const dataSource = {
    options: { type: 'postgres' },
    query: async () => {
      if (alive.ids === undefined) throw new Error('away');
      return alive.ids.map((id) => ({ boot_id: id }));
    },
  };
  const env = loadEnv({
    DATA_DIR: '/data',
    SESSION_SECRET: 's'.repeat(32),
    CRYPTO_SECRET: 'c'.repeat(32),
    ...source,
  });
  return new LiveWorkers(dataSource as unknown as DataSource, env, bootId);
}

const CLUSTER = { REDIS_URL: 'redis://127.0.0.1:1', DATABASE_URL: 'postgres://a:b@127.0.0.1/c' };

describe('LiveWorkers', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['log', 'warn', 'error', 'fatal']));

  it('counts the workers, itself once', async () => {
    const own = worker('b', { ids: ['a', 'b', 'c'] });
    await own.look();
    expect(own.count).toBe(3);
    const unseen = worker('d', { ids: ['a', 'b', 'c'] });
    await unseen.look();
    expect(unseen.count).toBe(4);
  });

  it.each([0, 1, 2, 7, 10, 100])(
    'deals out a limit of %i so that the shares add up to it, for every key',
    async (limit) => {
      const ids = ['a', 'b', 'c'];
      const all = ids.map((id) => worker(id, { ids }));
      for (const one of all) await one.look();
      for (const key of ['', 'x', 'login:1', 'login:2']) {
        const shares = all.map((one) => one.shareOf(limit, key));
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(limit);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      }
    },
  );

  it('gives the rest of small limits to another worker for another key', async () => {
    const own = worker('a', { ids: ['a', 'b'] });
    await own.look();
    const shares = Array.from({ length: 50 }, (_, number) => own.shareOf(1, `key ${number}`));
    expect(new Set(shares)).toEqual(new Set([0, 1]));
  });

  it('uses its last reading while the database is away', async () => {
    const alive: { ids: readonly string[] | undefined } = { ids: ['a', 'b'] };
    const own = worker('a', alive, CLUSTER);
    await own.follow();
    alive.ids = undefined;
    await own.follow();
    expect(own.count).toBe(2);
  });

  it('has no others without Redis', async () => {
    const own = worker('a', { ids: ['a', 'b'] });
    await own.follow();
    expect([own.count, own.shareOf(7, 'k')]).toEqual([1, 7]);
  });
});
