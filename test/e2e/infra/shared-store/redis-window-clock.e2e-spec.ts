import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { RedisSharedStore } from '../../../../server/infra/shared-store/redis-shared-store.js';
import { testRedisUrl } from '../../../support/redis.js';

const WINDOW_MS = 1_000;

let store: RedisSharedStore;
let redis: Redis;
let key: string;
let lastKey = 0;

beforeAll(async () => {
  const url = testRedisUrl();
  // Its deadline is not what is tested here.
  store = new RedisSharedStore(url, new SystemClock(), () => undefined, { deadlineMs: 30_000 });
  redis = new Redis(url);
  if (!(await store.waitUntilAvailable(5_000))) throw new Error('Redis did not come up');
});
beforeEach(() => {
  lastKey += 1;
  key = `put-back-${lastKey}`;
});
afterAll(async () => {
  await store.close();
  redis.disconnect();
});

/** Simulates a server clock put back by `byMs` since `entries` calls came. */
async function putBack(byMs: number, entries: number): Promise<string> {
  await store.windows.record(key, WINDOW_MS);
  const [name = ''] = await redis.keys(`*${key}`);
  const moment = Date.now() + byMs;
  await redis.del(name);
  await redis.rpush(name, ...Array.from({ length: entries }, () => moment));
  return name;
}

it('a clock put back by less than a window makes it fuller, for no longer than that [F-69]', async () => {
  const name = await putBack(600, 3);
  expect((await store.windows.admit(key, 4, WINDOW_MS)).admitted).toBe(true);
  expect((await store.windows.admit(key, 4, WINDOW_MS)).admitted).toBe(false);
  const moments = await redis.lrange(name, 0, -1);
  expect(moments).toEqual([...moments].sort());
  expect(await redis.pttl(name)).toBeLessThanOrEqual(WINDOW_MS);
});

it('one put back by more begins its windows anew [F-69]', async () => {
  const name = await putBack(3_600_000, 3);
  expect((await store.windows.admit(key, 4, WINDOW_MS)).admitted).toBe(true);
  expect(await redis.llen(name)).toBe(1);
});

it('refuses no caller by a full window until such a clock has caught up [F-69]', async () => {
  const name = await putBack(3_600_000, 5);
  expect((await store.windows.admit(key, 4, WINDOW_MS)).admitted).toBe(true);
  expect(await redis.llen(name)).toBe(1);
});

it('leaves nothing behind of an unused window', async () => {
  await store.windows.record(key, 50);
  const [name = ''] = await redis.keys(`*${key}`);
  expect(await redis.pttl(name)).toBeLessThanOrEqual(50);
});
