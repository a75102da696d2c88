import type { OptionValues } from './option-catalogue.js';

/** Whether people can pay with Stripe: switched on, with both secrets. */
export const isStripeOn = (
  options: Pick<OptionValues, 'StripeEnabled' | 'StripeApiSecret' | 'StripeWebhookSecret'>,
): boolean => options.StripeEnabled && options.StripeApiSecret !== '' && options.StripeWebhookSecret !== '';
