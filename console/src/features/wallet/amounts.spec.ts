import { describe, expect, it } from '@jest/globals';
import { percentOff, quotaOf, rulesOf } from './amounts';

const UNIT = 500_000;
const units: Parameters<typeof rulesOf>[0] & Parameters<typeof percentOff>[0] = {
  amount_counts: 'unit',
  max_topup: 1_000_000,
  amount_options: [1, 10, 50],
  discount: { '50': 0.9 },
};
const quota: typeof units = { ...units, amount_counts: 'quota' };
const method = {
  type: 'alipay',
  name: 'Alipay',
  provider: 'epay',
  min_topup: 5,
  price: 7.3,
  currency: '',
} as const;

describe('amounts', () => {
  it('takes units or quota, and never begins below one', () => {
    expect(rulesOf(units, method, UNIT)).toEqual({ min: 5, max: 1_000_000, presets: [10, 50] });
    expect(rulesOf(quota, method, UNIT)).toEqual({
      min: 2_500_000,
      max: 500_000_000_000,
      presets: [5_000_000, 25_000_000],
    });
    expect(rulesOf(units, undefined, UNIT).min).toBe(1);
    expect(rulesOf(units, { ...method, min_topup: 0 }, UNIT).min).toBe(1);
    expect(rulesOf({ ...units, amount_options: [] }, method, UNIT).presets).toEqual([]);
  });

  it('computes quota, less what is taken off', () => {
    expect(quotaOf(units, 10, UNIT)).toBe(5_000_000);
    expect(quotaOf(quota, 10, UNIT)).toBe(10);
    expect(percentOff(units, 50, UNIT)).toBe(10);
    expect(percentOff(quota, 25_000_000, UNIT)).toBe(10);
    expect(percentOff(units, 10, UNIT)).toBe(0);
  });

  it('takes off for whole units of the list alone', () => {
    expect(percentOff(quota, 25_000_001, UNIT)).toBe(0);
    expect(percentOff({ ...units, discount: {} }, 50, UNIT)).toBe(0);
  });

  it.each([
    [0.95, 5],
    [0.875, 12.5],
    [0.999_9, 0.01],
    [1, 0],
    [1.2, 0],
    [0, 0],
    [-0.5, 0],
  ])('reads a factor of %d as %d percent off', (factor, percent) => {
    expect(percentOff({ ...units, discount: { '50': factor } }, 50, UNIT)).toBe(percent);
  });

  it('rounds an amount of units to whole quota', () => {
    expect(quotaOf(units, 1, 0.6)).toBe(1);
    expect(quotaOf(units, 3, 333_333.4)).toBe(1_000_000);
  });
});
