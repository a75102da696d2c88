import type { OptionValues } from '../../options/option-catalogue.js';
import type { PaymentProvider } from './payment-provider.js';
import { minorDigitsOf, type PriceRules } from './top-up-price.js';

type PriceOptions = Pick<
  OptionValues,
  | 'DisplayInCurrencyEnabled'
  | 'MinTopUp'
  | 'Price'
  | 'QuotaPerUnit'
  | 'StripeCurrency'
  | 'StripeMinTopUp'
  | 'StripeUnitPrice'
  | 'TopupGroupRatio'
  | 'payment_setting.amount_discount'
>;
type Provider = Pick<PaymentProvider, 'name'>;

/** How a top-up by a payment service is priced for a payer of a group. */
export function priceRulesOf(options: PriceOptions, provider: Provider, group: string): PriceRules {
  const isStripe = provider.name === 'stripe';
  return {
    counts: countsOf(options),
    quotaPerUnit: options.QuotaPerUnit,
    price: isStripe ? options.StripeUnitPrice : options.Price,
    groupFactor: groupFactorOf(options, group),
    discounts: options['payment_setting.amount_discount'],
    minorDigits: minorDigitsOf(currencyOf(options, provider)),
    minUnits: isStripe ? options.StripeMinTopUp : options.MinTopUp,
  };
}

export const countsOf = (options: Pick<PriceOptions, 'DisplayInCurrencyEnabled'>): PriceRules['counts'] =>
  options.DisplayInCurrencyEnabled ? 'unit' : 'quota';

export const groupFactorOf = (options: Pick<PriceOptions, 'TopupGroupRatio'>, group: string): number =>
  options.TopupGroupRatio[group] || 1;

/** Lower-case code; empty = the payment service's own. */
export const currencyOf = (options: Pick<PriceOptions, 'StripeCurrency'>, { name }: Provider): string =>
  name === 'stripe' ? options.StripeCurrency : '';
