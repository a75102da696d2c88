import { describe, expect, it } from '@jest/globals';
import { isStripeOn } from './stripe-account.js';

describe('isStripeOn', () => {
  it.each([
    [true, 'sk', 'whsec', true],
    [false, 'sk', 'whsec', false],
    [true, '', 'whsec', false],
    [true, 'sk', '', false],
  ])(
    'takes the switch %p with %j and %j for %p',
    (StripeEnabled, StripeApiSecret, StripeWebhookSecret, isOn) => {
      expect(isStripeOn({ StripeEnabled, StripeApiSecret, StripeWebhookSecret })).toBe(isOn);
    },
  );
});
