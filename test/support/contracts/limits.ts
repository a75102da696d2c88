import { beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { LimitPart, SharedLimits } from '../../../server/infra/shared-store/shared-limits.js';
import type { HoldOutcome, SharedStore } from '../../../server/infra/shared-store/shared-store.js';
import type { StoreUnderTest } from './pools.js';

const DAY_MS = 86_400_000;
const OWNER = '0190a0b0-0000-7000-8000-000000000002';
let lastUser = 500_000;

/** Contract of every adapter for windows of limits. @param current  the store of the suite this is part of */
export function describeLimits(current: () => StoreUnderTest): void {
  let store: SharedStore;
  let limits: SharedLimits;
  let userId: number;
  let key: string;
  let epoch: string;

  const part = (changes: Partial<LimitPart> = {}): LimitPart => ({
    key,
    isShared: false,
    field: DAY_MS,
    from: DAY_MS,
    need: 10,
    amount: 100,
    ttlMs: DAY_MS,
    ...changes,
  });
  /** A call without quota: its limits alone decide. */
  const place = async (parts: readonly LimitPart[], callId = randomUUID()): Promise<HoldOutcome> =>
    store.pools.place({
      callId,
      userId,
      tokenId: null,
      amount: 0,
      owner: OWNER,
      promptEstimate: 0,
      windows: [],
      limits: parts,
    });
  const fill = (
    of: LimitPart,
    uses: readonly (readonly [number, number])[] = [],
    run = epoch,
  ): Promise<boolean> => limits.fill({ ...of, userId, uses: new Map(uses) }, run);
  const sum = async (of: LimitPart): Promise<number | undefined> =>
    (await limits.read({ ...of, userId }))?.get(of.field);
  const endOf = (callId: string, used: number) => ({
    callId,
    userId,
    parts: [{ key, isShared: false, used }],
  });

  beforeEach(async () => {
    ({ store } = current());
    ({ limits } = store);
    lastUser += 1;
    userId = lastUser;
    key = `${lastUser}.account.requests.day:`;
    epoch = await store.pools.epoch();
  });

  it('asks for a window that was not filled, and takes nothing', async () => {
    expect(await place([part()])).toEqual({ kind: 'limit-unknown', indexes: [0] });
    expect(await limits.read({ ...part(), userId })).toBeUndefined();
  });

  it('keeps sums of another run out', async () => {
    expect(await fill(part(), [[DAY_MS, 1]], 'another run')).toBe(false);
    expect((await place([part()])).kind).toBe('limit-unknown');
    expect(await fill(part(), [[DAY_MS, 1]])).toBe(true);
  });

  it('admits up to the amount and names every full window', async () => {
    const other = part({ key: `${key}b`, amount: 15 });
    await fill(part(), [[DAY_MS, 85]]);
    await fill(other);
    expect(await place([part(), other])).toMatchObject({ kind: 'placed', limitSums: [95, 10] });
    expect(await place([part(), other])).toEqual({ kind: 'limit-full', indexes: [0, 1] });
    expect(await sum(other)).toBe(10);
  });

  it('takes room once for a call that asks twice', async () => {
    await fill(part());
    const callId = randomUUID();
    await place([part()], callId);
    await place([part()], callId);
    expect(await sum(part())).toBe(10);
  });

  it('corrects the need of a call to its use, once', async () => {
    await fill(part());
    const callId = randomUUID();
    await place([part()], callId);
    await limits.settle([endOf(callId, 4)]);
    await limits.settle([endOf(callId, 4)]);
    expect(await sum(part())).toBe(4);
    await limits.settle([endOf(randomUUID(), 50)]);
    expect(await sum(part())).toBe(4);
  });

  it('settles limits with the return of a hold', async () => {
    await fill(part());
    const callId = randomUUID();
    await place([part()], callId);
    await store.pools.settle([{ ...endOf(callId, 7), unused: 0, limits: endOf(callId, 7).parts }]);
    expect(await sum(part())).toBe(7);
  });

  it('lets a call without need pass a full window', async () => {
    await fill(part(), [[DAY_MS, 100]]);
    expect((await place([part({ need: 0 })])).kind).toBe('placed');
  });

  it('sums the buckets of a rolling window and forgets older ones', async () => {
    const rolling = part({ field: 5_000, from: 3_000 });
    await fill(rolling, [
      [2_000, 90],
      [3_000, 50],
      [4_000, 35],
    ]);
    expect(await place([rolling])).toMatchObject({ kind: 'placed', limitSums: [95] });
    expect((await place([rolling])).kind).toBe('limit-full');
    expect((await place([part({ field: 6_000, from: 4_000 })])).kind).toBe('placed');
  });

  it('counts exactly to 2^53 - 1', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    await fill(part(), [[DAY_MS, most - 10]]);
    expect((await place([part({ amount: most })])).kind).toBe('placed');
    expect(await sum(part())).toBe(most);
    expect((await place([part({ amount: most, need: 1 })])).kind).toBe('limit-full');
  });

  it('grows a running call within the amount', async () => {
    await fill(part());
    const callId = randomUUID();
    await place([part()], callId);
    expect(await limits.grow(callId, userId, [{ ...part(), by: 90 }])).toBeNull();
    expect(await limits.grow(callId, userId, [{ ...part(), by: 1 }])).toBe(0);
    await limits.settle([endOf(callId, 3)]);
    expect(await sum(part())).toBe(3);
  });

  it('enters running calls before a window is filled, each once', async () => {
    const callId = randomUUID();
    const call = { callId, userId, owner: OWNER, parts: [part()] };
    await limits.restore([call], OWNER);
    await limits.restore([call], OWNER);
    expect([...(await limits.restoredOwners())]).toContain(OWNER);
    expect((await limits.restoredCalls()).map((entered) => entered.callId)).toContain(callId);
    expect((await place([part()])).kind).toBe('limit-unknown');
    await fill(part(), [[DAY_MS, 30]]);
    await fill(part(), [[DAY_MS, 30]]);
    expect(await sum(part())).toBe(40);
    await limits.settle([endOf(callId, 1)]);
    expect(await sum(part())).toBe(31);
  });

  it('enters values of a day up to a bound, of each account and limit', async () => {
    const of = (value: string, changes: { limitId?: number; userId?: number; dayMs?: number } = {}) => ({
      limitId: userId,
      userId,
      dayMs: DAY_MS,
      value,
      ...changes,
    });
    const answers: boolean[] = [];
    for (const value of ['a', 'b', 'c', 'a', 'd']) answers.push(await limits.enterValue(of(value), 2));
    expect(answers).toEqual([true, true, false, true, false]);
    expect(await limits.enterValue(of('c', { userId: userId + 1_000_000 }), 2)).toBe(true);
    expect(await limits.enterValue(of('c', { limitId: 9 }), 2)).toBe(true);
    const crowd = await Promise.all(
      Array.from({ length: 20 }, (_, index) => limits.enterValue(of(`v${index}`, { limitId: 10 }), 5)),
    );
    expect(crowd.filter(Boolean)).toHaveLength(5);
    expect(await limits.enterValue(of('c', { dayMs: 2 * DAY_MS }), 2)).toBe(true);
  });

  it('corrects a window and lists the calls of a worker', async () => {
    await fill(part());
    const callId = randomUUID();
    await place([part()], callId);
    await limits.correct({ ...part(), userId, by: -4 });
    expect(await sum(part())).toBe(6);
    const found: unknown[] = [];
    for await (const call of limits.callsOf(OWNER)) if (call.callId === callId) found.push(call);
    expect(found).toEqual([
      { callId, userId, owner: OWNER, parts: [{ key, isShared: false, field: DAY_MS, need: 10 }] },
    ]);
  });

  it('takes nothing of a window that accounts share when the account has no room', async () => {
    const shared = part({ key: `${key}all`, isShared: true });
    await fill(part(), [[DAY_MS, 95]]);
    await fill(shared);
    expect(await place([shared, part()])).toEqual({ kind: 'limit-full', indexes: [1] });
    expect((await sum(shared)) ?? 0).toBe(0);
    expect(await place([shared])).toMatchObject({ kind: 'placed', limitSums: [10] });
  });
}
