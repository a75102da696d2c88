import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SharedStore } from '../../../server/infra/shared-store/shared-store.js';
import { userWindowKey } from '../../../server/infra/shared-store/shared-store.js';
import { until } from '../until.js';
import { describeLimits } from './limits.js';
import { describePools, type StoreUnderTest } from './pools.js';

let lastUser = 100_000;

/** Every adapter of the shared store promises this; what a caller relies on is written here and nowhere else. */
export function describeSharedStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`shared store contract: ${name}`, () => {
    let under: StoreUnderTest;
    let store: SharedStore;
    let userId: number;

    beforeAll(async () => {
      under = await open();
      store = under.store;
    });
    afterAll(() => under.close());
    beforeEach(() => {
      lastUser += 1;
      userId = lastUser;
    });

    describe('cache', () => {
      it('keeps a value until its time is over', async () => {
        await store.cache.set('c-ttl', { a: [1, null, 'x'] }, 600_000);
        expect(await store.cache.get('c-ttl')).toEqual({ a: [1, null, 'x'] });
        await store.cache.set('c-ttl', 'short-lived', 200);
        await under.advance(260);
        expect(await store.cache.get('c-ttl')).toBeUndefined();
      });

      it('gives 0, false, null and the empty text back as they are', async () => {
        for (const value of [0, false, null, '']) {
          await store.cache.set('c-falsy', value, 10_000);
          expect(await store.cache.get('c-falsy')).toBe(value);
        }
      });
    });

    describe('windows', () => {
      it('admits exactly the limit of 50 parallel callers and says how long to wait', async () => {
        const key = userWindowKey(userId, 'burst');
        const verdicts = await Promise.all(
          Array.from({ length: 50 }, () => store.windows.admit(key, 7, 5_000)),
        );
        expect(verdicts.filter((verdict) => verdict.admitted)).toHaveLength(7);
        for (const verdict of verdicts) {
          if (verdict.admitted) continue;
          expect(verdict.retryAfterMs).toBeGreaterThan(0);
          expect(verdict.retryAfterMs).toBeLessThanOrEqual(5_000);
        }
      });

      it('slides: a place becomes free when the oldest entry leaves', async () => {
        const key = userWindowKey(userId, 'slide');
        // The window's length applies at the query: only the last query has a short one.
        expect((await store.windows.admit(key, 1, 600_000)).admitted).toBe(true);
        expect((await store.windows.admit(key, 1, 600_000)).admitted).toBe(false);
        await under.advance(360);
        expect((await store.windows.admit(key, 1, 300)).admitted).toBe(true);
      });

      it('counts what is recorded without asking, and forgets on reset', async () => {
        const key = userWindowKey(userId, 'record');
        await store.windows.record(key, 5_000);
        await store.windows.record(key, 5_000);
        expect(await store.windows.count(key, 5_000)).toBe(2);
        expect((await store.windows.admit(key, 2, 5_000)).admitted).toBe(false);
        await store.windows.reset(key);
        expect(await store.windows.count(key, 5_000)).toBe(0);
      });

      it('counts exactly those of many entries that are not older than the window', async () => {
        const key = userWindowKey(userId, 'many');
        const record = (entries: number): Promise<unknown> =>
          Promise.all(Array.from({ length: entries }, () => store.windows.record(key, 600_000)));
        await record(1_500);
        await under.advance(1_250);
        await record(130);
        expect(await store.windows.count(key, 1_200)).toBe(130);
        expect((await store.windows.admit(key, 131, 1_200)).admitted).toBe(true);
        expect((await store.windows.admit(key, 131, 1_200)).admitted).toBe(false);
      });

      it('admits no caller with a limit of 0', async () => {
        expect((await store.windows.admit(userWindowKey(userId, 'zero'), 0, 1_000)).admitted).toBe(false);
      });
    });

    describe('pools', () => {
      describePools(() => under);
    });

    describe('limits', () => {
      describeLimits(() => under);
    });

    describe('leases', () => {
      it('go to one of 20, and to the next once they are released', async () => {
        const leases = await Promise.all(
          Array.from({ length: 20 }, () => store.leases.acquire('l-one', 5_000)),
        );
        const [first, ...others] = leases.filter((lease) => lease !== null);
        expect(others).toHaveLength(0);
        await first?.release();
        expect(await store.leases.acquire('l-one', 5_000)).not.toBeNull();
      });

      it('end by time, and their former owner cannot release them', async () => {
        const first = await store.leases.acquire('l-time', 200);
        await under.advance(260);
        expect(await store.leases.acquire('l-time', 5_000)).not.toBeNull();
        await first?.release();
        expect(await store.leases.acquire('l-time', 5_000)).toBeNull();
      });
    });

    describe('signals', () => {
      it('reach every listener of the topic until it leaves', async () => {
        const heard: string[] = [];
        store.signals.subscribe('topic-a', (payload) => heard.push(payload));
        let others = 0;
        store.signals.subscribe('topic-b', () => {
          others += 1;
        });
        const leave = store.signals.subscribe('topic-a', () => {
          others += 1;
        });
        leave();
        // None may be on its way when the store is closed.
        await until(async () => {
          await store.signals.publish('topic-a', '7');
          return heard.length > 0;
        });
        expect(heard[0]).toBe('7');
        expect(others).toBe(0);
      });
    });
  });
}
