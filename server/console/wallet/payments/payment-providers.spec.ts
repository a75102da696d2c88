import { describe, expect, it } from '@jest/globals';
import type { EpayProvider } from './epay.provider.js';
import { PaymentProviders } from './payment-providers.js';
import type { StripeProvider } from './stripe.provider.js';

const offering = (name: string, ...types: string[]) => ({
  name,
  methods: () => types.map((type) => ({ name: type, type })),
});
const epay = offering('epay', 'alipay', 'wxpay') as unknown as EpayProvider;
const stripe = offering('stripe', 'stripe') as unknown as StripeProvider;
const providers = new PaymentProviders(epay, stripe);

describe('PaymentProviders', () => {
  it.each([
    ['alipay', epay, 'alipay'],
    ['zfb', epay, 'alipay'],
    ['wx', epay, 'wxpay'],
    ['stripe', stripe, 'stripe'],
  ])('finds the provider of %s', (asked, provider, method) => {
    expect(providers.ofMethod(asked)).toEqual({ provider, method });
  });

  it.each(['', 'paypal', 'constructor'])('finds no provider for %j', (asked) => {
    expect(providers.ofMethod(asked)).toBeUndefined();
  });

  it('does not offer providers that are switched off', () => {
    const off = new PaymentProviders(offering('epay') as unknown as EpayProvider, stripe);
    expect(off.ofMethod('alipay')).toBeUndefined();
  });

  it('returns the provider an order is stored with', () => {
    expect(providers.byName('stripe')).toBe(stripe);
    expect(providers.byName('paypal')).toBeUndefined();
  });
});
