import { beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { HoldRequest, SharedStore } from '../../../server/infra/shared-store/shared-store.js';
import { userWindowKey } from '../../../server/infra/shared-store/shared-store.js';

export interface StoreUnderTest {
  readonly store: SharedStore;
  /** Lets time pass on the store's clock. */
  readonly advance: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

const OWNER = '0190a0b0-0000-7000-8000-000000000001';
let lastUser = 0;

/** Contract of every adapter for pools and their holds. @param current  the store of the suite this is part of */
export function describePools(current: () => StoreUnderTest): void {
  let store: SharedStore;
  let userId: number;
  let epoch: string;
  const reservation = (): string => `r-${randomUUID()}`;
  const aHold = (changes: Partial<HoldRequest> = {}): HoldRequest => ({
    callId: randomUUID(),
    userId,
    tokenId: null,
    amount: 100,
    owner: OWNER,
    promptEstimate: 10,
    windows: [],
    ...changes,
  });
  const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
    const all: T[] = [];
    for await (const item of items) all.push(item);
    return all;
  };
  const restOf = async (tokenId: number | null = null): Promise<number> =>
    (await store.pools.drain({ userId, tokenId }, 0))?.amount ?? 0;

  beforeEach(async () => {
    ({ store } = current());
    lastUser += 1;
    userId = lastUser;
    epoch = await store.pools.epoch();
  });

  it('a pool that does not exist is short by the whole amount', async () => {
    expect(await store.pools.place(aHold())).toEqual({
      kind: 'short',
      userShort: 100,
      tokenShort: 0,
      epoch,
      userReservationId: null,
      tokenReservationId: null,
      slices: 0,
    });
  });

  it('places exactly what the pool can pay for, under 100 parallel holds', async () => {
    const id = reservation();
    expect(await store.pools.fill({ userId, tokenId: null }, 1_050, id, epoch)).toBe(true);
    const outcomes = await Promise.all(Array.from({ length: 100 }, async () => store.pools.place(aHold())));
    const placed = outcomes.filter((outcome) => outcome.kind === 'placed');
    expect(placed).toHaveLength(10);
    expect(placed[0]).toEqual({ kind: 'placed', userReservationId: id, tokenReservationId: null, epoch });
    expect(outcomes.find((outcome) => outcome.kind === 'short')).toMatchObject({ userShort: 50 });
    expect(await restOf()).toBe(50);
  });

  it('charges user and token or neither', async () => {
    const user = reservation();
    const token = reservation();
    await store.pools.fill({ userId, tokenId: null }, 500, user, epoch);
    await store.pools.fill({ userId, tokenId: 9 }, 150, token, epoch);
    expect(await store.pools.place(aHold({ tokenId: 9 }))).toMatchObject({
      kind: 'placed',
      userReservationId: user,
      tokenReservationId: token,
    });
    expect(await store.pools.place(aHold({ tokenId: 9 }))).toMatchObject({
      kind: 'short',
      userShort: 0,
      tokenShort: 50,
    });
    expect([await restOf(), await restOf(9)]).toEqual([400, 50]);
  });

  it('a full window refuses without touching the pool, and counts nothing', async () => {
    await store.pools.fill({ userId, tokenId: null }, 1_000, reservation(), epoch);
    const total = {
      key: userWindowKey(userId, 'total'),
      limit: 2,
      windowMs: 5_000,
      mode: 'count' as const,
    };
    const success = {
      key: userWindowKey(userId, 'success'),
      limit: 1,
      windowMs: 5_000,
      mode: 'peek' as const,
    };
    const windows = [total, success];
    for (let index = 0; index < 2; index += 1) {
      expect((await store.pools.place(aHold({ windows }))).kind).toBe('placed');
    }
    expect(await store.pools.place(aHold({ windows }))).toMatchObject({ kind: 'refused', index: 0 });
    expect(await store.windows.count(total.key, 5_000)).toBe(2);
    expect(await store.windows.count(success.key, 5_000)).toBe(0);
    await store.windows.record(success.key, 5_000);
    await store.windows.reset(total.key);
    expect(await store.pools.place(aHold({ windows }))).toMatchObject({ kind: 'refused', index: 1 });
    expect(await restOf()).toBe(800);
  });

  it('calls that travel together are decided one after another: windows, pools and their order', async () => {
    const id = reservation();
    await store.pools.fill({ userId, tokenId: null }, 1_000, id, epoch);
    await store.pools.fill({ userId, tokenId: 9 }, 450, reservation(), epoch);
    const window = {
      key: userWindowKey(userId, 'crowd'),
      limit: 9,
      windowMs: 5_000,
      mode: 'count' as const,
    };
    const others = Array.from({ length: 3 }, () => aHold({ userId: userId + 1_000_000, amount: 0 }));
    const calls = Array.from({ length: 12 }, (_, index) =>
      aHold({ tokenId: index % 2 === 0 ? 9 : null, windows: [window] }),
    );
    const outcomes = await Promise.all([...others, ...calls].map(async (call) => store.pools.place(call)));
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      'placed',
      'placed',
      'placed',
      // The ninth finds its token's pool too small, and leaves its place in the window to the one after it.
      'placed',
      'placed',
      'placed',
      'placed',
      'placed',
      'placed',
      'placed',
      'placed',
      'short',
      'placed',
      'refused',
      'refused',
    ]);
    expect(outcomes[3]).toMatchObject({ userReservationId: id });
    expect(await store.windows.count(window.key, 5_000)).toBe(9);
    await store.pools.settle(calls.map(({ callId }) => ({ userId, tokenId: null, callId, unused: 40 })));
    expect([await restOf(), await restOf(9)]).toEqual([100 + 9 * 40, 50 + 4 * 40]);
  });

  it('gives back thousands of holds of one account at once', async () => {
    await store.pools.fill({ userId, tokenId: null }, 2_500, reservation(), epoch);
    const calls = Array.from({ length: 2_500 }, () => aHold({ amount: 1 }));
    for (let from = 0; from < calls.length; from += 250)
      await Promise.all(calls.slice(from, from + 250).map(async (call) => store.pools.place(call)));
    await store.pools.settle(calls.map(({ callId }) => ({ userId, tokenId: null, callId, unused: 1 })));
    expect(await restOf()).toBe(2_500);
  });

  it('a hold that is short counts in no window', async () => {
    const window = {
      key: userWindowKey(userId, 'short'),
      limit: 5,
      windowMs: 5_000,
      mode: 'count' as const,
    };
    expect((await store.pools.place(aHold({ windows: [window] }))).kind).toBe('short');
    expect(await store.windows.count(window.key, 5_000)).toBe(0);
  });

  it('placing the same call twice takes its amount once', async () => {
    await store.pools.fill({ userId, tokenId: null }, 300, reservation(), epoch);
    const hold = aHold();
    const outcomes = await Promise.all([store.pools.place(hold), store.pools.place(hold)]);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['placed', 'placed']);
    expect(await restOf()).toBe(200);
  });

  it('a free call needs no pool', async () => {
    expect((await store.pools.place(aHold({ amount: 0 }))).kind).toBe('placed');
  });

  it('refuses amounts that are not whole, negative or beyond exact', async () => {
    for (const amount of [-1, 0.5, Number.NaN, 2 ** 53]) {
      await expect((async () => store.pools.place(aHold({ amount })))()).rejects.toThrow(RangeError);
    }
  });

  it('keeps amounts up to 2^53 exact', async () => {
    const large = Number.MAX_SAFE_INTEGER;
    await store.pools.fill({ userId, tokenId: null }, large, reservation(), epoch);
    await store.pools.place(aHold({ amount: 1 }));
    expect(await restOf()).toBe(large - 1);
  });

  it('refuses a fill for another epoch or another reservation', async () => {
    const id = reservation();
    expect(await store.pools.fill({ userId, tokenId: null }, 100, id, `${epoch}-older`)).toBe(false);
    expect(await store.pools.fill({ userId, tokenId: null }, 100, id, epoch)).toBe(true);
    expect(await store.pools.fill({ userId, tokenId: null }, 100, reservation(), epoch)).toBe(false);
    expect(await restOf()).toBe(100);
  });

  it('settles a call once, whatever is asked how often', async () => {
    await store.pools.fill({ userId, tokenId: null }, 100, reservation(), epoch);
    const hold = aHold();
    await store.pools.place(hold);
    const back = { callId: hold.callId, userId, tokenId: null, unused: 40 };
    await Promise.all([store.pools.settle([back, back]), store.pools.settle([back])]);
    await store.pools.settle([back]);
    expect(await restOf()).toBe(40);
    expect(await collect(store.pools.holdsOf(OWNER))).not.toContainEqual(
      expect.objectContaining({ callId: hold.callId }),
    );
  });

  it('gives back at most what was held, to user and token', async () => {
    await store.pools.fill({ userId, tokenId: null }, 100, reservation(), epoch);
    await store.pools.fill({ userId, tokenId: 3 }, 100, reservation(), epoch);
    const hold = aHold({ tokenId: 3 });
    await store.pools.place(hold);
    await store.pools.settle([{ callId: hold.callId, userId, unused: 1_000_000 }]);
    expect([await restOf(), await restOf(3)]).toEqual([100, 100]);
  });

  it('a call that was never placed gives nothing back', async () => {
    await store.pools.fill({ userId, tokenId: null }, 100, reservation(), epoch);
    await store.pools.settle([{ callId: randomUUID(), userId, unused: 50 }]);
    expect(await restOf()).toBe(100);
  });

  it('extends a hold from both pools or not at all', async () => {
    await store.pools.fill({ userId, tokenId: null }, 300, reservation(), epoch);
    await store.pools.fill({ userId, tokenId: 4 }, 150, reservation(), epoch);
    const hold = aHold({ tokenId: 4 });
    await store.pools.place(hold);
    expect(await store.pools.extend(hold.callId, userId, 4, 50)).toBe(true);
    expect(await store.pools.extend(hold.callId, userId, 4, 1)).toBe(false);
    expect(await store.pools.extend(randomUUID(), userId, null, 1)).toBe(false);
    await store.pools.settle([{ callId: hold.callId, userId, unused: 150 }]);
    expect([await restOf(), await restOf(4)]).toEqual([300, 150]);
  });

  it('drains an idle pool once and leaves a busy one alone', async () => {
    const id = reservation();
    await store.pools.fill({ userId, tokenId: null }, 300, id, epoch);
    const hold = aHold();
    await store.pools.place(hold);
    expect(await store.pools.drain({ userId, tokenId: null }, 60_000)).toBeNull();
    expect(await store.pools.drain({ userId, tokenId: null }, 0)).toEqual({
      amount: 200,
      reservationId: id,
    });
    expect((await store.pools.place(aHold())).kind).toBe('short');
    await store.pools.settle([{ callId: hold.callId, userId, unused: 100 }]);
    expect(await store.pools.drain({ userId, tokenId: null }, 0)).toEqual({
      amount: 100,
      reservationId: id,
    });
    expect(await store.pools.drain({ userId, tokenId: null }, 0)).toBeNull();
  });

  it('an extra charge may leave a pool below 0: the next hold is short by that much more', async () => {
    const id = reservation();
    await store.pools.fill({ userId, tokenId: null }, 100, id, epoch);
    const hold = aHold();
    await store.pools.place(hold);
    await store.pools.debit({ userId, tokenId: null }, 30, id);
    await store.pools.debit({ userId, tokenId: null }, 30, reservation());
    expect(await store.pools.place(aHold())).toMatchObject({ kind: 'short', userShort: 130 });
    expect(await store.pools.drain({ userId, tokenId: null }, 0)).toMatchObject({ amount: 0 });
  });

  it('a charge below 0 gives back, to the pool of that reservation only', async () => {
    const id = reservation();
    await store.pools.fill({ userId, tokenId: null }, 100, id, epoch);
    await store.pools.debit({ userId, tokenId: null }, 130, id);
    await store.pools.debit({ userId, tokenId: null }, -30, id);
    await store.pools.debit({ userId, tokenId: null }, -70, reservation());
    await expect(store.pools.debit({ userId, tokenId: null }, -0.5, id)).rejects.toThrow(RangeError);
    expect(await store.pools.place(aHold())).toMatchObject({ kind: 'short', userShort: 100 });
  });

  it('discards the pool of one reservation: nothing can be spent, given back or taken out, and the next fill starts anew', async () => {
    const [old, fresh, token] = [reservation(), reservation(), reservation()];
    const own = { userId, tokenId: null };
    await store.pools.fill(own, 300, old, epoch);
    await store.pools.fill({ userId, tokenId: 6 }, 300, token, epoch);
    const [running, longer] = [aHold(), aHold()];
    await store.pools.place(running);
    await store.pools.place(longer);
    expect(await store.pools.reservationsOf([own, { userId, tokenId: 6 }, { userId, tokenId: 7 }])).toEqual([
      { pool: own, reservationId: old },
      { pool: { userId, tokenId: 6 }, reservationId: token },
    ]);
    expect(await store.pools.discard({ pool: own, reservationId: fresh })).toBe(false);
    expect(await store.pools.discard({ pool: own, reservationId: old })).toBe(true);
    expect(await store.pools.discard({ pool: own, reservationId: old })).toBe(false);
    expect(await store.pools.place(aHold())).toMatchObject({ kind: 'short', userReservationId: null });
    expect(await store.pools.extend(longer.callId, userId, null, 10)).toBe(false);
    await store.pools.settle([{ callId: running.callId, userId, unused: 100 }]);
    expect(await store.pools.fill(own, 50, fresh, epoch)).toBe(true);
    await store.pools.settle([{ callId: longer.callId, userId, unused: 100 }]);
    expect(await store.pools.drain(own, 0)).toEqual({ amount: 50, reservationId: fresh });
    expect(await store.pools.drain(own, 0)).toBeNull();
    expect(await store.pools.drain({ userId, tokenId: 6 }, 0)).toMatchObject({ amount: 300 });
  });

  it('lists its pools and the holds of a worker with all that recovery needs', async () => {
    const owner = randomUUID();
    const [user, token] = [reservation(), reservation()];
    await store.pools.fill({ userId, tokenId: null }, 300, user, epoch);
    await store.pools.fill({ userId, tokenId: 8 }, 300, token, epoch);
    const first = aHold({ owner, tokenId: 8, promptEstimate: 11 });
    const second = aHold({ owner });
    await store.pools.place(first);
    await store.pools.place(second);
    await store.pools.markDispatched([
      { callId: first.callId, userId },
      { callId: randomUUID(), userId },
    ]);
    const pools = (await collect(store.pools.list())).filter((pool) => pool.userId === userId);
    expect(pools.map((pool) => pool.tokenId).sort()).toEqual([8, null].sort());
    const holds = await collect(store.pools.holdsOf(owner));
    expect(holds).toHaveLength(2);
    expect(holds.find((hold) => hold.callId === first.callId)).toMatchObject({
      userId,
      tokenId: 8,
      amount: 100,
      owner,
      promptEstimate: 11,
      dispatched: true,
      userReservationId: user,
      tokenReservationId: token,
    });
    expect(holds.find((hold) => hold.callId === second.callId)).toMatchObject({
      tokenId: null,
      dispatched: false,
    });
  });
}
