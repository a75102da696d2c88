import { describe, expect, it } from '@jest/globals';
import type { RedisConnection } from './redis-connection.js';
import { findEviction } from './redis-eviction.js';

const gateTo = (info: string) =>
  ({
    client: { info: async () => info },
    ask: (work: () => unknown) => Promise.resolve(work()),
  }) as unknown as RedisConnection;

describe('findEviction', () => {
  it.each([
    ['allkeys-lru', 'maxmemory:1000\r\nmaxmemory_policy:allkeys-lru\r\n', 'allkeys-lru'],
    ['volatile-ttl', 'maxmemory:1000\r\nmaxmemory_policy:volatile-ttl\r\n', 'volatile-ttl'],
    ['noeviction', 'maxmemory:1000\r\nmaxmemory_policy:noeviction\r\n', null],
    ['a policy without a limit of memory', 'maxmemory:0\r\nmaxmemory_policy:allkeys-lru\r\n', null],
    ['a server that does not say', '', null],
  ])('reads of %s', async (_, info, policy) => {
    expect(await findEviction(gateTo(info))).toBe(policy);
  });
});
