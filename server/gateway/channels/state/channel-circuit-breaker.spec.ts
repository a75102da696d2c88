import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { ChannelCircuitBreaker } from './channel-circuit-breaker.js';

const MODEL = { channelId: 1, model: 'm' };
const CHANNEL = { channelId: 1, model: '' };
const MINUTE_MS = 60_000;

function breaker() {
  const clock = new FakeClock();
  const circuits = new ChannelCircuitBreaker(clock);
  const fail = (times: number): void => {
    for (let call = 0; call < times; call += 1) circuits.recordFailure(MODEL);
  };
  /** Its rest is over; one call goes out. */
  const probeAfter = (restMs: number): void => {
    clock.advance(restMs - 1);
    expect(circuits.isResting(MODEL)).toBe(true);
    clock.advance(1);
    expect(circuits.isResting(MODEL)).toBe(false);
    circuits.claim(MODEL);
    expect(circuits.isResting(MODEL)).toBe(true);
  };
  return { clock, circuits, fail, probeAfter };
}

describe('ChannelCircuitBreaker', () => {
  it('opens at 20 calls of which half failed, within 30 s', () => {
    const { clock, circuits, fail } = breaker();
    fail(19);
    expect(circuits.isResting(MODEL)).toBe(false);
    clock.advance(30_000);
    for (let call = 0; call < 10; call += 1) {
      fail(1);
      expect(circuits.isResting(MODEL)).toBe(false);
      circuits.recordSuccess(MODEL);
    }
    fail(1);
    expect(circuits.isResting(MODEL)).toBe(true);
  });

  it('rests twice as long after each failure of the call that is let through, and 5 minutes at most', () => {
    const { circuits, fail, probeAfter } = breaker();
    fail(20);
    for (const restMs of [30_000, 60_000, 120_000, 240_000, 300_000, 300_000]) {
      probeAfter(restMs);
      circuits.recordFailure(MODEL);
    }
  });

  it('rests once for the calls that were under way when it opened', () => {
    const { circuits, fail, probeAfter } = breaker();
    fail(60);
    circuits.openNow(MODEL);
    probeAfter(30_000);
  });

  it('pauses longer when a refusal follows within the pause a vendor requested', () => {
    const { circuits, probeAfter } = breaker();
    circuits.openForRetryAfter(MODEL, 2_000);
    circuits.openNow(MODEL);
    probeAfter(30_000);
  });

  it('closes when the call that is let through succeeds, for the model and for the channel', () => {
    const { circuits, probeAfter } = breaker();
    circuits.openNow(MODEL);
    circuits.openNow(CHANNEL);
    probeAfter(30_000);
    circuits.recordSuccess(MODEL);
    expect(circuits.isResting(MODEL)).toBe(false);
    expect(circuits.isResting({ channelId: 1, model: 'n' })).toBe(false);
    expect(circuits.listOpen()).toEqual([]);
  });

  it('stays open when a call from before it opened succeeds, while it rests and when its rest is over', () => {
    const { clock, circuits, probeAfter } = breaker();
    const before = clock.nowMs();
    clock.advance(1);
    circuits.openNow(MODEL);
    circuits.recordSuccess(MODEL, before);
    probeAfter(30_000);
    circuits.recordSuccess(MODEL, before);
    expect(circuits.isResting(MODEL)).toBe(true);
    circuits.recordSuccess(MODEL, clock.nowMs());
    expect(circuits.isResting(MODEL)).toBe(false);
  });

  it('pauses as a vendor requested, though an earlier call succeeds', () => {
    const { clock, circuits } = breaker();
    const before = clock.nowMs();
    clock.advance(1);
    circuits.openForRetryAfter(MODEL, 60_000);
    circuits.recordSuccess(MODEL, before);
    expect(circuits.isResting(MODEL)).toBe(true);
  });

  it('takes no failure of a call from before the rest for one after it, however late it comes', () => {
    const { clock, circuits, fail, probeAfter } = breaker();
    const before = clock.nowMs();
    clock.advance(1);
    fail(20);
    probeAfter(30_000);
    const failLate = (): void => {
      for (let call = 0; call < 40; call += 1) circuits.recordFailure(MODEL, before);
      circuits.openNow(MODEL, before);
    };
    failLate();
    circuits.recordSuccess(MODEL);
    for (let late = 0; late < 4; late += 1) {
      failLate();
      expect(circuits.isResting(MODEL)).toBe(false);
      clock.advance(MINUTE_MS);
    }
    fail(20);
    expect(circuits.isResting(MODEL)).toBe(true);
  });

  it('keeps the longest requested pause, in either order', () => {
    for (const pauses of [
      [1_000, 60_000],
      [60_000, 1_000],
    ]) {
      const { circuits, probeAfter } = breaker();
      for (const pauseMs of pauses) circuits.openForRetryAfter(MODEL, pauseMs);
      probeAfter(60_000);
    }
  });

  it('lets one call through at a time, whatever calls from before still answer', () => {
    const { clock, circuits, probeAfter } = breaker();
    const before = clock.nowMs();
    clock.advance(1);
    circuits.openNow(MODEL);
    probeAfter(30_000);
    circuits.recordSuccess(MODEL, before);
    circuits.recordFailure(MODEL, before);
    expect(circuits.isResting(MODEL)).toBe(true);
    clock.advance(MINUTE_MS);
    expect(circuits.isResting(MODEL)).toBe(false);
  });

  it('forgets a closed circuit ten minutes after its pause began', () => {
    const { clock, circuits, probeAfter } = breaker();
    circuits.openNow(MODEL);
    probeAfter(30_000);
    circuits.recordSuccess(MODEL);
    clock.advance(10 * MINUTE_MS);
    expect(circuits.isResting(MODEL)).toBe(false);
    expect(circuits.isQuiet).toBe(true);
  });

  it('forgets a rest that was over for 5 minutes without a call: one failure then opens nothing', () => {
    const { clock, circuits, fail } = breaker();
    fail(20);
    clock.advance(30_000 + 5 * MINUTE_MS);
    fail(1);
    expect(circuits.isResting(MODEL)).toBe(false);
    expect(circuits.listOpen()).toEqual([]);
  });

  it('reports the start of the current pause, not of one hours ago', () => {
    const { clock, circuits, probeAfter } = breaker();
    circuits.openNow(MODEL);
    clock.advance(180 * MINUTE_MS);
    circuits.openNow(MODEL);
    probeAfter(30_000);
    circuits.openNow(MODEL);
    clock.advance(1_000);
    expect(circuits.listOpen()).toEqual([
      { ...MODEL, sinceMs: clock.nowMs() - 31_000, untilMs: clock.nowMs() + 59_000, keys: [] },
    ]);
  });

  it('lists what rests now, since when, and no longer than it rests', () => {
    const { clock, circuits } = breaker();
    const beganMs = clock.nowMs();
    circuits.openNow({ channelId: 3, model: '' });
    clock.advance(1_000);
    circuits.openForRetryAfter({ channelId: 4, model: 'gpt 4o' }, 5_000);
    expect(circuits.listOpen()).toEqual([
      { channelId: 3, model: '', sinceMs: beganMs, untilMs: beganMs + 30_000, keys: [] },
      { channelId: 4, model: 'gpt 4o', sinceMs: beganMs + 1_000, untilMs: beganMs + 6_000, keys: [] },
    ]);
    clock.advance(5_000);
    expect(circuits.listOpen()).toEqual([
      { channelId: 3, model: '', sinceMs: beganMs, untilMs: beganMs + 30_000, keys: [] },
    ]);
    circuits.forget(3);
    expect(circuits.listOpen()).toEqual([]);
  });

  it('lists a channel once, by the key that rests longest', () => {
    const { clock, circuits } = breaker();
    const beganMs = clock.nowMs();
    circuits.openNow({ channelId: 3, keyIndex: 0, model: '' });
    clock.advance(1_000);
    circuits.openNow({ channelId: 3, keyIndex: 1, model: '' });
    expect(circuits.listOpen()).toEqual([
      { channelId: 3, model: '', sinceMs: beganMs, untilMs: beganMs + 30_000, keys: [0, 1] },
    ]);
  });

  it('keeps nothing of failures whose 30 s are over', () => {
    const { clock, circuits, fail } = breaker();
    fail(5);
    clock.advance(30_000);
    expect(circuits.isResting(MODEL)).toBe(false);
    expect(circuits.isQuiet).toBe(true);
  });
});
