import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { FrameRateLimiter } from './frame-rate-limiter.js';

const MEGABYTE = 1024 * 1024;

function pacing() {
  const clock = new FakeClock();
  let goesOn = 0;
  const pace = new FrameRateLimiter(clock, () => (goesOn += 1));
  const startMs = clock.monotonicMs();
  return {
    clock,
    pace,
    count: (bytes: number) => pace.count(bytes, clock.monotonicMs()),
    startMs,
    went: () => goesOn,
  };
}

describe('FrameRateLimiter', () => {
  it('lets a side wait with its thousandth frame of a second, until that second is over', () => {
    const { clock, count, pace, went } = pacing();
    for (let frame = 1; frame < 1_000; frame += 1) expect(count(1)).toBe(false);
    clock.advance(400);
    expect([count(1), pace.isWaiting]).toEqual([true, true]);
    clock.advance(599);
    expect(went()).toBe(0);
    clock.advance(1);
    expect([went(), pace.isWaiting, count(1)]).toEqual([1, false, false]);
  });

  it('takes four megabytes a second, and lets a larger frame wait as many seconds as it is worth', () => {
    const { clock, count, went } = pacing();
    expect(count(4 * MEGABYTE)).toBe(false);
    clock.advance(1_000);
    // Thirteen megabytes are four seconds' worth; the first of them is the one it came in.
    expect(count(13 * MEGABYTE)).toBe(true);
    clock.advance(2_999);
    expect(went()).toBe(0);
    clock.advance(1);
    expect(went()).toBe(1);
  });

  it('pauses a side once, whatever else it had sent already', () => {
    const { clock, count, went } = pacing();
    expect([count(5 * MEGABYTE), count(5 * MEGABYTE)]).toEqual([true, false]);
    expect(clock.timers).toBe(1);
    clock.advance(10_000);
    expect(went()).toBe(1);
  });

  it('never goes on after it was stopped', () => {
    const { clock, count, pace, went } = pacing();
    count(5 * MEGABYTE);
    pace.stop();
    clock.advance(10_000);
    expect([went(), pace.isWaiting, clock.timers]).toEqual([0, false, 0]);
  });
});
