import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { AccountCallRate } from './account-call-rate.js';

const TURN_MS = 500;
const start = (hotCalls = 4) => {
  const clock = new FakeClock();
  const rate = new AccountCallRate(clock, hotCalls);
  return { clock, rate, note: (account = 1, amount = 10) => rate.note(account, amount, TURN_MS) };
};

describe('AccountCallRate', () => {
  it('finds an account hot at the call that makes it enough within a second, and begins anew', () => {
    const { note } = start();
    expect([note(), note(), note()]).toEqual([undefined, undefined, undefined]);
    expect(note()).toBe(40);
    expect([note(), note(), note()]).toEqual([undefined, undefined, undefined]);
    expect(note()).toBe(40);
  });

  it('does not add up calls that are more than a second apart', () => {
    const { clock, note } = start(2);
    note();
    clock.advance(1_001);
    expect(note()).toBeUndefined();
    clock.advance(1_000);
    expect(note()).toBe(10);
  });

  it('returns the quota requested per turn', () => {
    const { clock, note } = start(2);
    note(1, 100);
    clock.advance(1_000);
    expect(note(1, 100)).toBe(100);
  });

  it('counts accounts apart', () => {
    const { note } = start(2);
    note(1);
    expect(note(2)).toBeUndefined();
    expect(note(1)).toBe(20);
  });

  it('finds no account hot that was paused', () => {
    const { clock, rate, note } = start(1);
    rate.pause(1, 5_000);
    rate.pause(1, 1_000);
    clock.advance(4_999);
    expect(note()).toBeUndefined();
    clock.advance(1);
    expect(note()).toBe(20);
  });
});
