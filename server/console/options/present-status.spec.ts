import { describe, expect, it } from '@jest/globals';
import type { Env } from '../../config/env.js';
import {
  OPTION_CATALOGUE,
  OPTION_FALLBACKS,
  type OptionKey,
  isSecret,
} from '../../base/options/option-catalogue.js';
import { presentStatus } from './present-status.js';

const ENV = { serverAddress: 'https://env.example', basePath: '/gate' } as Env;
const EPAY = {
  PaymentEnabled: true,
  PayAddress: 'https://pay.example',
  EpayId: '1000',
  EpayKey: 'k'.repeat(32),
};
const STRIPE = {
  PaymentEnabled: true,
  StripeEnabled: true,
  StripeApiSecret: 'sk_test_1',
  StripeWebhookSecret: 'whsec_1',
};
const statusOf = (changes: object = {}) => presentStatus({ ...OPTION_FALLBACKS, ...changes }, ENV, true);

describe('presentStatus', () => {
  it('shows no secret, whichever option holds one', () => {
    const secrets = (Object.keys(OPTION_CATALOGUE) as OptionKey[]).filter(isSecret);
    expect(secrets.length).toBeGreaterThan(5);
    const filled = Object.fromEntries(secrets.map((key) => [key, `secret of ${key}`]));
    expect(
      JSON.stringify(statusOf({ ...filled, ...EPAY, EpayKey: 'secret of EpayKey, long enough' })),
    ).not.toContain('secret of');
  });

  it.each([
    ['nothing is set', {}, false],
    ['epay is set up', EPAY, true],
    ['Stripe is set up', STRIPE, true],
    ['paying is switched off', { ...EPAY, ...STRIPE, PaymentEnabled: false }, false],
    ['Stripe has no secret for its notices', { ...STRIPE, StripeWebhookSecret: '' }, false],
    ['epay offers no way to pay', { ...EPAY, PayMethods: [] }, false],
  ])('offers paying when %s: %#', (_when, options, expected) => {
    expect(statusOf(options).enable_online_topup).toBe(expected);
  });

  it.each([
    [true, true, false, true],
    [false, true, false, false],
    [true, false, false, false],
    [true, true, true, false],
  ])(
    'shows with registering %s, by password %s, for oneself %s whether registration is open: %s',
    (all, byPassword, self, expected) => {
      const options = { RegisterEnabled: all, PasswordRegisterEnabled: byPassword, SelfUseModeEnabled: self };
      expect(statusOf(options).register_enabled).toBe(expected);
    },
  );

  it('names the address of the settings, else that of the environment', () => {
    expect(statusOf({ ServerAddress: 'https://set.example' }).server_address).toContain(
      'https://set.example',
    );
    expect(statusOf().server_address).toContain('https://env.example');
  });
});
