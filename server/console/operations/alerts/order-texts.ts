import type { Language } from '../../../common/language.js';
import type { OrderIncidentCount } from '../../wallet/orders/order-incidents.js';

/** Heading, what is wrong, what to do. */
type Texts = readonly [title: string, sentence: string, remedy: string];

const TEXTS: Readonly<Record<OrderIncidentCount['kind'], Readonly<Record<Language, Texts>>>> = {
  mismatch: {
    en: [
      '{count} order(s) were paid otherwise than agreed',
      '{count} order(s) of the last days have another sum than agreed; nothing was credited.',
      'Open the orders with the state “To be checked” and complete or refund them.',
    ],
    zh: [
      '{count} 笔订单金额不符',
      '近日有 {count} 笔订单的实付金额与约定不符，未入账。',
      '打开状态为“待核查”的订单，补单或退款。',
    ],
  },
  ownerless: {
    en: [
      '{count} order(s) were paid for deregistered accounts',
      'Within the last day {count} order(s) of deregistered accounts were paid; nothing was credited.',
      'Open the orders with the state “To be checked”: give the payment back at the payment service and close the order, or complete it for another account.',
    ],
    zh: [
      '{count} 笔付款属于已注销账户',
      '最近一天内有 {count} 笔已注销账户的订单被支付，未入账。',
      '打开状态为“待核查”的订单：在支付服务处退款后关闭订单，或为其他账户补单。',
    ],
  },
  'account-full': {
    en: [
      '{count} order(s) were paid for accounts that are full',
      'Within the last day {count} order(s) were paid whose accounts cannot hold more; nothing was credited.',
      'Open the orders with the state “To be checked”: complete them once the account has room, or give the payment back at the payment service and close the order.',
    ],
    zh: [
      '{count} 笔付款因账户余额已达上限未入账',
      '最近一天内有 {count} 笔已支付的订单，其账户余额已达上限，未入账。',
      '打开状态为“待核查”的订单：待账户余额降低后补单，或在支付服务处退款后关闭订单。',
    ],
  },
  unconfirmed: {
    en: [
      '{count} payment(s) of orders wait for a confirmation that is not asked for',
      'Within the last day {count} order(s) above EpayConfirmAboveMoney were said to be paid while EpayOrderQueryEnabled is off; nothing was credited.',
      'Switch EpayOrderQueryEnabled on or set EpayConfirmAboveMoney to 0; look the payments up at the payment service and complete their orders.',
    ],
    zh: [
      '{count} 笔订单的付款未经确认',
      '最近一天内有 {count} 笔超过 EpayConfirmAboveMoney 的订单收到付款通知，但 EpayOrderQueryEnabled 已关闭，未入账。',
      '启用 EpayOrderQueryEnabled，或将 EpayConfirmAboveMoney 设为 0；在支付服务处核实付款后补单。',
    ],
  },
  'paid-again': {
    en: [
      '{count} order(s) were paid a second time',
      '{count} order(s) were paid again within the last day; the second payment was not credited.',
      'Open the orders with the state “Paid a second time” and give the second payment back at the payment service.',
    ],
    zh: [
      '{count} 笔订单被重复支付',
      '最近一天内有 {count} 笔订单被重复支付，第二笔付款未入账。',
      '打开状态为“重复支付”的订单，在支付服务处退回第二笔付款。',
    ],
  },
  foreign: {
    en: [
      '{count} order(s) were named by a payment that is not theirs',
      'Within the last day, payments named {count} order(s) that they do not belong to; nothing was credited.',
      'The error log names the orders; their stories say what differs. Compare with the payment service and refund what was paid.',
    ],
    zh: [
      '{count} 笔订单收到不属于它的付款',
      '最近一天内有付款指向 {count} 笔与其不符的订单，未入账。',
      '错误日志中有订单号，订单经过说明了差异。请与支付服务核对，并退回已付款项。',
    ],
  },
  refunded: {
    en: [
      '{count} order(s) were refunded',
      '{count} order(s) were refunded at the payment service within the last day; their quota is still on the account.',
      'Open the orders with the state “Refund made” and take the quota back by an adjustment, where that is right.',
    ],
    zh: [
      '{count} 笔订单已退款',
      '最近一天内有 {count} 笔订单在支付服务处退款，额度仍在账户中。',
      '打开状态为“有退款”的订单，视情况通过额度调整收回额度。',
    ],
  },
  disputed: {
    en: [
      '{count} order(s) are disputed',
      'Payers disputed the payment of {count} order(s) within the last day; their quota is still on the account.',
      'Open the orders with the state “Disputed”, answer at the payment service in time, and decide what becomes of the quota.',
    ],
    zh: [
      '{count} 笔订单有争议',
      '最近一天内有 {count} 笔订单的付款被付款人提出争议，额度仍在账户中。',
      '打开状态为“有争议”的订单，及时在支付服务处回应，并决定如何处理额度。',
    ],
  },
};

/** @param kind  of a trouble; alerts of earlier versions have none and are mismatches */
export function orderTexts(kind: string | number | undefined, language: Language): Texts {
  const known = Object.keys(TEXTS).find((each) => each === kind) as OrderIncidentCount['kind'] | undefined;
  return TEXTS[known ?? 'mismatch'][language];
}
