import { describe, expect, test } from '@jest/globals';
import { isKnown, pairedRatio, type Pair } from './paired-ratio.mjs';

/** A machine that swings: both builds of a pair meet the same swing, and each a little of its own, which only adds. */
function pairsOf(count: number, { own, other }: Pair): Pair[] {
  return Array.from({ length: count }, (_, index) => {
    const swing = 1 + (index % 5) * 0.2;
    return {
      own: own * swing * (1 + (index % 3) * 0.004),
      other: other * swing * (1 + ((index + 1) % 3) * 0.004),
    };
  });
}

describe('pairedRatio', () => {
  test('finds 1 for a build against itself on a machine that swings twofold', () => {
    const { ratio, low, high } = pairedRatio(pairsOf(30, { own: 80, other: 80 }));
    expect(ratio).toBeCloseTo(1, 2);
    expect(low).toBeGreaterThan(0.98);
    expect(high).toBeLessThan(1.02);
  });

  test('finds a difference of 5 % that is far smaller than the swing', () => {
    const { ratio, ofMinima, ofLowerQuartiles } = pairedRatio(pairsOf(30, { own: 84, other: 80 }));
    for (const figure of [ratio, ofMinima, ofLowerQuartiles]) expect(figure).toBeCloseTo(1.05, 2);
  });

  test('keeps the median where a few slices met other work', () => {
    const pairs = pairsOf(30, { own: 80, other: 80 }).map((pair, index) =>
      index % 10 === 0 ? { ...pair, own: pair.own * 3 } : pair,
    );
    expect(pairedRatio(pairs).ratio).toBeCloseTo(1, 2);
  });

  test('gives the same interval for the same figures', () => {
    const pairs = pairsOf(12, { own: 90, other: 80 });
    expect(pairedRatio(pairs)).toEqual(pairedRatio(pairs));
  });
});

describe('isKnown', () => {
  test('accepts an interval as wide as twice the tolerance, and no wider', () => {
    expect(isKnown({ low: 0.98, high: 1.0199 }, 0.02)).toBe(true);
    expect(isKnown({ low: 0.98, high: 1.0201 }, 0.02)).toBe(false);
  });
});
