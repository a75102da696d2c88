import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { InFlight } from './in-flight.js';

describe('InFlight', () => {
  it('uses a reservation until the last of its holds has ended', () => {
    const inFlight = new InFlight(new FakeClock());
    inFlight.begin('a');
    inFlight.begin('a');
    inFlight.begin('b');
    inFlight.end('a');
    expect(inFlight.uses('a')).toBe(true);
    inFlight.end('a');
    expect([inFlight.uses('a'), inFlight.reservations()]).toEqual([false, ['b']]);
  });

  it('does not owe a hold to a reservation that ended once too often', () => {
    const inFlight = new InFlight(new FakeClock());
    inFlight.end('a');
    inFlight.begin('a');
    expect(inFlight.uses('a')).toBe(true);
  });

  it.each([null, ''])('returns 0 for a reservation named %j', (nothing) => {
    const inFlight = new InFlight(new FakeClock());
    inFlight.begin(nothing);
    expect(inFlight.reservations()).toEqual([]);
  });

  it('expects an account to go on at its steady pace', () => {
    const clock = new FakeClock();
    const inFlight = new InFlight(clock);
    for (let second = 0; second < 120; second += 1) {
      clock.advance(1_000);
      inFlight.recordSpend(7, 100);
    }
    // 100 a second for ten seconds, within a tenth.
    expect(Math.abs(inFlight.spendWithin(7, 10_000) - 1_000)).toBeLessThan(100);
  });

  it('forgets half of the spending in five seconds, and returns 0 for accounts without any', () => {
    const clock = new FakeClock();
    const inFlight = new InFlight(clock);
    inFlight.recordSpend(7, 10_000);
    const now = inFlight.spendWithin(7, 5_000);
    clock.advance(5_000);
    expect(inFlight.spendWithin(7, 5_000)).toBe(Math.floor(now / 2));
    expect(inFlight.spendWithin(8, 5_000)).toBe(0);
  });
});
