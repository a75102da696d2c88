import type { OptionField } from './option-field-types';

const payment = { tab: 'system', heading: 'payment' } as const;
const epay = { tab: 'system', heading: 'epay' } as const;
const stripe = { tab: 'system', heading: 'stripe' } as const;

/** Top-up by online payment: what it costs, and the two services. A secret is sent with its address. */
export const PAYMENT_FIELDS: readonly OptionField[] = [
  { ...payment, id: 'topUpLink', key: 'TopUpLink', kind: 'address' },
  {
    ...payment,
    id: 'amountOptions',
    key: 'payment_setting.amount_options',
    kind: 'json',
    example: [10, 20, 50, 100],
  },
  {
    ...payment,
    id: 'amountDiscount',
    key: 'payment_setting.amount_discount',
    kind: 'json',
    example: { '100': 0.95, '500': 0.9 },
  },
  {
    ...payment,
    id: 'topUpGroups',
    key: 'TopupGroupRatio',
    kind: 'json',
    example: { default: 1, vip: 0.9 },
  },

  { ...epay, id: 'payAddress', key: 'PayAddress', kind: 'address' },
  { ...epay, id: 'epayId', key: 'EpayId', kind: 'text' },
  { ...epay, id: 'epayKey', key: 'EpayKey', kind: 'secret' },
  { ...epay, id: 'callbackBase', key: 'CustomCallbackAddress', kind: 'address' },
  { ...epay, id: 'price', key: 'Price', kind: 'number', min: 0, unit: 'yuanPerDollar' },
  { ...epay, id: 'minTopUp', key: 'MinTopUp', kind: 'integer', min: 1, unit: 'dollars' },
  {
    ...epay,
    id: 'payMethods',
    key: 'PayMethods',
    kind: 'json',
    example: [
      { name: 'Alipay', type: 'alipay' },
      { name: 'WeChat Pay', type: 'wxpay' },
    ],
  },
  { ...epay, id: 'epayConfirmAbove', key: 'EpayConfirmAboveMoney', kind: 'number', min: 0, unit: 'yuan' },
  { ...epay, id: 'epayQuery', key: 'EpayOrderQueryEnabled', kind: 'flag' },

  { ...stripe, id: 'stripeEnabled', key: 'StripeEnabled', kind: 'flag' },
  { ...stripe, id: 'stripeAddress', key: 'StripeApiAddress', kind: 'address' },
  { ...stripe, id: 'stripeSecret', key: 'StripeApiSecret', kind: 'secret' },
  { ...stripe, id: 'stripeWebhookSecret', key: 'StripeWebhookSecret', kind: 'secret' },
  { ...stripe, id: 'stripeCurrency', key: 'StripeCurrency', kind: 'text' },
  { ...stripe, id: 'stripePrice', key: 'StripeUnitPrice', kind: 'number', min: 0, unit: 'perDollar' },
  {
    ...stripe,
    id: 'stripeMin',
    key: 'StripeMinTopUp',
    kind: 'integer',
    min: 1,
    max: 1_000_000,
    unit: 'dollars',
  },
];
