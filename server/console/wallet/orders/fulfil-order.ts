import type { DataSource, EntityManager } from 'typeorm';
import { isDuplicateKey, runInTransaction } from '../../../infra/database/run-in-transaction.js';
import {
  type AccountMoney,
  BalanceTooHighError,
} from '../../../base/billing/ledger/account-money.service.js';
import { ORDER_STATUS, PAYABLE } from './order-status.js';
import type { ReportedPayment } from '../payments/payment-provider.js';
import type { TopUpEntity } from './top-up.entity.js';
import { formatMoney, minorDigitsOf } from '../payments/top-up-price.js';
import { storedKey } from '../../../common/stored-key.js';
import { paymentKeyOf, type TopUpsRepository } from './top-ups.repository.js';

export interface FulfilmentParts {
  readonly dataSource: DataSource;
  readonly orders: TopUpsRepository;
  readonly money: Pick<AccountMoney, 'credit'>;
  /** True when no account can use the credit; holds the account until the transaction ends. */
  readonly isOwnerGone: (manager: EntityManager, userId: number) => Promise<boolean>;
}

/** Thrown inside the transaction that would have credited it. */
class OwnerGoneError extends Error {}
/** Thrown in the same place: this very payment was refunded by hand, after it had been set aside. */
class GivenBackError extends Error {}

/** An incident that needs a person, reported when it is first recorded. */
export interface NotedIncident {
  readonly kind: 'mismatch' | 'foreign' | 'ownerless' | 'account-full' | 'paid-again';
  readonly detail: string;
}

export type Fulfilment =
  /** Paid and credited, now. */
  | { readonly kind: 'credited'; readonly order: TopUpEntity }
  /** Was credited before. */
  | { readonly kind: 'known'; readonly order: TopUpEntity; readonly incident?: NotedIncident | undefined }
  /** Another sum or currency than agreed: nothing credited; the order records it. */
  | { readonly kind: 'mismatch'; readonly order: TopUpEntity; readonly incident: NotedIncident | undefined }
  /** Not this order's service, method, merchant or session, or a payment that paid another order: nothing credited. */
  | {
      readonly kind: 'foreign';
      readonly order: TopUpEntity;
      readonly what: string;
      readonly incident: NotedIncident | undefined;
    }
  /**
   * The account is deregistered, and root gives it back or to another account; or the account would hold more than it may,
   * and it is credited or given back once a person has looked. Nothing credited.
   */
  | {
      readonly kind: 'ownerless' | 'account-full';
      readonly order: TopUpEntity;
      readonly incident: NotedIncident | undefined;
    }
  | { readonly kind: 'unknown-order' };

/** Ledger ref of a paid order. */
export const ledgerRefOf = (orderId: number): string => `top-up:${orderId}`;

/**
 * Checks a reported payment against the order, and credits it: the change to paid, the credit and the event are one transaction.
 * However often, late, parallel or out of order the payment is reported, the account gets the order's quota once.
 */
export async function fulfilOrder(
  parts: FulfilmentParts,
  reported: ReportedPayment,
  nowMs: number,
): Promise<Fulfilment> {
  const order = await parts.orders.findByTradeNo(reported.tradeNo);
  if (order === null) return { kind: 'unknown-order' };
  const what = differenceOf(order, reported);
  if (what !== null) return recordForeignPayment(parts, order, reported, what, nowMs);
  if (reported.moneyMinor !== order.moneyMinor || reported.currency !== order.currency)
    return recordMismatch(parts, order, reported, nowMs);
  try {
    return await credit(parts, order, reported, nowMs);
  } catch (error) {
    if (error instanceof GivenBackError) return { kind: 'known', order };
    if (error instanceof OwnerGoneError)
      return recordUncredited(parts, order, reported, {
        kind: 'ownerless',
        detail: `payment ${reported.providerTradeNo}: account ${order.userId} is deregistered`,
        nowMs,
      });
    if (error instanceof BalanceTooHighError)
      return recordUncredited(parts, order, reported, {
        kind: 'account-full',
        detail: `payment ${reported.providerTradeNo}`,
        nowMs,
      });
    if (isDuplicateKey(error)) return recordForeignPayment(parts, order, reported, 'payment', nowMs);
    throw error;
  }
}

