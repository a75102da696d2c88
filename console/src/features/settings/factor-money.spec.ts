import { describe, expect, it } from '@jest/globals';
import { factorsOfMoney, moneyOfFactors, NO_FIGURES } from './factor-money';

const figures = (set: Partial<typeof NO_FIGURES>) => ({ ...NO_FIGURES, ...set });

describe('moneyOfFactors', () => {
  it('multiplies the input price, and for made sound the price of sound', () => {
    const factors = figures({ CacheRatio: 0.1, AudioRatio: 16, AudioCompletionRatio: 2 });
    expect(moneyOfFactors(factors, 2.5)).toEqual(
      figures({ CacheRatio: 0.25, AudioRatio: 40, AudioCompletionRatio: 80 }),
    );
    expect(moneyOfFactors(figures({ AudioCompletionRatio: 4 }), 2.5).AudioCompletionRatio).toBe(10);
  });

  it('has no figure where the input price is not known', () => {
    expect(moneyOfFactors(figures({ CacheRatio: 0.1 }), Number.NaN).CacheRatio).toBeNaN();
  });
});

describe('factorsOfMoney', () => {
  it.each([0.15, 2.5, 3, 0.075, 1_000])('gives the factors back at an input price of $%d', (input) => {
    const factors = figures({
      CacheRatio: 0.1,
      CreateCacheRatio: 1.25,
      ImageRatio: 0.5,
      ReasoningRatio: 10,
      AudioRatio: 16,
      AudioCompletionRatio: 2,
    });
    expect(factorsOfMoney(moneyOfFactors(factors, input), input)).toEqual(factors);
  });

  it('has no factor that turns an input price of 0 into money', () => {
    expect(factorsOfMoney(figures({ CacheRatio: 1, ImageRatio: 0 }), 0)).toEqual(figures({ ImageRatio: 0 }));
  });
});
