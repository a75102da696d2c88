import { describe, expect, it } from '@jest/globals';
import { digitsFor, dollarsOfQuota, exactMoney, fixedMoney } from './money';

describe('money in columns', () => {
  it('has the same decimals in every row, and never shows a charge as free', () => {
    expect([1_234.5, 0.0096, 0.04, 0.000076, 0, -2].map((each) => fixedMoney(each, 4))).toEqual([
      '$1,234.5000',
      '$0.0096',
      '$0.0400',
      '$0.0001',
      '$0.0000',
      '−$2.0000',
    ]);
    expect(fixedMoney(0.00002, 4)).toBe('<$0.0001');
    expect(fixedMoney(-0.00002, 4)).toBe('<−$0.0001');
  });

  it('shows every decimal on demand', () => {
    expect([0.000076, 2, 0.1 + 0.2, -0.003026].map(exactMoney)).toEqual([
      '$0.000076',
      '$2.00',
      '$0.30',
      '−$0.003026',
    ]);
  });

  it('takes the decimals that the finest figure needs, within bounds', () => {
    expect(digitsFor([2.5, 10, 0.075], 2, 6)).toBe(3);
    expect(digitsFor([2, 10], 2, 6)).toBe(2);
    expect(digitsFor([1 / 3], 2, 6)).toBe(6);
    expect(digitsFor([], 2, 6)).toBe(2);
  });

  it('divides quota by what a dollar is', () => {
    expect(dollarsOfQuota(1_513, { quotaPerUnit: 500_000, inCurrency: true })).toBe(0.003026);
  });
});
