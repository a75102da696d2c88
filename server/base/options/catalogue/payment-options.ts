import { MIN_EPAY_KEY_BYTES } from '../epay-merchant.js';
import {
  amountList,
  DISCOUNT_MAP_FORM,
  PAY_METHODS_FORM,
  payMethods,
  ratioMap,
  TOP_UP_RATIO_FORM,
  wrongDiscount,
  wrongPayMethod,
  wrongTopUpRatio,
} from '../option-documents.js';
import { address, currencyCode, decimal, flag, integer, json, secret, text } from '../option-kinds.js';

/** Topping up: payment services, sums and discounts. */
export const PAYMENT_OPTIONS = {
  TopUpLink: address({
    tab: 'system',
    heading: 'payment',
    section: 'payments',
    class: 'public',
    help: 'External shop link shown in the wallet.',
  }),
  PayAddress: address({
    calledAs: 'service',
    tab: 'system',
    heading: 'epay',
    section: 'payments',
    help: 'Address of the payment service.',
  }),
  CustomCallbackAddress: address({
    tab: 'system',
    heading: 'epay',
    section: 'payments',
    help: 'Base address for payment callbacks, when it is not the server address.',
  }),
  EpayId: text({
    tab: 'system',
    heading: 'epay',
    section: 'payments',
    max: 255,
    help: 'Merchant id at the payment service.',
  }),
  EpayKey: secret({
    tab: 'system',
    heading: 'epay',
    section: 'payments',
    minBytes: MIN_EPAY_KEY_BYTES,
    help: 'Merchant key at the payment service; at least 16 bytes.',
  }),
  EpayOrderQueryEnabled: flag(true, {
    tab: 'system',
    heading: 'epay',
    section: 'payments',
    help: 'Ask the payment service about orders whose notification did not come.',
  }),
  EpayConfirmAboveMoney: decimal(
    0,
    { min: 0, max: 1e9 },
    {
      tab: 'system',
      heading: 'epay',
      section: 'payments',
      help: 'Notifications of payments above this sum count only when the payment service confirms them; 0 = none are confirmed.',
    },
  ),
  StripeEnabled: flag(false, {
    tab: 'system',
    heading: 'stripe',
    section: 'payments',
    class: 'security',
    help: 'Top up with Stripe Checkout.',
  }),
  StripeApiSecret: secret({
    tab: 'system',
    heading: 'stripe',
    section: 'payments',
    help: 'Secret or restricted API key of the Stripe account.',
  }),
  StripeWebhookSecret: secret({
    tab: 'system',
    heading: 'stripe',
    section: 'payments',
    help: 'Signing secret of the Stripe webhook that points at /api/stripe/webhook.',
  }),
  StripeApiAddress: address({
    calledAs: 'service',
    tab: 'system',
    heading: 'stripe',
    section: 'payments',
    help: 'Address of the Stripe API; empty = https://api.stripe.com.',
  }),
  StripeCurrency: currencyCode('usd', {
    tab: 'system',
    heading: 'stripe',
    section: 'payments',
    help: 'Currency of payments by Stripe.',
  }),
  StripeUnitPrice: decimal(
    1,
    { min: 0, max: 1e9 },
    { tab: 'system', heading: 'stripe', section: 'payments', help: 'Price of one unit in that currency.' },
  ),
  StripeMinTopUp: integer(
    1,
    { min: 1, max: 1_000_000 },
    { tab: 'system', heading: 'stripe', section: 'payments', help: 'Smallest top-up by Stripe, in units.' },
  ),
  Price: decimal(
    7.3,
    { min: 0, max: 1e9 },
    {
      tab: 'system',
      heading: 'epay',
      section: 'payments',
      class: 'public',
      help: 'Local currency per unit.',
    },
  ),
  MinTopUp: integer(
    1,
    { min: 1, max: 1_000_000_000 },
    {
      tab: 'system',
      heading: 'epay',
      section: 'payments',
      class: 'public',
      help: 'Smallest top-up, in units.',
    },
  ),
  TopupGroupRatio: json<Readonly<Record<string, number>>>(
    { default: 1, vip: 1, svip: 1 },
    ratioMap,
    TOP_UP_RATIO_FORM,
    {
      tab: 'system',
      heading: 'payment',
      section: 'payments',
      help: 'Top-up price factor per group.',
      faultOf: wrongTopUpRatio,
    },
  ),
  PayMethods: json<readonly Readonly<Record<string, string>>[]>(
    [
      { name: 'Alipay', type: 'alipay' },
      { name: 'WeChat Pay', type: 'wxpay' },
    ],
    payMethods,
    PAY_METHODS_FORM,
    {
      tab: 'system',
      heading: 'epay',
      section: 'payments',
      help: 'Payment choices.',
      faultOf: wrongPayMethod,
    },
  ),
  'payment_setting.amount_options': json<readonly number[]>(
    [10, 20, 50, 100, 200, 500],
    amountList,
    'a JSON list of whole numbers',
    { tab: 'system', heading: 'payment', section: 'payments', help: 'Preset top-up amounts.' },
  ),
  'payment_setting.amount_discount': json<Readonly<Record<string, number>>>({}, ratioMap, DISCOUNT_MAP_FORM, {
    tab: 'system',
    heading: 'payment',
    section: 'payments',
    help: 'Discount factor per top-up amount.',
    faultOf: wrongDiscount,
  }),
} as const satisfies Record<string, unknown>;
