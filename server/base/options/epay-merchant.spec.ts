import { describe, expect, it } from '@jest/globals';
import { epayMerchant, epayMethods } from './epay-merchant.js';

const options = { PayAddress: 'https://pay.test', EpayId: '1', EpayKey: 'k'.repeat(16) };

describe('epayMerchant', () => {
  it('takes the account whole or not at all, with a key too long to guess [PAY-01]', () => {
    expect(epayMerchant(options)).toEqual({ address: 'https://pay.test', id: '1', key: 'k'.repeat(16) });
    expect(epayMerchant({ ...options, EpayKey: 'k'.repeat(15) })).toBeNull();
    expect(epayMerchant({ ...options, EpayId: '' })).toBeNull();
    expect(epayMerchant({ ...options, PayAddress: '' })).toBeNull();
  });

  it('counts the bytes of a key, not its characters', () => {
    expect(epayMerchant({ ...options, EpayKey: '密'.repeat(6) })?.key).toBe('密'.repeat(6));
    expect(epayMerchant({ ...options, EpayKey: '密'.repeat(5) })).toBeNull();
  });
});

describe('epayMethods', () => {
  it('offers methods with a type other than Stripe, by their name or else their type', () => {
    const PayMethods: readonly Readonly<Record<string, string>>[] = [
      { name: 'Alipay', type: 'alipay' },
      { type: 'wxpay' },
      { name: 'Card', type: 'stripe' },
      { name: 'no type' },
      { name: 'empty', type: '' },
    ];
    expect(epayMethods({ PayMethods })).toEqual([
      { name: 'Alipay', type: 'alipay' },
      { name: 'wxpay', type: 'wxpay' },
    ]);
  });
});
