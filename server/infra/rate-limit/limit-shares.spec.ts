import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { LiveWorkers } from '../peers/live-workers.js';
import { ALONE, LimitShares } from './limit-shares.js';

const MINUTE_MS = 60_000;

/** Workers of one installation, without a store between them. */
function workers(count: number, clock: FakeClock): LimitShares[] {
  return Array.from({ length: count }, (_, place) => {
    const peers = Object.assign(Object.create(LiveWorkers.prototype) as LiveWorkers, { size: count, place });
    return new LimitShares(clock, peers);
  });
}

const windowsOf = (limit: number, key = 'k') => [{ key, limit, windowMs: MINUTE_MS, mode: 'count' }] as const;

function admitted(all: readonly LimitShares[], limit: number, key = 'k'): number {
  let count = 0;
  for (const shares of all)
    for (let ask = 0; ask < limit * 3; ask += 1) if (shares.admit(windowsOf(limit, key)) === null) count += 1;
  return count;
}

describe('shares of a limit', () => {
  it.each([
    [1, 1],
    [4, 1],
    [4, 3],
    [4, 10],
    [3, 100],
    [7, 1_000],
  ])('%i workers admit %i together, no more and no less [F-54]', (count, limit) => {
    const clock = new FakeClock();
    for (const key of ['{u:1}:requests', '{u:2}:requests', 'other'])
      expect(admitted(workers(count, clock), limit, key)).toBe(limit);
  });

  it('begins a window anew that is over', () => {
    const clock = new FakeClock();
    const all = workers(4, clock);
    expect(admitted(all, 10)).toBe(10);
    expect(all[0]?.admit(windowsOf(10))).toEqual({ index: 0, retryAfterMs: MINUTE_MS });
    clock.advance(MINUTE_MS + 1);
    expect(admitted(all, 10)).toBe(10);
  });

  it('counts calls the store admitted before it went [F-54]', () => {
    const clock = new FakeClock();
    const shares = new LimitShares(clock, ALONE);
    for (let call = 0; call < 8; call += 1) shares.note(windowsOf(10));
    expect(admitted([shares], 10)).toBe(2);
  });

  it('takes nothing from any window when one is full, and nothing on a peek', () => {
    const shares = new LimitShares(new FakeClock(), ALONE);
    const both = (limit: number) =>
      [{ key: 'wins', limit: 2, windowMs: MINUTE_MS, mode: 'peek' }, ...windowsOf(limit)] as const;
    expect(shares.admit(both(2))).toBeNull();
    expect(shares.admit(both(1))).toMatchObject({ index: 1 });
    shares.record('wins', MINUTE_MS);
    shares.record('wins', MINUTE_MS);
    expect(shares.admit(both(9))).toMatchObject({ index: 0 });
    expect(shares.admit(windowsOf(2))).toBeNull();
    expect(shares.admit(windowsOf(2))).toMatchObject({ index: 0 });
  });

  it('checks, counts and forgets one window by itself', async () => {
    const shares = new LimitShares(new FakeClock(), ALONE);
    expect(shares.ask('a', 1, MINUTE_MS)).toEqual({ admitted: true });
    expect(shares.ask('a', 1, MINUTE_MS)).toEqual({ admitted: false, retryAfterMs: MINUTE_MS });
    expect(await shares.count('a', MINUTE_MS)).toBe(1);
    await shares.reset('a');
    expect(await shares.count('a', MINUTE_MS)).toBe(0);
  });
});
