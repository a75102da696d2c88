import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { periodAt } from '../../../../server/base/limits/calendar-periods.js';
import { LimitUseEntity } from '../../../../server/base/limits/limit-use.entity.js';
import type { LimitDefinition } from '../../../../server/base/limits/limit-definition.js';
import { MemorySharedStore } from '../../../../server/infra/shared-store/memory-shared-store.js';
import { SystemClock } from '../../../../server/infra/clock/system-clock.js';
import type { SharedStore } from '../../../../server/infra/shared-store/shared-store.js';
import { startRedis, type TestRedis } from '../../../support/redis.js';
import { startRedisCluster, type RedisGroup } from '../../../support/redis-groups.js';
import {
  Books,
  Crew,
  isStarted,
  openRedis,
  type StartedCall,
  tally,
  type Worker,
} from '../../../support/fixtures/money.fixture.js';
import { ChangingLimits, limitRow, noonZone } from '../../../support/fixtures/limits.fixture.js';
import { until } from '../../../support/until.js';

const RICH = 10_000_000;
/** Worst case of a call of the fixture: 10 in, 50 out at twice the price. */
const HELD = 110;

const PLACES = [
  ['sqlite', 'memory'],
  ['mariadb', 'redis'],
  ['postgres', 'redis'],
  ['postgres', 'cluster'],
] as const;

