import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CoarseTimers } from './system-clock.js';

describe('CoarseTimers', () => {
  let timers: CoarseTimers;
  const ran: string[] = [];
  const note = (name: string) => () => void ran.push(name);
  beforeEach(() => {
    jest.useFakeTimers();
    ran.length = 0;
    timers = new CoarseTimers(() => performance.now());
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('runs an action at its time or a little later, never early, in the order of the times', () => {
    timers.after(10_000, note('late'));
    timers.after(5_000, note('soon'));
    timers.after(5_001, note('next'));
    jest.advanceTimersByTime(4_999);
    expect(ran).toEqual([]);
    jest.advanceTimersByTime(501);
    expect(ran).toEqual(['soon', 'next']);
    jest.advanceTimersByTime(4_499);
    expect(ran).toEqual(['soon', 'next']);
    jest.advanceTimersByTime(251);
    expect(ran).toEqual(['soon', 'next', 'late']);
  });

  it('does not run cancelled timers, and cancels no other with them', () => {
    const cancels = [1, 2, 3].map((number) => timers.after(6_000, note(`${number}`)));
    cancels[1]?.();
    cancels[1]?.();
    jest.advanceTimersByTime(6_500);
    expect(ran).toEqual(['1', '3']);
    cancels[0]?.();
    timers.after(6_000, note('again'));
    jest.advanceTimersByTime(6_500);
    expect(ran).toEqual(['1', '3', 'again']);
  });

  it('keeps no timer when nothing waits', () => {
    expect(jest.getTimerCount()).toBe(0);
    const cancel = timers.after(60_000, note('never'));
    expect(jest.getTimerCount()).toBe(1);
    cancel();
    jest.advanceTimersByTime(500);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('lets an action set the next one', () => {
    const again = (): void => {
      ran.push('tick');
      if (ran.length < 3) timers.after(5_000, again);
    };
    timers.after(5_000, again);
    jest.advanceTimersByTime(16_000);
    expect(ran).toEqual(['tick', 'tick', 'tick']);
  });
});
