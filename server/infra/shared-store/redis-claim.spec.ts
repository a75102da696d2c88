import { describe, expect, it } from '@jest/globals';
import { RedisClaim } from './redis-claim.js';
import type { RedisConnection } from './redis-connection.js';
import { StoreUnavailableError } from './shared-store.js';

const OURS = 'installation-a';

/** @param owner  value of the claim's key; undefined = this Redis is unclaimed */
function claimOn(owner?: string, installation: string | null = OURS) {
  const redis = { owner };
  const done: string[] = [];
  const gate = {
    client: {
      get: async () => redis.owner ?? null,
      eval: async (_lua: string, _keys: number, _key: string, mine: string) => (redis.owner ??= mine),
    },
    ask: (work: () => unknown) => Promise.resolve(work()),
    markUsable: () => void done.push('trusted'),
    markUnusable: (reason: string) => void done.push(`distrusted: ${reason}`),
  } as unknown as RedisConnection;
  const claim = new RedisClaim(gate, {
    key: 'tollgate:installation',
    installation: installation ?? undefined,
    database: 0,
    onForeign: () => void done.push('foreign'),
  });
  return { claim, redis, done };
}

describe('RedisClaim', () => {
  it('claims an unclaimed Redis, under a name of its own', async () => {
    const { claim, redis, done } = claimOn();
    await claim.admit();
    expect(redis.owner).toBe(`${OURS}/${claim.storeId}`);
    expect(claim.storeId).toMatch(/^[0-9a-f-]{36}$/);
    expect(done).toEqual(['trusted']);
  });

  it('takes the name of one that this installation has', async () => {
    const { claim } = claimOn(`${OURS}/store-1`);
    await claim.admit();
    expect(claim.storeId).toBe('store-1');
  });

  it('refuses one of another installation, also when it is exchanged meanwhile', async () => {
    const other = claimOn('installation-b/store-9');
    await expect(other.claim.admit()).rejects.toThrow(StoreUnavailableError);
    expect(other.done).toEqual([
      expect.stringContaining('distrusted: it belongs to another installation'),
      'foreign',
    ]);
    const exchanged = claimOn();
    await exchanged.claim.admit();
    exchanged.redis.owner = 'installation-b/store-9';
    await expect(exchanged.claim.look()).rejects.toThrow(/another installation/);
  });

  it('notices that it was emptied: it has another name then', async () => {
    const { claim, redis } = claimOn();
    await claim.admit();
    const before = claim.storeId;
    redis.owner = undefined;
    await claim.look();
    expect(claim.storeId).not.toBe(before);
  });

  it('stays unusable while a reason lasts, and keeps its name', async () => {
    const { claim, done } = claimOn();
    expect([
      claim.setUnusable('another store is in use'),
      claim.setUnusable('another store is in use'),
    ]).toEqual([true, false]);
    await expect(claim.admit()).rejects.toThrow('another store is in use');
    const name = claim.storeId;
    expect(name).toMatch(/^[0-9a-f-]{36}$/);
    expect(done).not.toContain('trusted');
    claim.setUnusable(null);
    await claim.admit();
    expect(claim.storeId).toBe(name);
    expect(done.at(-1)).toBe('trusted');
  });

  it('claims nothing for tools', async () => {
    const { claim, redis, done } = claimOn(undefined, null);
    await claim.admit();
    expect([redis.owner, claim.storeId, done]).toEqual([undefined, undefined, ['trusted']]);
  });
});
