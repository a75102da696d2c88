import { describe, expect, it } from '@jest/globals';
import { priceOf, withoutGaps } from './listed-price.js';

describe('priceOf', () => {
  it.each([
    [{ input: 2.5 }, 2.5],
    [{ input: 0 }, 0],
    [{ input: -1 }, undefined],
    [{ input: '2.5' }, undefined],
    [{ input: Number.POSITIVE_INFINITY }, undefined],
    [{ input: null }, undefined],
    [{}, undefined],
    [Object.create({ input: 2 }) as object, undefined],
  ])('reads %j as %p', (entry, price) => {
    expect(priceOf(entry as Record<string, unknown>, 'input')).toBe(price);
  });
});

describe('withoutGaps', () => {
  it('keeps zeros and empty texts, and drops missing values', () => {
    expect(Object.keys(withoutGaps({ a: 0, b: '', c: undefined, d: false }))).toEqual(['a', 'b', 'd']);
  });
});
