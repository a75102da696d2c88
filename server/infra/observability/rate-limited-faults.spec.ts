import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { RateLimitedFaults } from './rate-limited-faults.js';

describe('a fault that comes again and again', () => {
  let clock: FakeClock;
  let lines: string[];
  let faults: RateLimitedFaults;

  beforeEach(() => {
    clock = new FakeClock();
    lines = [];
    faults = new RateLimitedFaults(clock, (line) => lines.push(line));
  });

  it('logs it when it begins, once a minute, and when it is over', () => {
    for (let second = 0; second < 150; second += 1) {
      faults.record('charges wait', `read only, try ${second}`);
      clock.advance(1_000);
    }
    expect(lines).toEqual([
      'charges wait: read only, try 0',
      'charges wait: read only, try 59 (59 more within a minute)',
      'charges wait: read only, try 119 (60 more within a minute)',
    ]);
    clock.advance(30_000);
    expect(lines.at(-1)).toBe('charges wait: read only, try 149 (30 more within a minute)');
    clock.advance(60_000);
    expect(lines.at(-1)).toBe('charges wait: not any more for a minute (150 in all)');
    expect(clock.timers).toBe(0);
    faults.record('charges wait', 'again');
    expect(lines.at(-1)).toBe('charges wait: again');
  });

  it('does not hide another one, and does not announce the end of one that came once', () => {
    faults.record('one');
    faults.record('other', 'why');
    clock.advance(120_000);
    expect(lines).toEqual(['one', 'other: why']);
  });

  it('logs it each time when there are too many to remember', () => {
    for (let index = 0; index < 110; index += 1) faults.record(`fault ${index}`);
    faults.record('fault 109');
    faults.record('fault 5');
    expect(lines).toHaveLength(111);
  });
});
