import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { toQuota } from '../../../common/quota.js';
import type { HoldOutcome } from '../../../infra/shared-store/shared-store.js';
import type { Caller } from '../../../relay-core/model/call.js';
import type { Quote } from '../../../relay-core/ports/price-book.js';
import type { LiveHold } from './live-hold.js';
import { PoolHolds, type ReserveInput } from './pool-holds.js';
import type { TopUpVerdict } from './pool-top-up.js';

const SHORT: Extract<HoldOutcome, { kind: 'short' }> = {
  kind: 'short',
  epoch: 'now',
  userReservationId: 'u',
  tokenReservationId: null,
  userShort: 100,
  tokenShort: 0,
  slices: 0,
};
const PLACED: HoldOutcome = {
  kind: 'placed',
  epoch: 'now',
  userReservationId: 'u',
  tokenReservationId: null,
};
const input = {
  callId: 'call',
  caller: { userId: 1, tokenId: null, tokenLimited: false } as Caller,
  quote: { estimate: toQuota(100), promptEstimate: toQuota(10) } as Quote,
  windows: [],
} satisfies ReserveInput;

describe.each(['begin', 'grow'] as const)('holds that %s wait for money of a lost epoch', (what) => {
  let clock: FakeClock;
  let asked: number;
  let verdict: TopUpVerdict['kind'];
  let outcome: HoldOutcome;

  beforeEach(() => {
    clock = new FakeClock();
    asked = 0;
    verdict = 'pending';
    outcome = SHORT;
  });

  /** @returns the answer to the call, and the time it took */
  async function place(): Promise<{ readonly ok: boolean; readonly afterMs: number }> {
    const pools = new PoolHolds({
      clock,
      owner: 'worker',
      store: {
        isAvailable: true,
        pools: {
          place: () => outcome,
          extend: () => Promise.resolve(outcome === PLACED),
          slices: () => Promise.resolve(0),
        },
      },
      topUp: {
        request: () => {
          asked += 1;
          return Promise.resolve({ kind: verdict, amount: 100, scope: 'user' });
        },
      },
      returns: { flushUser: () => Promise.resolve() },
      slices: { recall: () => Promise.resolve(false) },
    } as unknown as ConstructorParameters<typeof PoolHolds>[0]);
    const startedAtMs = clock.nowMs();
    const live = { callId: 'call', caller: input.caller, amount: toQuota(1), part: null } as LiveHold;
    const placing =
      what === 'begin'
        ? pools.placeWithTopUp(input, SHORT).then(({ ok }) => ok)
        : pools.extend(live, toQuota(100)).then((refusal) => refusal === null);
    let isOver = false;
    const over = (): void => void (isOver = true);
    placing.then(over, over);
    for (let turn = 0; turn < 1_000; turn += 1) {
      await new Promise(setImmediate);
      if (isOver) break;
      clock.advance(100);
    }
    return { ok: await placing, afterMs: clock.nowMs() - startedAtMs };
  }

  it('tries again until the money is back', async () => {
    clock.after(3_000, () => (outcome = PLACED));
    const { ok, afterMs } = await place();
    expect(ok).toBe(true);
    expect(afterMs).toBeGreaterThanOrEqual(3_000);
    expect(afterMs).toBeLessThan(3_500);
    // Five times a second, not as fast as it can.
    expect(asked).toBeLessThanOrEqual(16);
  });

  it('gives up after eight seconds, a lease and a little more', async () => {
    const { ok, afterMs } = await place();
    expect(ok).toBe(false);
    expect(afterMs).toBeGreaterThanOrEqual(8_000);
    expect(afterMs).toBeLessThan(8_500);
  });

  it('refuses at once an account that has nothing, once nothing is on its way any more', async () => {
    clock.after(1_000, () => (verdict = 'refused'));
    const { ok, afterMs } = await place();
    expect(ok).toBe(false);
    expect(afterMs).toBeLessThan(1_500);
  });

  it('leaves the call to the database when the store goes away', async () => {
    clock.after(1_000, () => (verdict = 'store-away'));
    await expect(place()).rejects.toThrow('the shared store went away');
  });
});
