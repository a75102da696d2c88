import { describe, expect, it } from '@jest/globals';
import { OPTION_FALLBACKS } from '../../base/options/option-catalogue.js';
import { comparePrices, nameFault } from './compare-prices.js';
import type { ListedPrice } from './listed-price.js';

const listed = (model: string, more: Partial<ListedPrice> = {}): ListedPrice => ({
  model,
  provider: 'maker',
  input: 2,
  output: 8,
  ...more,
});
const EMPTY = { ...OPTION_FALLBACKS, ModelRatio: {}, ModelPrice: {}, CompletionRatio: {}, CacheRatio: {} };

describe('nameFault', () => {
  it.each([
    ['__proto__', 'the name cannot be a name of a model'],
    ['', 'the model has no name'],
    [' \t', 'the model has no name'],
    ['m'.repeat(256), 'the name is longer than 255 characters'],
    ['a\nb', 'the name has control characters in it'],
    ['a\u0000', 'the name has control characters in it'],
    ['a\u009f', 'the name has control characters in it'],
  ])('returns why %j can be no name', (model, fault) => {
    expect(nameFault(model)).toBe(fault);
  });

  it.each(['gpt-4o', 'm'.repeat(255), 'constructor', '通义/千问', 'a b'])(
    'finds nothing wrong with %j',
    (model) => {
      expect(nameFault(model)).toBeUndefined();
    },
  );
});

describe('comparePrices', () => {
  it('shows new, changed, inexpressible and unchanged entries, each by name', () => {
    const current = { ...EMPTY, ModelRatio: { same: 1, changed: 7 }, CompletionRatio: { same: 4 } };
    const list = [listed('same'), listed('z'), listed('a'), listed('changed'), listed('')];
    expect(comparePrices(list, current).map(({ model, state }) => `${state} ${model}`)).toEqual([
      'added a',
      'added z',
      'changed changed',
      'unsupported ',
      'same same',
    ]);
  });

  it('takes names like members of objects for models without a price', () => {
    expect(comparePrices([listed('constructor')], EMPTY)[0]).toMatchObject({
      state: 'added',
      entries: [
        { key: 'ModelRatio', current: null, listed: 1 },
        { key: 'CompletionRatio', current: null, listed: 4 },
      ],
    });
  });

  it('refuses a price beyond the stored range, by the entry', () => {
    expect(comparePrices([listed('m', { input: 1e9 })], EMPTY)[0]).toEqual({
      model: 'm',
      provider: 'maker',
      state: 'unsupported',
      reason: 'ModelRatio: "m" must be a number from 0 to 1000000',
      entries: [],
    });
  });

  it('sees no difference in the eleventh digit', () => {
    const current = { ...EMPTY, ModelRatio: { m: 1.000_000_000_04 }, CompletionRatio: { m: 4 } };
    expect(comparePrices([listed('m')], current)[0]?.state).toBe('same');
    expect(comparePrices([listed('m')], { ...current, ModelRatio: { m: 1.000_000_01 } })[0]?.state).toBe(
      'changed',
    );
  });

  it('distinguishes two makers of one name by their names', () => {
    const list = [listed('m', { provider: 'b' }), listed('m', { provider: 'a' })];
    expect(comparePrices(list, EMPTY).map(({ provider }) => provider)).toEqual(['a', 'b']);
    expect(comparePrices([], EMPTY)).toEqual([]);
  });
});
