import { describe, expect, it } from '@jest/globals';
import { formatQuota } from './format-quota.js';

const dollars = { DisplayInCurrencyEnabled: true, QuotaPerUnit: 500_000 };
const points = { DisplayInCurrencyEnabled: false, QuotaPerUnit: 500_000 };

describe('formatQuota', () => {
  it.each([
    [0, '$0.000000'],
    [1, '$0.000002'],
    [-1, '-$0.000002'],
    [500_000, '$1.000000'],
    [-750_000, '-$1.500000'],
    [Number.MAX_SAFE_INTEGER, '$18014398509.481983'],
  ])('writes %d as %s', (quota, text) => {
    expect(formatQuota(quota, dollars)).toBe(text);
  });

  it('writes whole points in the language of the reader', () => {
    expect(formatQuota(-12, points)).toBe('-12 points');
    expect(formatQuota(12, points, 'zh')).toBe('12 点额度');
    expect(formatQuota(500_000, dollars, 'zh')).toBe('$1.000000');
  });
});
