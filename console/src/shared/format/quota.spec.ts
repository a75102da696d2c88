import { describe, expect, it } from '@jest/globals';
import { abbreviate, axisText, dollarsToQuota, exactQuota, formatQuota, formatQuotaDelta } from './quota';

const dollars = { quotaPerUnit: 500_000, inCurrency: true };
const plain = { quotaPerUnit: 500_000, inCurrency: false };

describe('quota', () => {
  it('shows dollars with two decimals: 1,250,000 / 500,000 = 2.50', () => {
    expect(formatQuota(1_250_000, dollars)).toBe('$2.50');
    expect(formatQuota(-1_250_000, dollars)).toBe('−$2.50');
    expect(formatQuota(0, dollars)).toBe('$0.00');
  });

  it('never lets a charge look free: 1 / 500,000 = 0.000002', () => {
    expect(formatQuota(1, dollars)).toBe('$0.0000020');
    expect(formatQuota(1_513, dollars)).toBe('$0.0030');
  });

  it('abbreviates from 10,000 when dollars are off', () => {
    expect([9_999, 10_000, 12_345, 1_000_000, 2_500_000_000].map(abbreviate)).toEqual([
      '9,999',
      '10k',
      '12.3k',
      '1M',
      '2.5B',
    ]);
    expect(formatQuota(12_345, plain)).toBe('12.3k');
    expect(formatQuota(-12_345, plain)).toBe('−12.3k');
  });

  it('cuts instead of rounding up, and groups what is larger than a billion', () => {
    expect([19_999, 999_999, 999_999_999, Number.MAX_SAFE_INTEGER].map(abbreviate)).toEqual([
      '19.9k',
      '999.9k',
      '999.9M',
      '9,007,199.2B',
    ]);
  });

  it('changes its precision at a cent, and shows eight decimals at most', () => {
    // 4,999 / 500,000 = 0.009998; 5,000 / 500,000 = 0.01.
    expect([4_999, 5_000, -4_999].map((quota) => formatQuota(quota, dollars))).toEqual([
      '$0.0100',
      '$0.01',
      '−$0.0100',
    ]);
    expect(formatQuota(1, { quotaPerUnit: 1e12, inCurrency: true })).toBe('$0.00000000');
    expect(formatQuota(Number.MAX_SAFE_INTEGER, dollars)).toBe('$18,014,398,509.48');
  });

  it('writes the exact figure in groups of thousands', () => {
    expect([0, -1_234_567, Number.MAX_SAFE_INTEGER].map(exactQuota)).toEqual([
      '0',
      '-1,234,567',
      '9,007,199,254,740,991',
    ]);
  });

  it('gives all figures of an axis one precision, as fine as the finest needs', () => {
    const label = (ticks: readonly number[], settings?: typeof dollars) =>
      ticks.map(axisText(ticks, settings));
    expect(label([0, 2_000, 4_000, 6_000, 8_000], dollars)).toEqual([
      '$0.000',
      '$0.004',
      '$0.008',
      '$0.012',
      '$0.016',
    ]);
    expect(label([0, 1, 2], dollars)).toEqual(['$0.000000', '$0.000002', '$0.000004']);
    expect(label([0, 500_000, 1_000_000], dollars)).toEqual(['$0.00', '$1.00', '$2.00']);
    expect(label([0, 2_500, 10_000, 12_500], plain)).toEqual(['0', '2.5k', '10.0k', '12.5k']);
    expect(label([0, 250_000, 1_250_000])).toEqual(['0', '0.25M', '1.25M']);
    expect(label([0, 5, 10])).toEqual(['0', '5', '10']);
  });

  it('signs differences', () => {
    expect(formatQuotaDelta(500_000, dollars)).toBe('+$1.00');
    expect(formatQuotaDelta(-500_000, dollars)).toBe('−$1.00');
    expect(formatQuotaDelta(0, dollars)).toBe('$0.00');
  });

  it('turns dollars into whole quota', () => {
    expect(dollarsToQuota(0.1, 500_000)).toBe(50_000);
    expect(dollarsToQuota(0.0000011, 500_000)).toBe(1);
  });
});
