import { describe, expect, it } from '@jest/globals';
import { OPTION_FALLBACKS } from '../../../base/options/option-catalogue.js';
import type { OptionsService } from '../../../base/options/options.service.js';
import type { EpayProvider } from './epay.provider.js';
import { PaymentProviders } from './payment-providers.js';
import type { StripeProvider } from './stripe.provider.js';
import { TopUpOffers } from './top-up-offers.js';

const service = (name: string, price: number, currency: string, isOn = true) => ({
  name,
  isOn: () => isOn,
  methods: () => [{ name, type: name }],
  terms: () => ({ price, minUnits: 2, currency }),
});
const options = {
  values: () => ({ ...OPTION_FALLBACKS, PaymentEnabled: true }),
} as unknown as OptionsService;

const offersOf = (first: ReturnType<typeof service>, second: ReturnType<typeof service>): TopUpOffers =>
  new TopUpOffers(
    new PaymentProviders(first as unknown as EpayProvider, second as unknown as StripeProvider),
    options,
  );

describe('TopUpOffers', () => {
  it('prices a top-up by the service’s own price, whatever its name', () => {
    const offers = offersOf(service('bank', 3, ''), service('card', 200, 'jpy'));
    expect(offers.all().map((one) => offers.price(one, '', 10).moneyMinor)).toEqual([3_000, 2_000]);
    expect(() => offers.price(offers.first(), '', 1)).toThrow(
      expect.objectContaining({ code: 'topup_amount_too_small' }),
    );
  });

  it('offers enabled methods, and none of a disabled service', () => {
    const offers = offersOf(service('bank', 3, '', false), service('card', 200, 'jpy'));
    expect(offers.all().map(({ name }) => name)).toEqual(['card']);
    expect(() => offers.ofMethod('bank')).toThrow(expect.objectContaining({ code: 'topup_method_unknown' }));
  });
});
