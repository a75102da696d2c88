import { describe, expect, it } from '@jest/globals';
import { StartRefusal } from '../../common/errors/start-refusal.js';
import { checkClock } from './clock-check.js';

describe('checkClock', () => {
  it.each([120_001, -120_001])('refuses a clock that is %i ms off', (skewMs) => {
    expect(() => checkClock(skewMs)).toThrow(StartRefusal);
    expect(() => checkClock(skewMs)).toThrow(skewMs > 0 ? 'ahead' : 'behind');
  });

  it.each([0, 120_000, -120_000])('takes one that is %i ms off', (skewMs) => {
    expect(checkClock(skewMs)).toBeUndefined();
  });
});
