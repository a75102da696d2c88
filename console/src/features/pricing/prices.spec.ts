import { describe, expect, it } from '@jest/globals';
import { aPriceEntry, PICTURE_PRICE, UNSET_PRICE } from '../../testing/price-entries';
import {
  factorIn,
  fallbackPrice,
  formatPrice,
  groupsOf,
  matching,
  priceIn,
  shownGroup,
  vendorsOf,
} from './prices';

describe('prices', () => {
  it('computes a price as ratio × 2 × group ratio, and output as that × completion ratio', () => {
    expect(priceIn(aPriceEntry(), 0.8)).toEqual({ input: 2, output: 8, cacheRead: 1, cacheWrite: 2 });
    expect(priceIn(aPriceEntry({ reasoning_ratio: 6 }), 1).reasoning).toBe(15);
    expect(priceIn(aPriceEntry(), 1).reasoning).toBeUndefined();
    expect(priceIn(aPriceEntry({ image_ratio: 2, image_completion_ratio: 8 }), 1)).toMatchObject({
      imageInput: 5,
      imageOutput: 20,
    });
    expect(priceIn(PICTURE_PRICE, 0.5)).toEqual({ call: 0.02 });
    // The factor of the reader's own group replaces that of the group shown.
    expect(priceIn({ ...PICTURE_PRICE, account_group_ratio: 0 }, 0.5)).toEqual({ call: 0 });
    expect(priceIn(aPriceEntry({ account_group_ratio: 0.4 }), 7)).toMatchObject({ input: 1, output: 4 });
    expect(priceIn(aPriceEntry({ account_group_ratio: null }), 2)).toMatchObject({ input: 5 });
    expect(priceIn(aPriceEntry({ audio_ratio: 8, audio_completion_ratio: 2 }), 1)).toMatchObject({
      audioInput: 20,
      audioOutput: 40,
    });
  });

  it('shows at most three decimals, and never a price that looks free', () => {
    expect([0, 2.5, 0.075, 1.23456, 1234, 0.0001234].map(formatPrice)).toEqual([
      '$0.00',
      '$2.50',
      '$0.075',
      '$1.235',
      '$1,234.00',
      '$0.00012',
    ]);
  });

  it('shows prices for the chosen group, else one’s own, else default', () => {
    expect(shownGroup(['default', 'vip'], 'vip', 'default')).toBe('vip');
    expect(shownGroup(['default', 'vip'], 'gone', 'vip')).toBe('vip');
    expect(shownGroup(['default', 'vip'], '', undefined)).toBe('default');
    expect(shownGroup(['team'], '', undefined)).toBe('team');
    expect(shownGroup([], '', undefined)).toBe('');
  });

  it('finds models by name, vendor and kind together', () => {
    const find = (filters: object) =>
      matching([aPriceEntry(), PICTURE_PRICE], { keyword: '', vendor: '', type: '', ...filters }).map(
        ({ model_name: name }) => name,
      );
    expect(find({ keyword: ' 4O ' })).toEqual(['gpt-4o']);
    expect(find({ vendor: 'Studio' })).toEqual(['picture-1']);
    expect(find({ type: 'call', vendor: 'OpenAI' })).toEqual([]);
  });

  it('has the prices of the first models, and finds models without a price', () => {
    const names = (type: string) =>
      matching([UNSET_PRICE, aPriceEntry()], { keyword: '', vendor: '', type }).map(
        ({ model_name: name }) => name,
      );
    expect(names('')).toEqual(['gpt-4o', 'small-model']);
    expect(names('unset')).toEqual(['small-model']);
    expect(names('use')).toEqual(['gpt-4o']);
    expect(priceIn(UNSET_PRICE, 1)).toEqual({});
  });

  it('sorts models of others by their makers, and groups by name with the default first', () => {
    const makers = ['b', '', 'a', 'b'].map((vendor) => aPriceEntry({ vendor }));
    expect(vendorsOf(makers)).toEqual(['a', 'b']);
    expect(groupsOf({ groupRatio: { vip: 1, '': 1, default: 2 } })).toEqual(['default', 'vip']);
  });

  it('multiplies by the factor agreed for the reader, by that of the group, or by 1', () => {
    expect(factorIn({ account_group_ratio: 0 }, 2)).toBe(0);
    expect(factorIn({ account_group_ratio: null }, 2)).toBe(2);
    expect(factorIn({ account_group_ratio: null }, undefined)).toBe(1);
    // 37.5 × $2 × 0.5
    expect(fallbackPrice(UNSET_PRICE, 0.5)).toBe(37.5);
  });

  it('writes down what is next to nothing, with twelve decimals at most', () => {
    expect([0.000499, 0.0005, 1e-9, 1e-15].map(formatPrice)).toEqual([
      '$0.00050',
      '$0.001',
      '$0.0000000010',
      '$0.000000000000',
    ]);
  });
});
