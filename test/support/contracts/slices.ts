import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type {
  HoldRequest,
  RegisteredHold,
  SharedStore,
  SliceReport,
} from '../../../server/infra/shared-store/shared-store.js';

let lastUser = 50_000;

/** Contract of every adapter for slices (docs/decisions/2026-11-21-workers-hand-out-slices-of-a-pool.md). */
export function describeSlices(name: string, open: () => Promise<SharedStore>): void {
  describe(`slices: ${name}`, () => {
    let store: SharedStore;
    let userId: number;
    let owner: string;
    const aReport = (changes: Partial<SliceReport> = {}): SliceReport => ({
      sliceId: `slice-1-${owner}`,
      sequence: 1,
      userId,
      tokenId: null,
      owner,
      used: 0,
      detached: [],
      change: 0,
      least: 1,
      closes: false,
      ...changes,
    });
    const tell = async (changes: Partial<SliceReport>) => (await store.pools.report([aReport(changes)]))[0];
    const aHold = (amount: number, tokenId: number | null = null): HoldRequest => ({
      callId: randomUUID(),
      userId,
      tokenId,
      amount,
      owner,
      promptEstimate: 10,
      windows: [],
    });
    const fill = async (amount: number, tokenId: number | null = null): Promise<string> => {
      const reservationId = `r-${randomUUID()}`;
      await store.pools.fill({ userId, tokenId }, amount, reservationId, await store.pools.epoch());
      return reservationId;
    };
    /** Remainder of a pool, and whether it is gone when that is taken: it stays while something is held of it. */
    const restOf = async (tokenId: number | null = null) => {
      const pool = { userId, tokenId };
      const rest = await store.pools.drain(pool, 0);
      return { ...rest, isForgotten: (await store.pools.reservationsOf([pool])).length === 0 };
    };
    const holds = async (): Promise<RegisteredHold[]> => {
      const all: RegisteredHold[] = [];
      for await (const hold of store.pools.holdsOf(owner)) all.push(hold);
      return all;
    };

    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store.close());
    beforeEach(() => {
      lastUser += 1;
      userId = lastUser;
      owner = randomUUID();
    });

    it('takes a quarter of what the pool has left, and no more', async () => {
      const reservationId = await fill(1_000);
      expect(await tell({ change: 900 })).toEqual({
        kind: 'applied',
        amount: 250,
        userReservationId: reservationId,
        tokenReservationId: null,
      });
      expect(await tell({ sequence: 2, change: 100 })).toMatchObject({ amount: 350 });
      expect(await store.pools.slices(userId)).toBe(1);
      expect(await restOf()).toEqual({ amount: 650, reservationId, isForgotten: false });
    });

    it('a small pool has nothing to spare', async () => {
      await fill(1_000);
      expect(await tell({ change: 900, least: 251 })).toMatchObject({ kind: 'applied', amount: 0 });
      expect(await store.pools.slices(userId)).toBe(0);
      expect(await restOf()).toMatchObject({ amount: 1_000, isForgotten: true });
    });

    it('a limited token’s slice takes from both pools, by the smaller one', async () => {
      const user = await fill(4_000);
      const token = await fill(400, 7);
      expect(await tell({ tokenId: 7, change: 1_000 })).toEqual({
        kind: 'applied',
        amount: 100,
        userReservationId: user,
        tokenReservationId: token,
      });
      await tell({ tokenId: 7, sequence: 2, used: 30, closes: true });
      expect([await restOf(), await restOf(7)]).toMatchObject([{ amount: 3_970 }, { amount: 370 }]);
    });

    it('applies a repeated turn once, also the first and the last', async () => {
      await fill(1_000);
      await tell({ change: 200 });
      expect(await tell({ change: 200 })).toMatchObject({ amount: 200 });
      const second = { sequence: 2, used: 50, change: -30 };
      expect(await tell(second)).toMatchObject({ amount: 120 });
      expect(await tell(second)).toMatchObject({ amount: 120 });
      const last = { sequence: 3, used: 20, closes: true };
      expect(await tell(last)).toMatchObject({ kind: 'applied' });
      expect(await tell(last)).toEqual({ kind: 'void' });
      // 1,000 less 50 and 20
      expect(await restOf()).toMatchObject({ amount: 930, isForgotten: true });
      expect(await store.pools.slices(userId)).toBe(0);
    });

    it('a call that goes on gets a hold of its own out of it', async () => {
      const reservationId = await fill(1_000);
      await tell({ change: 200 });
      const callId = randomUUID();
      const detached = [{ callId, amount: 120, promptEstimate: 11, dispatched: true }];
      expect(await tell({ sequence: 2, used: 10, detached })).toMatchObject({ amount: 70 });
      expect(await holds()).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            callId,
            amount: 120,
            promptEstimate: 11,
            dispatched: true,
            owner,
            sequence: null,
            userReservationId: reservationId,
            tokenReservationId: null,
          }),
          expect.objectContaining({ callId: `slice-1-${owner}`, amount: 70, sequence: 2, dispatched: false }),
        ]),
      );
      expect(await store.pools.extend(callId, userId, null, 30)).toBe(true);
      await store.pools.settle([{ callId, userId, unused: 100 }]);
      await tell({ sequence: 3, closes: true });
      // 1,000 − 10 used − 50 of the call
      expect(await restOf()).toMatchObject({ amount: 940, isForgotten: true });
    });

    it('recovery gives one back by its name, like the hold of a call', async () => {
      await fill(1_000);
      await tell({ change: 200 });
      await store.pools.settle([{ callId: `slice-1-${owner}`, userId, unused: 150 }]);
      expect(await store.pools.slices(userId)).toBe(0);
      expect(await restOf()).toMatchObject({ amount: 950, isForgotten: true });
      expect(await tell({ sequence: 2, change: 100 })).toEqual({ kind: 'void' });
    });

    it('finds it void where the store knows nothing of it, or has no pool for it', async () => {
      expect(await tell({ sequence: 4, change: 10 })).toEqual({ kind: 'void' });
      expect(await tell({ change: 10 })).toEqual({ kind: 'void' });
      await fill(1_000);
      expect(await tell({ tokenId: 9, change: 10 })).toEqual({ kind: 'void' });
      expect(await restOf()).toMatchObject({ amount: 1_000, isForgotten: true });
    });

    it('reports slices to a call that finds too little', async () => {
      await fill(1_000);
      await tell({ change: 250 });
      expect(await store.pools.place(aHold(751))).toMatchObject({ kind: 'short', userShort: 1, slices: 1 });
      await tell({ sequence: 2, closes: true });
      expect(await store.pools.place(aHold(1_001))).toMatchObject({ kind: 'short', slices: 0 });
    });

    it('applies several reports at once, each for itself', async () => {
      await fill(1_000);
      await fill(1_000, 3);
      const own = aReport({ change: 100 });
      const ofToken = aReport({ sliceId: `slice-2-${owner}`, tokenId: 3, change: 100 });
      const unknown = aReport({ sliceId: `slice-3-${owner}`, sequence: 2 });
      const detached = [{ callId: randomUUID(), amount: 40, promptEstimate: 1, dispatched: false }];
      expect(await store.pools.report([own, ofToken, unknown])).toMatchObject([
        { kind: 'applied', amount: 100 },
        { kind: 'applied', amount: 100 },
        { kind: 'void' },
      ]);
      const next = [
        { ...own, sequence: 2, change: 0, detached },
        { ...ofToken, sequence: 2, change: 0, used: 60 },
      ];
      expect(await store.pools.report(next)).toMatchObject([{ amount: 60 }, { amount: 40 }]);
      expect(await store.pools.slices(userId)).toBe(2);
    });

    it('refuses amounts that are not whole', async () => {
      for (const change of [{ used: -1 }, { change: 0.5 }, { used: Number.NaN }])
        await expect(tell(change)).rejects.toThrow(RangeError);
    });
  });
}
