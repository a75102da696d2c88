import type { OptionValues } from '../../../base/options/option-catalogue.js';
import type { PaymentTerms } from './payment-provider.js';
import { minorDigitsOf, type PriceRules } from './top-up-price.js';

type PriceOptions = Pick<
  OptionValues,
  'DisplayInCurrencyEnabled' | 'QuotaPerUnit' | 'TopupGroupRatio' | 'payment_setting.amount_discount'
>;

/** Pricing rules of a payment service's top-ups, for a payer of a group. */
export const priceRulesOf = (
  options: PriceOptions,
  { price, minUnits, currency }: PaymentTerms,
  group: string,
): PriceRules => ({
  counts: countsOf(options),
  quotaPerUnit: options.QuotaPerUnit,
  price,
  groupFactor: groupFactorOf(options, group),
  discounts: options['payment_setting.amount_discount'],
  minorDigits: minorDigitsOf(currency),
  minUnits,
});

export const countsOf = (options: Pick<PriceOptions, 'DisplayInCurrencyEnabled'>): PriceRules['counts'] =>
  options.DisplayInCurrencyEnabled ? 'unit' : 'quota';

export const groupFactorOf = (options: Pick<PriceOptions, 'TopupGroupRatio'>, group: string): number =>
  options.TopupGroupRatio[group] || 1;
