import { describe, expect, it } from '@jest/globals';
import { assertAmount } from './pool-amounts.js';

describe('assertAmount', () => {
  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1])(
    'refuses %p as an amount a pool can move',
    (amount) => {
      expect(() => assertAmount(amount)).toThrow(RangeError);
    },
  );

  it.each([0, 1, Number.MAX_SAFE_INTEGER])('takes %p', (amount) => {
    expect(assertAmount(amount)).toBeUndefined();
  });
});
