import { describe, expect, it } from '@jest/globals';
import { currencyOf, groupFactorOf, priceRulesOf } from './top-up-rules.js';

const OPTIONS = {
  DisplayInCurrencyEnabled: true,
  MinTopUp: 1,
  Price: 7.3,
  QuotaPerUnit: 500_000,
  StripeCurrency: 'jpy',
  StripeMinTopUp: 5,
  StripeUnitPrice: 150,
  TopupGroupRatio: { vip: 0.8, zero: 0 },
  'payment_setting.amount_discount': { '100': 0.9 },
};

describe('priceRulesOf', () => {
  it('takes price, smallest top-up and currency of the payment service', () => {
    expect(priceRulesOf(OPTIONS, { name: 'epay' }, 'vip')).toEqual({
      counts: 'unit',
      quotaPerUnit: 500_000,
      price: 7.3,
      groupFactor: 0.8,
      discounts: { '100': 0.9 },
      minorDigits: 2,
      minUnits: 1,
    });
    const ofStripe = { price: 150, minorDigits: 0, minUnits: 5 };
    expect(priceRulesOf(OPTIONS, { name: 'stripe' }, 'vip')).toMatchObject(ofStripe);
  });

  it('counts quota while quota is not shown as money', () => {
    const options = { ...OPTIONS, DisplayInCurrencyEnabled: false };
    expect(priceRulesOf(options, { name: 'epay' }, '').counts).toBe('quota');
  });
});

describe('groupFactorOf', () => {
  it('takes 1 for a group without a factor, and for a factor of 0', () => {
    expect(['vip', 'zero', 'unknown'].map((group) => groupFactorOf(OPTIONS, group))).toEqual([0.8, 1, 1]);
  });
});

describe('currencyOf', () => {
  it('names the currency of Stripe alone: Epay has its own', () => {
    expect(currencyOf(OPTIONS, { name: 'stripe' })).toBe('jpy');
    expect(currencyOf(OPTIONS, { name: 'epay' })).toBe('');
  });
});