/** Completes an order without the service. @returns false when it was paid already. Fails: as `AccountMoney.credit`. */
export async function fulfilByHand(
  parts: Omit<FulfilmentParts, 'isOwnerGone'>,
  order: TopUpEntity,
  by: { readonly actorId: number; readonly userId: number; readonly reason: string; readonly nowMs: number },
  also: (manager: Parameters<Parameters<typeof runInTransaction>[1]>[0]) => Promise<void>,
): Promise<boolean> {
  const { orders, money, dataSource } = parts;
  return runInTransaction(dataSource, async (manager) => {
    const nowSeconds = Math.floor(by.nowMs / 1000);
    const { actorId: completedBy, userId } = by;
    const completion = { providerTradeNo: null, nowSeconds, completedBy, userId };
    if (!(await orders.pay(manager, order.id, completion))) return false;
    await orders.note(manager, {
      orderId: order.id,
      kind: 'completed-by-hand',
      eventKey: `order:${order.id}:by-hand`,
      actorId: by.actorId,
      detail:
        userId === order.userId
          ? by.reason
          : `for account ${userId} instead of ${order.userId}: ${by.reason}`,
      createdAtMs: by.nowMs,
    });
    await money.credit(
      manager,
      movementOf({ ...order, userId }, by.actorId, `order ${order.tradeNo} completed by hand: ${by.reason}`),
    );
    await also(manager);
    return true;
  });
}

/** Makes a refund by hand happen once, and keeps its repeated notifications from opening the order again. */
export const refundKeyOf = (orderId: number): string => `order:${orderId}:refunded-by-hand`;

async function credit(
  { dataSource, orders, money, isOwnerGone }: FulfilmentParts,
  order: TopUpEntity,
  reported: ReportedPayment,
  nowMs: number,
): Promise<Fulfilment> {
  if (isPaidBy(order, reported)) return { kind: 'known', order };
  return runInTransaction(dataSource, async (manager) => {
    const { providerTradeNo } = reported;
    const isNew = await orders.pay(manager, order.id, {
      providerTradeNo,
      nowSeconds: Math.floor(nowMs / 1000),
      completedBy: 0,
    });
    if (isNew) {
      if (await isRefunded(orders, manager, order, reported)) throw new GivenBackError();
      if (await isOwnerGone(manager, order.userId)) throw new OwnerGoneError();
      await money.credit(manager, movementOf(order, 0, `order ${order.tradeNo}`));
    } else {
      const current = await orders.findByTradeNo(order.tradeNo, manager);
      if (current !== null && isPaidBy(current, reported)) return { kind: 'known', order };
    }
    // An order that was completed by hand now has its payment. A second payment of one order credits nothing:
    // administrators see it and give it back.
    const isFirst = isNew || (await orders.namePayment(manager, order.id, providerTradeNo));
    const eventKey = `${reported.provider}:paid:${order.id}:${providerTradeNo}`;
    const detail = `payment ${providerTradeNo}`;
    if (isFirst) {
      const payment = paymentKeyOf(reported.provider, providerTradeNo);
      const event = { orderId: order.id, kind: 'paid', eventKey, detail, payment };
      await orders.note(manager, { ...event, createdAtMs: nowMs });
      return { kind: isNew ? 'credited' : 'known', order };
    }
    const incident = { kind: 'paid-again', detail } as const;
    return {
      kind: 'known',
      order,
      incident: await recordIncident(orders, manager, order, { ...incident, reported }, eventKey, nowMs),
    };
  });
}

/** @returns the incident when it is news, undefined when it was noted before */
async function recordIncident(
  orders: TopUpsRepository,
  manager: EntityManager,
  order: TopUpEntity,
  { kind, detail, reported }: NotedIncident & { readonly reported: ReportedPayment },
  eventKey: string,
  nowMs: number,
): Promise<NotedIncident | undefined> {
  if (await orders.knowsEvent(manager, eventKey)) return undefined;
  // A payment that is not this order's is an event of another one.
  const payment = kind === 'foreign' ? null : paymentKeyOf(reported.provider, reported.providerTradeNo);
  await orders.note(manager, { orderId: order.id, kind, detail, payment, eventKey, createdAtMs: nowMs });
  return { kind, detail };
}

/** Kept as an event only: the order itself is not touched by a payment that is not its own. */
async function recordForeignPayment(
  { dataSource, orders }: FulfilmentParts,
  order: TopUpEntity,
  reported: ReportedPayment,
  what: string,
  nowMs: number,
): Promise<Fulfilment> {
  const incident: NotedIncident = {
    kind: 'foreign',
    detail: `payment ${reported.providerTradeNo} by ${reported.provider}: the ${what} is not that of the order`,
  };
  const key = `${reported.provider}:foreign:${order.id}:${what}:${reported.providerTradeNo}`;
  const news = await recordIncident(orders, dataSource.manager, order, { ...incident, reported }, key, nowMs);
  return { kind: 'foreign', order, what, incident: news };
}

