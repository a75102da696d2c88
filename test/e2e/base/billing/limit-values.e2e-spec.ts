import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LimitUseEntity } from '../../../../server/base/limits/limit-use.entity.js';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import { MemorySharedStore } from '../../../../server/infra/shared-store/memory-shared-store.js';
import type { SharedStore } from '../../../../server/infra/shared-store/shared-store.js';
import { ChangingLimits, limitRow } from '../../../support/fixtures/limits.fixture.js';
import { Books, Crew, isStarted, openRedis, type Worker } from '../../../support/fixtures/money.fixture.js';
import { startRedis, type TestRedis } from '../../../support/redis.js';
import { type RedisGroup, startRedisCluster } from '../../../support/redis-groups.js';
import { until } from '../../../support/until.js';

const RICH = 10_000_000;
const PLACES = [
  ['sqlite', 'memory'],
  ['mariadb', 'redis'],
  ['postgres', 'cluster'],
] as const;

describe.each(PLACES)('values of limits for each on %s with %s', (kind, storeKind) => {
  let books: Books;
  let redis: TestRedis | RedisGroup | undefined;
  let memory: SharedStore | undefined;
  let crew: Crew;

  beforeEach(async () => {
    books = await Books.open(kind);
    crew = new Crew(() => books);
    if (storeKind === 'redis') redis = await startRedis();
    if (storeKind === 'cluster') redis = await startRedisCluster();
    if (storeKind === 'memory') memory = crew.keep(new MemorySharedStore(new SystemClock(), 'limits'));
  }, 60_000);
  afterEach(async () => {
    await crew.leave();
    expect(await books.check()).toEqual([]);
    await redis?.stop();
    await books.close();
    redis = undefined;
  });

  const worker = async (limits: ChangingLimits): Promise<Worker> =>
    crew.start({ limits, limitValuesPerDay: 2 }, memory ?? crew.keep(await openRedis(redis?.url ?? '')));
  const each = limitRow({ scope: 'end_user', subject: '', each: true, amount: 1 });

  /** Asks for one call of each value, one after the other. @returns those that were admitted */
  async function admitted(
    at: readonly Worker[],
    userId: number,
    values: readonly string[],
  ): Promise<string[]> {
    const found: string[] = [];
    for (const [index, endUser] of values.entries()) {
      const one = at[index % at.length] as Worker;
      const call = await one.begin({ ...one.caller(userId, null), endUser });
      if (!isStarted(call)) continue;
      found.push(endUser);
      one.end(call);
    }
    return found;
  }

  it('gives new values above the bound one amount together, over two workers', async () => {
    const userId = await books.addUser(RICH);
    const two = [await worker(new ChangingLimits([each])), await worker(new ChangingLimits([each]))];
    expect(await admitted(two, userId, ['a', 'b', 'c', 'd', 'e', 'a'])).toEqual(['a', 'b', 'c']);
    expect(await admitted(two.toReversed(), userId, ['c', 'd', 'b', 'f'])).toEqual([]);
    const rows = async () => {
      const uses = await books.dataSource.getRepository(LimitUseEntity).find({ order: { value: 'ASC' } });
      return uses.map(({ value, used }) => [value, used]);
    };
    await until(async () => (await rows()).length === 3);
    expect(await rows()).toEqual([
      ['', 1],
      ['a', 1],
      ['b', 1],
    ]);
    expect(two.reduce((sum, { engine }) => sum + engine.otherValueCalls, 0)).toBe(1);
  });

  it('keeps the values of other accounts, and those with a limit of their own, out of it', async () => {
    const users = [await books.addUser(RICH), await books.addUser(RICH)] as const;
    const named = limitRow({ id: 2, scope: 'end_user', subject: 'vip', amount: 3 });
    const at = [await worker(new ChangingLimits([each, named]))];
    expect(await admitted(at, users[0], ['a', 'b', 'c', 'd', 'vip', 'vip'])).toEqual([
      'a',
      'b',
      'c',
      'vip',
      'vip',
    ]);
    expect(await admitted(at, users[1], ['x', 'y', 'z'])).toEqual(['x', 'y']);
  });

  it('counts a call with two tags above the bound once', async () => {
    const userId = await books.addUser(RICH);
    const tags = limitRow({ scope: 'tag', subject: '', each: true, amount: 2 });
    const at = await worker(new ChangingLimits([tags]));
    const ask = async (...of: string[]): Promise<boolean> => {
      const call = await at.begin({ ...at.caller(userId, null), tags: of });
      if (isStarted(call)) at.end(call);
      return isStarted(call);
    };
    expect([
      await ask('a'),
      await ask('b'),
      await ask('c', 'd'),
      await ask('e', 'f'),
      await ask('g'),
    ]).toEqual([true, true, true, true, false]);
  });
});
