import type { PaymentOrder } from '../payments/payment-provider.js';
import type { TopUpEntity } from './top-up.entity.js';

/** An order in the form for payment services. */
export const toPaymentOrder = (order: TopUpEntity, title = ''): PaymentOrder => ({
  tradeNo: order.tradeNo,
  moneyMinor: order.moneyMinor,
  currency: order.currency,
  method: order.paymentMethod,
  merchantId: order.merchantId,
  providerReference: order.providerReference,
  title,
  createdAt: order.createTime,
});
