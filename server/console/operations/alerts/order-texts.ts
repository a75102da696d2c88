import type { Language } from '../../../common/language.js';
import type { OrderIncidentCount } from '../../wallet/orders/order-incidents.js';

/** Heading, what is wrong, what to do. */
type Texts = readonly [title: string, sentence: string, remedy: string];

const TEXTS: Readonly<Record<OrderIncidentCount['kind'], Readonly<Record<Language, Texts>>>> = {
  mismatch: {
    en: [
      'Orders with a different payment: {count}',
      'Orders of the last days whose payment differs from the order: {count}. Nothing was credited.',
      'Open the orders with the status “To be checked” and complete or refund them.',
    ],
    zh: [
      '{count} 笔订单金额不符',
      '近日有 {count} 笔订单的实付金额与约定不符，未入账。',
      '打开状态为“待核查”的订单，补单或退款。',
    ],
  },
  ownerless: {
    en: [
      'Payments for deregistered accounts: {count}',
      'Orders of deregistered accounts paid within the last day: {count}. Nothing was credited.',
      'Open the orders with the status “To be checked”: refund the payment at the payment service and close the order, or complete it for another account.',
    ],
    zh: [
      '{count} 笔付款属于已注销账户',
      '最近一天内有 {count} 笔已注销账户的订单被支付，未入账。',
      '打开状态为“待核查”的订单：在支付平台退款后关闭订单，或为其他账户补单。',
    ],
  },
  'account-full': {
    en: [
      'Payments for accounts that cannot hold more: {count}',
      'Orders paid within the last day whose accounts cannot hold more: {count}. Nothing was credited.',
      'Open the orders with the status “To be checked”: complete them once the account has room, or refund the payment at the payment service and close the order.',
    ],
    zh: [
      '{count} 笔付款因账户余额已达上限未入账',
      '最近一天内有 {count} 笔已支付的订单，其账户余额已达上限，未入账。',
      '打开状态为“待核查”的订单：待账户余额降低后补单，或在支付平台退款后关闭订单。',
    ],
  },
  unconfirmed: {
    en: [
      'Payments without confirmation: {count}',
      'Orders above EpayConfirmAboveMoney reported as paid within the last day, while EpayOrderQueryEnabled is off: {count}. Nothing was credited.',
      'Turn on EpayOrderQueryEnabled or set EpayConfirmAboveMoney to 0; check the payments at the payment service and complete their orders.',
    ],
    zh: [
      '{count} 笔订单的付款未经确认',
      '最近一天内有 {count} 笔超过 EpayConfirmAboveMoney 的订单收到付款通知，但 EpayOrderQueryEnabled 已关闭，未入账。',
      '启用 EpayOrderQueryEnabled，或将 EpayConfirmAboveMoney 设为 0；在支付平台核实付款后补单。',
    ],
  },
  'paid-again': {
    en: [
      'Orders paid a second time: {count}',
      'Orders paid again within the last day: {count}. The second payment was not credited.',
      'Open the orders with the status “Paid a second time” and refund the second payment at the payment service.',
    ],
    zh: [
      '{count} 笔订单被重复支付',
      '最近一天内有 {count} 笔订单被重复支付，第二笔付款未入账。',
      '打开状态为“重复支付”的订单，在支付平台退回第二笔付款。',
    ],
  },
  foreign: {
    en: [
      'Orders with a payment that is not theirs: {count}',
      'Orders named by payments of other orders within the last day: {count}. Nothing was credited.',
      'The error log names the orders; their history shows the difference. Compare with the payment service and refund the payments.',
    ],
    zh: [
      '{count} 笔订单收到不属于它的付款',
      '最近一天内有付款指向 {count} 笔与其不符的订单，未入账。',
      '错误日志中有订单号，订单记录说明了差异。请与支付平台核对，并退回已付款项。',
    ],
  },
  refunded: {
    en: [
      'Refunded orders: {count}',
      'Orders refunded at the payment service within the last day: {count}. Their quota is still in the account.',
      'Open the orders with the status “Refund made” and remove the quota by an adjustment where appropriate.',
    ],
    zh: [
      '{count} 笔订单已退款',
      '最近一天内有 {count} 笔订单在支付平台退款，额度仍在账户中。',
      '打开状态为“有退款”的订单，视情况通过额度调整收回额度。',
    ],
  },
  disputed: {
    en: [
      'Disputed orders: {count}',
      'Orders whose payment was disputed within the last day: {count}. Their quota is still in the account.',
      'Open the orders with the status “Disputed”, respond at the payment service in time, and decide whether to remove the quota.',
    ],
    zh: [
      '{count} 笔订单有争议',
      '最近一天内有 {count} 笔订单的付款被付款人提出争议，额度仍在账户中。',
      '打开状态为“有争议”的订单，及时在支付平台回应，并决定如何处理额度。',
    ],
  },
};

/** @param kind  of a trouble; alerts of earlier versions have none and are mismatches */
export function orderTexts(kind: string | number | undefined, language: Language): Texts {
  const known = Object.keys(TEXTS).find((each) => each === kind) as OrderIncidentCount['kind'] | undefined;
  return TEXTS[known ?? 'mismatch'][language];
}
