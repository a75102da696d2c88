import { describe, expect, it } from '@jest/globals';
import { groupFactorOf, priceRulesOf } from './top-up-rules.js';

const OPTIONS = {
  DisplayInCurrencyEnabled: true,
  QuotaPerUnit: 500_000,
  TopupGroupRatio: { vip: 0.8, zero: 0 },
  'payment_setting.amount_discount': { '100': 0.9 },
};

const TERMS = { price: 7.3, minUnits: 1, currency: '' };

describe('priceRulesOf', () => {
  it('takes price, smallest top-up and currency of the payment service', () => {
    expect(priceRulesOf(OPTIONS, TERMS, 'vip')).toEqual({
      counts: 'unit',
      quotaPerUnit: 500_000,
      price: 7.3,
      groupFactor: 0.8,
      discounts: { '100': 0.9 },
      minorDigits: 2,
      minUnits: 1,
    });
    const yen = { price: 150, minUnits: 5, currency: 'jpy' };
    const rules = { price: 150, minorDigits: 0, minUnits: 5 };
    expect(priceRulesOf(OPTIONS, yen, 'vip')).toMatchObject(rules);
  });

  it('counts quota while quota is not shown as money', () => {
    const options = { ...OPTIONS, DisplayInCurrencyEnabled: false };
    expect(priceRulesOf(options, TERMS, '').counts).toBe('quota');
  });
});

describe('groupFactorOf', () => {
  it('takes 1 for a group without a factor, and for a factor of 0', () => {
    expect(['vip', 'zero', 'unknown'].map((group) => groupFactorOf(OPTIONS, group))).toEqual([0.8, 1, 1]);
  });
});
