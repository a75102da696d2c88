import { describe, expect, it } from '@jest/globals';
import { GroupPrices } from './price-table.js';
import { PriceDocumentError } from './read-price-document.js';

const prices = new GroupPrices(
  { default: 1, vip: 0.8, free: 0 },
  { vip: { default: 0.5, free: 0 }, empty: {} },
  { vip: { 'gpt-4*': 0.25 }, bare: {} },
);

describe('GroupPrices', () => {
  it.each([
    ['the model agreed for the account', 'vip', 'default', 'gpt-4o', '0.25', 'vip'],
    ['the group agreed for the account', 'vip', 'default', 'o3', '0.5', 'vip'],
    ['an agreed price of nothing', 'vip', 'free', 'o3', '0', 'vip'],
    ["the group's own factor", 'vip', 'vip', 'o3', '0.8', undefined],
    ["the group's own factor of nothing", 'default', 'free', 'o3', '0', undefined],
    ['1 for a group nobody named', 'default', 'ghost', 'o3', '1', undefined],
    ['1 for a group named like a member of objects', 'constructor', '__proto__', 'toString', '1', undefined],
  ])('takes %s', (_what, userGroup, group, model, groupRatio, agreedFor) => {
    const factor = prices.factor(userGroup, group, model);
    expect([factor.groupRatio, factor.userGroup]).toEqual([groupRatio, agreedFor]);
  });

  it('names the entry a factor of a model comes from', () => {
    expect(prices.factor('vip', 'default', 'gpt-4o')).toEqual({
      groupRatio: '0.25',
      userGroup: 'vip',
      modelPattern: 'gpt-4*',
    });
  });

  it('distinguishes only accounts whose group may matter', () => {
    expect(prices.special('vip', 'anything')).toBe('vip');
    expect(['empty', 'bare', 'default', ''].map((group) => prices.special(group, 'default'))).toEqual([
      '',
      '',
      '',
      '',
    ]);
    const agreedOnly = new GroupPrices({}, { vip: { default: 0.5 } });
    expect([agreedOnly.special('vip', 'default'), agreedOnly.special('vip', 'other')]).toEqual(['vip', '']);
  });

  it('returns no agreed factors while none are configured', () => {
    expect(new GroupPrices({ default: 1 }, {}, { bare: {} }).hasAgreed).toBe(false);
    expect(new GroupPrices({}, { vip: {} }).hasAgreed).toBe(true);
  });

  it('names the document and the entry that cannot be used', () => {
    expect(() => new GroupPrices({ vip: -1 }, {})).toThrow('GroupRatio: "vip"');
    expect(() => new GroupPrices({}, { vip: { default: Number.NaN } })).toThrow(
      'GroupGroupRatio: "vip": "default"',
    );
    expect(() => new GroupPrices({}, {}, { vip: { 'gpt-4*': 1e7 } })).toThrow(PriceDocumentError);
  });
});