describe.each(PLACES)('limits per period on %s with %s', (kind, storeKind) => {
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
    crew.start({ limits }, memory ?? crew.keep(await openRedis(redis?.url ?? '')));
  const used = async (): Promise<Record<string, number>> => {
    const rows = await books.dataSource.getRepository(LimitUseEntity).find();
    return Object.fromEntries(rows.map((row) => [`${row.limitId} ${row.value} ${row.kind}`, row.used]));
  };
  const begin = (at: Worker, userId: number, tokenId: number | null = null): Promise<StartedCall | string> =>
    at.begin(at.caller(userId, tokenId, false));
  const of = (userId: number, changes: Partial<LimitDefinition>): LimitDefinition =>
    limitRow({ subject: String(userId), ...changes });

  it('admits exactly the amount over two workers and refuses the rest', async () => {
    const userId = await books.addUser(RICH);
    const limits = new ChangingLimits([of(userId, { amount: 10 })]);
    const crewOfTwo = [await worker(limits), await worker(limits)];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => begin(crewOfTwo[index % 2] as Worker, userId)),
    );
    const started = answers.filter(isStarted);
    expect(tally(answers.map((answer) => (isStarted(answer) ? 'started' : answer)))).toEqual({
      started: 10,
      'limit-full': 30,
    });
    started.forEach((call) => (crewOfTwo[0] as Worker).end(call));
    await until(async () => (await used())['1  use'] === 10);
  });

  it('counts the worst case until the settlement and the charge from then on', async () => {
    const userId = await books.addUser(RICH);
    const at = await worker(new ChangingLimits([of(userId, { measure: 'quota', amount: 2 * HELD + 20 })]));
    const [first, second] = [await at.start(userId), await at.start(userId)];
    expect(await begin(at, userId)).toBe('limit-full');
    at.end(first, { input: { total: 10 }, output: { total: 5 } });
    at.end(second, { input: { total: 10 }, output: { total: 5 } });
    await at.engine.returns.flush();
    // 20 + 20 are used: a third fits, a fourth does not.
    const third = await at.start(userId);
    expect(await begin(at, userId)).toBe('limit-full');
    at.end(third);
    await until(async () => (await used())['1  use'] === 20 + 20 + HELD);
  });

  it('takes nothing from one limit when another one refuses', async () => {
    const userId = await books.addUser(RICH);
    const tight = of(userId, { id: 2, amount: 1 });
    const limits = new ChangingLimits([of(userId, { amount: 3 }), tight]);
    const at = await worker(limits);
    at.end(await at.start(userId));
    expect(await begin(at, userId)).toBe('limit-full');
    expect(await begin(at, userId)).toBe('limit-full');
    limits.set([of(userId, { amount: 3 })]);
    at.end(await at.start(userId));
    at.end(await at.start(userId));
    expect(await begin(at, userId)).toBe('limit-full');
  });

  it('shares a limit of everyone among accounts', async () => {
    const users = [await books.addUser(RICH), await books.addUser(RICH), await books.addUser(RICH)];
    const everyone = limitRow({ scope: 'everyone', subject: '', measure: 'tokens', amount: 5 * 60 });
    const own = limitRow({ id: 2, subject: '', each: true, amount: 3 });
    const at = await worker(new ChangingLimits([everyone, own]));
    const answers = await Promise.all(users.flatMap((userId) => [1, 2, 3].map(() => begin(at, userId))));
    const started = answers.filter(isStarted);
    expect(started.length).toBe(5);
    started.forEach((call) => at.end(call));
    await until(async () => (await used())['1  use'] === 5 * 60);
    expect(Object.values(await used()).reduce((sum, use) => sum + use, 0)).toBe(5 * 60 + 5);
  });

  it('gives each account an amount of its own, and one account another', async () => {
    const users = [await books.addUser(RICH), await books.addUser(RICH)] as const;
    const each = limitRow({ subject: '', each: true, amount: 2 });
    const at = await worker(new ChangingLimits([each, of(users[1], { id: 2, amount: 4 })]));
    for (const [userId, most] of [
      [users[0], 2],
      [users[1], 4],
    ] as const) {
      const answers = await Promise.all(Array.from({ length: 6 }, () => begin(at, userId)));
      expect(answers.filter(isStarted).length).toBe(most);
      answers.filter(isStarted).forEach((call) => at.end(call));
    }
    await until(async () => (await used())['2  use'] === 4);
    expect(await used()).toEqual({ [`1 ${users[0]} use`]: 2, '2  use': 4 });
  });

  it('frees calls in flight when they end', async () => {
    const userId = await books.addUser(RICH);
    const at = await worker(
      new ChangingLimits([of(userId, { measure: 'in_flight', period: '', amount: 2 })]),
    );
    const [first, second] = [await at.start(userId), await at.start(userId)];
    expect(await begin(at, userId)).toBe('rate-limited');
    at.end(first);
    at.engine.holds.release(second.hold);
    at.engine.spool.flush();
    await until(async () => {
      await at.engine.returns.flush();
      const call = await begin(at, userId);
      if (isStarted(call)) at.end(call);
      return isStarted(call);
    });
    expect(await used()).toEqual({});
  });

  it('counts a call that failed upstream as a request, and none that a limit refused', async () => {
    const userId = await books.addUser(RICH);
    const limits = new ChangingLimits([of(userId, { amount: 2 })]);
    const at = await worker(limits);
    at.engine.holds.release((await at.start(userId)).hold);
    at.engine.spool.flush();
    await until(async () => (await used())['1  use'] === 1);
    const small = of(userId, { id: 2, measure: 'quota', amount: HELD - 1 });
    limits.set([of(userId, { amount: 2 }), small]);
    expect(await begin(at, userId)).toBe('limit-full');
    limits.set([of(userId, { amount: 2 })]);
    at.end(await at.start(userId));
    expect(await begin(at, userId)).toBe('limit-full');
    await until(async () => (await used())['1  use'] === 2);
  });

  it('starts from the books when the windows are new', async () => {
    const userId = await books.addUser(RICH);
    const { startsAtMs: startMs } = periodAt('day', Date.now(), [{ zone: noonZone(), fromMs: 0 }]);
    await books.dataSource
      .getRepository(LimitUseEntity)
      .insert({ limitId: 1, value: '', periodStartMs: startMs, kind: 'opening', used: 97, calls: 0 });
    const at = await worker(new ChangingLimits([of(userId, {})]));
    const answers = await Promise.all(Array.from({ length: 6 }, () => begin(at, userId)));
    expect(answers.filter(isStarted).length).toBe(3);
  });

  it('counts running calls again after the store lost its data', async () => {
    if (redis === undefined || storeKind !== 'redis') return;
    const userId = await books.addUser(RICH);
    const limits = new ChangingLimits([of(userId, { amount: 10 })]);
    const two = [await worker(limits), await worker(limits)] as const;
    const running = [await two[0].start(userId), await two[1].start(userId), await two[1].start(userId)];
    const done = await two[0].start(userId);
    two[0].end(done);
    await (redis as TestRedis).flush();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => begin(two[index % 2] as Worker, userId)),
    );
    expect(answers.filter(isStarted).length).toBe(6);
    running.forEach((call, index) => (index === 0 ? two[0] : two[1]).end(call));
  });

  it('keeps a money limit while the store is away and when it comes back empty', async () => {
    if (redis === undefined || storeKind !== 'redis') return;
    const server = redis as TestRedis;
    const userId = await books.addUser(20 * HELD);
    const limits = new ChangingLimits([of(userId, { measure: 'quota', amount: 6 * HELD })]);
    const two = [await worker(limits), await worker(limits)] as const;
    const running = [await two[0].start(userId), await two[1].start(userId)];
    await server.kill();
    await until(() => two.every(({ store }) => !store.isAvailable));
    const ask = (count: number): Promise<(StartedCall | string)[]> =>
      Promise.all(
        Array.from({ length: count }, (_, index) => begin(index % 2 === 0 ? two[0] : two[1], userId)),
      );
    const away = await ask(10);
    expect(away.filter(isStarted).length).toBe(4);
    await server.restart();
    await until(() => two.every(({ store }) => store.isAvailable));
    expect((await ask(4)).filter(isStarted).length).toBe(0);
    running.forEach((call, index) => (index === 0 ? two[0] : two[1]).end(call));
    away.forEach((call, index) => {
      if (isStarted(call)) (index % 2 === 0 ? two[0] : two[1]).end(call);
    });
    await until(async () => (await used())['1  use'] === 6 * HELD);
    expect(await begin(two[0], userId)).toBe('limit-full');
  });

  it('uses at least 95 % of the amount with 20 calls at once that hold three times their charge', async () => {
    const userId = await books.addUser(RICH);
    const amount = 100 * HELD;
    const at = await worker(new ChangingLimits([of(userId, { measure: 'quota', amount })]));
    const cheap = { input: { total: 10 }, output: { total: 13 } };
    let charged = 0;
    const running: StartedCall[] = [];
    while (charged + HELD <= amount || running.length > 0) {
      const answers = await Promise.all(Array.from({ length: 20 - running.length }, () => begin(at, userId)));
      running.push(...answers.filter(isStarted));
      if (running.length === 0) break;
      expect(charged + running.length * HELD).toBeLessThanOrEqual(amount);
      for (const call of running.splice(0, 5)) {
        at.end(call, cheap);
        charged += call.quote.charge(cheap);
      }
      await at.engine.returns.flush();
    }
    expect(charged).toBeGreaterThanOrEqual(0.95 * amount);
    expect(charged).toBeLessThanOrEqual(amount);
    await until(async () => (await used())['1  use'] === charged);
  });

  it('counts a rolling limit by buckets that leave it one by one', async () => {
    const userId = await books.addUser(RICH);
    let nowMs = Date.parse('2026-05-14T10:20:30Z');
    const limits = new ChangingLimits(
      [of(userId, { amount: 2, period: 'hour', rolling: true })],
      () => nowMs,
    );
    const at = await worker(limits);
    at.end(await at.start(userId));
    nowMs += 60_000;
    at.end(await at.start(userId));
    expect(await begin(at, userId)).toBe('rate-limited');
    // The bucket of the first call counts until all of it is older than an hour.
    nowMs += 59 * 60_000;
    expect(await begin(at, userId)).toBe('rate-limited');
    nowMs += 60_000;
    at.end(await at.start(userId));
    expect(await begin(at, userId)).toBe('rate-limited');
  });

  it('frees a request of a rolling minute after exactly a minute', async () => {
    const userId = await books.addUser(RICH);
    let nowMs = Date.parse('2026-05-14T10:20:30.456Z');
    const limits = new ChangingLimits(
      [of(userId, { amount: 1, period: 'minute', rolling: true })],
      () => nowMs,
    );
    const at = await worker(limits);
    at.end(await at.start(userId));
    nowMs += 59_999;
    expect(await begin(at, userId)).toBe('rate-limited');
    nowMs += 1;
    at.end(await at.start(userId));
    // Each call stands in the second of its admission.
    const rows = () =>
      books.dataSource.getRepository(LimitUseEntity).find({ order: { periodStartMs: 'ASC' } });
    await until(async () => (await rows()).length === 2);
    expect((await rows()).map(({ periodStartMs }) => new Date(periodStartMs).toISOString())).toEqual([
      '2026-05-14T10:20:30.000Z',
      '2026-05-14T10:21:30.000Z',
    ]);
  });

  it('counts use of a rolling minute that the books have to the end of its second', async () => {
    const userId = await books.addUser(RICH);
    const periodStartMs = Date.parse('2026-05-14T10:20:30Z');
    await books.dataSource
      .getRepository(LimitUseEntity)
      .insert({ limitId: 1, value: '', periodStartMs, kind: 'opening', used: 1, calls: 1 });
    let nowMs = periodStartMs + 60_998;
    const limits = new ChangingLimits(
      [of(userId, { amount: 1, period: 'minute', rolling: true })],
      () => nowMs,
    );
    const at = await worker(limits);
    expect(await begin(at, userId)).toBe('rate-limited');
    nowMs += 1;
    at.end(await at.start(userId));
  });

  // BerriAI/litellm 24677: two limits of a minute shared the start of their window, so that one of them was never free again.
  it('frees two limits of a minute of one account at the same moment', async () => {
    const userId = await books.addUser(RICH);
    let nowMs = Date.parse('2026-05-14T10:20:30Z');
    const limits = new ChangingLimits(
      [
        of(userId, { amount: 1, period: 'minute' }),
        of(userId, { id: 2, measure: 'tokens', amount: 60, period: 'minute' }),
      ],
      () => nowMs,
    );
    const at = await worker(limits);
    for (let minute = 0; minute < 3; minute += 1) {
      at.end(await at.start(userId));
      expect(await begin(at, userId)).toBe('rate-limited');
      nowMs += 60_000;
    }
  });

  it('refuses a call that never fits at once, and lets one of price 0 pass a full money limit', async () => {
    const userId = await books.addUser(RICH);
    const at = await worker(new ChangingLimits([of(userId, { measure: 'quota', amount: HELD - 1 })]));
    const caller = at.caller(userId, null);
    const refused = await at.engine.holds.reserve({
      callId: 'never-fits',
      caller,
      quote: at.quote(caller),
      windows: [],
    });
    expect(refused).toMatchObject({ ok: false, error: { kind: 'limit-full', limit: { name: 'test' } } });
    expect(refused).toMatchObject({ error: { limit: { needed: HELD / 500_000 } } });
    const free = await at.begin(caller, { model: 'fx-free' });
    expect(isStarted(free)).toBe(true);
    if (isStarted(free)) at.end(free);
  });
});