const isPaidBy = (order: TopUpEntity, reported: ReportedPayment): boolean =>
  order.status === ORDER_STATUS.success && order.providerTradeNo === storedKey(reported.providerTradeNo);

async function recordMismatch(
  { dataSource, orders }: FulfilmentParts,
  order: TopUpEntity,
  reported: ReportedPayment,
  nowMs: number,
): Promise<Fulfilment> {
  const found = moneyText(reported.moneyMinor, reported.currency);
  const expected = moneyText(order.moneyMinor, order.currency);
  const incident: NotedIncident = {
    kind: 'mismatch',
    detail: `payment ${reported.providerTradeNo}: expected ${expected}, got ${found}`,
  };
  const key = `${reported.provider}:mismatch:${order.id}:${reported.providerTradeNo}:${found}`;
  const news = await setAside({ dataSource, orders }, order, reported, { incident, key, nowMs });
  return { kind: 'mismatch', order, incident: news };
}

/** A payment as agreed that its account cannot take. */
async function recordUncredited(
  { dataSource, orders }: FulfilmentParts,
  order: TopUpEntity,
  reported: ReportedPayment,
  {
    kind,
    detail,
    nowMs,
  }: { readonly kind: 'ownerless' | 'account-full'; readonly detail: string; readonly nowMs: number },
): Promise<Fulfilment> {
  const key = uncreditedKeyOf(kind, order, reported);
  const news = await setAside({ dataSource, orders }, order, reported, {
    incident: { kind, detail },
    key,
    nowMs,
  });
  return { kind, order, incident: news };
}

const uncreditedKeyOf = (
  kind: 'ownerless' | 'account-full',
  order: TopUpEntity,
  { provider, providerTradeNo }: ReportedPayment,
): string => `${provider}:${kind}:${order.id}:${providerTradeNo}`;

/** An account that was full may have room by the time the service repeats what was given back meanwhile. */
const isRefunded = async (
  orders: TopUpsRepository,
  manager: EntityManager,
  order: TopUpEntity,
  reported: ReportedPayment,
): Promise<boolean> =>
  (await orders.knowsEvent(manager, refundKeyOf(order.id))) &&
  (await orders.knowsEvent(manager, uncreditedKeyOf('account-full', order, reported)));

/** Nothing is credited until a person has looked at the order; once given back by hand it stays closed. */
function setAside(
  { dataSource, orders }: Pick<FulfilmentParts, 'dataSource' | 'orders'>,
  order: TopUpEntity,
  reported: ReportedPayment,
  {
    incident,
    key,
    nowMs,
  }: { readonly incident: NotedIncident; readonly key: string; readonly nowMs: number },
): Promise<NotedIncident | undefined> {
  return runInTransaction(dataSource, async (manager) => {
    const open = PAYABLE.filter((status) => status !== ORDER_STATUS.mismatch);
    if (!(await orders.knowsEvent(manager, refundKeyOf(order.id))))
      await orders.changeStatus(manager, order.id, open, ORDER_STATUS.mismatch);
    return recordIncident(orders, manager, order, { ...incident, reported }, key, nowMs);
  });
}

const moneyText = (minor: number | null, currency: string): string =>
  `${minor === null ? 'no sum' : formatMoney(minor, minorDigitsOf(currency))} ${currency}`.trim();

/** @returns the mismatch between payment and order; null when there is none */
function differenceOf(order: TopUpEntity, reported: ReportedPayment): string | null {
  if (reported.provider !== order.provider) return 'payment service';
  if (reported.merchantId !== order.merchantId) return 'merchant';
  if (reported.method !== order.paymentMethod) return 'payment method';
  const isOtherSession =
    reported.providerReference !== undefined &&
    order.providerReference !== null &&
    reported.providerReference !== order.providerReference;
  return isOtherSession ? 'session' : null;
}

const movementOf = (order: TopUpEntity, actorId: number, reason: string) => ({
  userId: order.userId,
  amount: order.quotaToCredit,
  kind: 'topup' as const,
  ref: ledgerRefOf(order.id),
  actorId,
  reason,
});
