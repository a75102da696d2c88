import type { OptionValues } from './option-catalogue.js';

/** True when Stripe is switched on, with both secrets. */
export const isStripeOn = (
  options: Pick<OptionValues, 'StripeEnabled' | 'StripeApiSecret' | 'StripeWebhookSecret'>,
): boolean => options.StripeEnabled && options.StripeApiSecret !== '' && options.StripeWebhookSecret !== '';
