import { describe, expect, it } from '@jest/globals';
import { toQuota } from './quota.js';

describe('toQuota', () => {
  it.each([0.5, -0.1, Number.NaN, Number.NEGATIVE_INFINITY, 2 ** 53, -(2 ** 53)])(
    'refuses %p instead of rounding it',
    (value) => {
      expect(() => toQuota(value)).toThrow(RangeError);
    },
  );

  it.each([0, -1, 2 ** 53 - 1])('takes %p as it is', (value) => {
    expect(toQuota(value)).toBe(value);
  });
});
