import { describe, expect, it } from '@jest/globals';
import { formatMoney, minorDigitsOf, parseMoney, type PriceRules, priceTopUp } from './top-up-price.js';

const rules = (changes: Partial<PriceRules> = {}): PriceRules => ({
  counts: 'unit',
  quotaPerUnit: 500_000,
  price: 7.3,
  groupFactor: 1,
  discounts: {},
  minorDigits: 2,
  minUnits: 1,
  ...changes,
});

const quotaRules = rules({ counts: 'quota' });

describe('the price of a top-up', () => {
  it.each([
    // 10 × 7.3 = 73.00
    ['units', 10, rules(), { moneyMinor: 7_300, quota: 5_000_000, units: 10 }],
    // 10 × 7.3 × 0.85 = 62.05
    ['the factor of a group', 10, rules({ groupFactor: 0.85 }), { moneyMinor: 6_205 }],
    ['a factor of 0, which counts as 1', 10, rules({ groupFactor: 0 }), { moneyMinor: 7_300 }],
    // 100 × 7.3 × 0.95 = 693.50
    ['the discount of an amount', 100, rules({ discounts: { '100': 0.95 } }), { moneyMinor: 69_350 }],
    ['no discount of another amount', 99, rules({ discounts: { '100': 0.95 } }), { moneyMinor: 72_270 }],
    // 3 × 0.335 = 1.005, half up, where floats give 1.00
    ['halves up', 3, rules({ price: 0.335 }), { moneyMinor: 101 }],
    // 1 × 1.1 × 1.1 = 1.21 exactly
    ['no dust of floats', 1, rules({ price: 1.1, groupFactor: 1.1 }), { moneyMinor: 121 }],
    // 7 × 149.5 = 1046.5 yen
    ['currencies without parts', 7, rules({ price: 149.5, minorDigits: 0 }), { moneyMinor: 1_047 }],
    // 1,234,567 / 500,000 × 7.3 = 18.0246782
    [
      'quota, the fraction of a unit too (PAY-108)',
      1_234_567,
      quotaRules,
      { moneyMinor: 1_802, quota: 1_234_567, units: 2 },
    ],
    // 12.5 units: discounts are for whole ones
    [
      'a discount for whole units',
      5_000_000,
      rules({ counts: 'quota', discounts: { '10': 0.5 } }),
      { moneyMinor: 3_650 },
    ],
    ['a unit that is no whole quota', 3, rules({ quotaPerUnit: 333.5 }), { quota: 1_001 }],
  ])('counts %s', (_, amount, given, expected) => {
    expect(priceTopUp(amount, given)).toMatchObject({ kind: 'priced', ...expected });
  });

  it.each([
    ['nothing', 0, rules(), { kind: 'too-small', min: 1 }],
    ['less than nothing', -5, rules(), { kind: 'too-small', min: 1 }],
    ['parts of a unit', 1.5, rules(), { kind: 'not-whole' }],
    ['parts below the minimum', 0.5, rules(), { kind: 'not-whole' }],
    ['no number', Number.NaN, rules(), { kind: 'not-whole' }],
    ['less than the minimum', 4, rules({ minUnits: 5 }), { kind: 'too-small', min: 5 }],
    ['quota below the minimum', 499_999, quotaRules, { kind: 'too-small', min: 500_000 }],
    ['more than the cap (PAY-115)', 1_000_001, rules(), { kind: 'too-large', max: 1_000_000 }],
    ['2 to the 53rd', 2 ** 53, rules(), { kind: 'too-large', max: 1_000_000 }],
    ['more than an account may hold', 5, rules({ quotaPerUnit: 1e15 }), { kind: 'too-large', max: 4 }],
    [
      'more quota than an account may hold',
      5e15,
      rules({ counts: 'quota', quotaPerUnit: 1e12 }),
      { kind: 'too-large', max: 4e15 },
    ],
    ['less than a hundredth (PAY-111)', 1, rules({ price: 0.0049 }), { kind: 'money-too-small' }],
    ['a price of 0', 1, rules({ price: 0 }), { kind: 'money-too-small' }],
  ])('refuses %s', (_, amount, given, expected) => {
    expect(priceTopUp(amount, given)).toEqual(expected);
  });

  it('takes a hundredth', () => {
    expect(priceTopUp(1, rules({ price: 0.01 }))).toMatchObject({ kind: 'priced', moneyMinor: 1 });
  });
});

describe('money as text', () => {
  it('writes it with the parts of its currency', () => {
    expect([formatMoney(7_305, 2), formatMoney(5, 2), formatMoney(1_047, 0)]).toEqual([
      '73.05',
      '0.05',
      '1047',
    ]);
    expect([minorDigitsOf('usd'), minorDigitsOf('jpy'), minorDigitsOf('')]).toEqual([2, 0, 2]);
  });

  it.each([
    ['73.05', 7_305],
    ['73', 7_300],
    ['73.0', 7_300],
    ['73.050000', 7_305],
    ['0.01', 1],
    ['73.051', null],
    ['-1', null],
    ['1e3', null],
    ['', null],
    [' 73', null],
    ['73,05', null],
    ['0x10', null],
    ['1234567890123', null],
  ])('%s is %p hundredths', (text, minor) => {
    expect(parseMoney(text, 2)).toBe(minor);
  });
});
