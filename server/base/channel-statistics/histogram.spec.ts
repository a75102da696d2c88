import { describe, expect, it } from '@jest/globals';
import { BUCKET_BOUNDS_MS, BUCKET_COUNT, bucketOf, emptyHistogram, quantileMs } from './histogram.js';

const histogramOf = (...values: readonly number[]) => {
  const histogram = emptyHistogram();
  for (const value of values) histogram[bucketOf(value)] = (histogram[bucketOf(value)] ?? 0) + 1;
  return histogram;
};

describe('histograms of times', () => {
  it('puts a value into the first bucket whose bound it does not exceed', () => {
    expect([0, 50, 51, 300_000, 300_001].map(bucketOf)).toEqual([
      0,
      0,
      1,
      BUCKET_COUNT - 2,
      BUCKET_COUNT - 1,
    ]);
    expect(BUCKET_BOUNDS_MS.toSorted((a, b) => a - b)).toEqual([...BUCKET_BOUNDS_MS]);
  });

  it('interpolates a quantile inside its bucket', () => {
    expect(quantileMs(emptyHistogram(), 0.5)).toBeNull();
    expect(quantileMs(histogramOf(60, 70, 80, 90), 0.5)).toBe(75);
    const hundred = Array.from({ length: 100 }, (_, index) => (index < 90 ? 80 : 900));
    expect(quantileMs(histogramOf(...hundred), 0.5)).toBeLessThanOrEqual(100);
    expect(quantileMs(histogramOf(...hundred), 0.95)).toBe(875);
  });

  it('takes the last bound for what exceeds it', () => {
    expect(quantileMs(histogramOf(999_999), 0.95)).toBe(300_000);
  });
});
