import { describe, expect, it } from '@jest/globals';
import { GroupPrices } from './price-table.js';
import { MODEL_PATTERN, ModelFactors } from './model-factors.js';
import { PriceDocumentError } from './read-price-document.js';

const patternOf = (document: Readonly<Record<string, number>>, model: string) =>
  new ModelFactors('vip', document).of(model)?.pattern;

describe('factors of models agreed for accounts of a group', () => {
  it.each([
    ['gpt-4*', 'gpt-4', true],
    ['gpt-4*', 'gpt-4o-mini', true],
    ['gpt-4*', 'gpt-3.5', false],
    ['gpt-4*', 'my-gpt-4', false],
    ['*', 'anything', true],
    ['*-mini', 'gpt-4o-mini', true],
    ['*-mini', 'gpt-4o-mini-2024', false],
    ['gpt-*-mini', 'gpt-4o-mini', true],
    ['gpt-*-mini', 'gpt-mini', false],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['*a*b*', 'xaxb', true],
    ['*a*b*', 'xbxa', false],
    ['a.c', 'abc', false],
    ['GPT-4*', 'gpt-4', false],
  ])('%s is meant by %s: %s', (pattern, model, isMeant) => {
    expect(patternOf({ [pattern]: 0.5 }, model)).toBe(isMeant ? pattern : undefined);
  });

  it.each([
    [['*', 'gpt-4*', 'gpt-4o*', 'gpt-4o'], 'gpt-4o'],
    [['*', 'gpt-4*', 'gpt-4o*'], 'gpt-4o*'],
    [['*', 'gpt-*'], 'gpt-*'],
    [['*'], '*'],
    // Both patterns name as much: the beginning counts, then the alphabet.
    [['gpt-*', '*-4o*'], 'gpt-*'],
    [['*4o', '*4*o'], '*4*o'],
  ])('takes of %j the most specific entry, in any order', (patterns, winner) => {
    for (const order of [patterns, patterns.toReversed()])
      expect(patternOf(Object.fromEntries(order.map((pattern) => [pattern, 1])), 'gpt-4o')).toBe(winner);
  });

  it('finds a model by a pattern exactly where every split of the name would', () => {
    let state = 4_711;
    const below = (bound: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 4_294_967_296) * bound);
    };
    const textOf = (letters: string, length: number) =>
      Array.from({ length: below(length) }, () => letters[below(letters.length)]).join('');
    for (let round = 0; round < 5_000; round += 1) {
      const pattern = textOf('ab*', 7);
      const model = textOf('ab', 9);
      if (!pattern.includes('*')) continue;
      const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
      expect([pattern, model, patternOf({ [pattern]: 1 }, model) !== undefined]).toEqual([
        pattern,
        model,
        expression.test(model),
      ]);
    }
  });

  it('takes no time over a pattern with many stars', () => {
    const pattern = `${'a*'.repeat(100)}b`;
    expect(patternOf({ [pattern]: 1 }, 'a'.repeat(20_000))).toBeUndefined();
  });

  it('refuses names with a blank at either end, and figures that are none', () => {
    for (const name of ['gpt-4*', '*', 'a b', 'm'.repeat(255)]) expect(MODEL_PATTERN.test(name)).toBe(true);
    for (const name of ['', ' gpt', 'gpt ', 'a\nb', 'm'.repeat(256)])
      expect(MODEL_PATTERN.test(name)).toBe(false);
    for (const factor of [-1, Number.NaN, 1_000_001])
      expect(() => new GroupPrices({}, {}, { vip: { 'gpt-4*': factor } })).toThrow(PriceDocumentError);
  });

  it('replaces what is agreed between groups, which replaces the factor of the group', () => {
    const prices = new GroupPrices({ shop: 3 }, { vip: { shop: 2 } }, { vip: { 'gpt-4*': 0 }, empty: {} });
    expect(prices.factor('vip', 'shop', 'gpt-4o')).toEqual({
      groupRatio: '0',
      userGroup: 'vip',
      modelPattern: 'gpt-4*',
    });
    expect(prices.factor('vip', 'shop', 'o3')).toEqual({ groupRatio: '2', userGroup: 'vip' });
    expect(prices.factor('shop', 'shop', 'gpt-4o')).toEqual({ groupRatio: '3' });
    expect(prices.factor('empty', 'nowhere', 'gpt-4o')).toEqual({ groupRatio: '1' });
    expect(prices.factor('constructor', 'nowhere', 'gpt-4o')).toEqual({ groupRatio: '1' });
    expect([prices.special('vip', 'x'), prices.special('shop', 'shop'), prices.hasAgreed]).toEqual([
      'vip',
      '',
      true,
    ]);
  });
});
