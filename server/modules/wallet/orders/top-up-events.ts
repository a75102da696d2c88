import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import { ChangeFeed } from '../../../infra/events/change-feed.js';
import { Clock } from '../../../relay-core/ports/clock.js';
import { formatQuota } from '../../price-rules/format-quota.js';
import { LOG_TYPE } from '../../usage-log/log.codes.js';
import { LogWriter } from '../../usage-log/log-writer.js';
import type { OrderTrouble } from '../../notifications/notice.js';
import { Notifier } from '../../notifications/notifier.js';
import { OptionsService } from '../../options/options.service.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { ORDER_STATUS, type OrderStatus, REVERSALS, type Reversal } from './order-status.js';
import type { PaymentClaim, PaymentRemark } from '../payments/payment-provider.js';
import type { TopUpEntity } from './top-up.entity.js';
import { formatMoney, minorDigitsOf } from '../payments/top-up-price.js';
import { paymentKeyOf, TopUpsRepository } from './top-ups.repository.js';

const LOG_GRACE_SECONDS = 30;
const AT_ONCE = 200;
const DAY_MS = 86_400_000;
/** Services repeat a notice for days; slow ways to pay take two weeks. */
const ADOPTED_FOR_MS = 3 * DAY_MS;
const KEPT_FOR_MS = 60 * DAY_MS;

const paymentOf = ({ provider, providerTradeNo }: PaymentRemark): string | null =>
  providerTradeNo === null ? null : paymentKeyOf(provider, providerTradeNo);

/** What follows from an order's fate: the log line of a paid one, the story of the others. */
@Injectable()
export class TopUpEvents {
  private readonly logger = new Logger('Payments');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly orders: TopUpsRepository,
    private readonly writer: LogWriter,
    private readonly accounts: AccountsService,
    private readonly options: OptionsService,
    private readonly feed: ChangeFeed,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
  ) {}

  /** After the commit of a credit. Never fails: a log line that cannot be written now is written by the job. */
  async credited(order: TopUpEntity): Promise<void> {
    this.feed.announce('user', order.userId);
    try {
      await this.writeLine(order);
    } catch (error) {
      this.logger.warn(`the log line of order ${order.tradeNo} waits for the log: ${String(error)}`);
    }
  }

  /** The payment could not be started, or the service says that it failed. */
  async fail(order: TopUpEntity, detail: string): Promise<void> {
    await this.end(order, ORDER_STATUS.failed, `order:${order.id}:failed`, detail);
  }

  /** Nobody paid in time. A payment that is heard of later still counts. */
  async expire(order: TopUpEntity): Promise<void> {
    await this.end(order, ORDER_STATUS.expired, `order:${order.id}:expired`, '');
  }

  /**
   * What a service remarks beside payments. Refunds and disputes are only written down: the quota may be spent, and the reason
   * is the operator's to judge, who takes it back by an adjustment.
   */
  async remark(remark: PaymentRemark): Promise<void> {
    const order =
      remark.tradeNo === null
        ? await this.orders.findByPayment(remark.provider, remark.providerTradeNo ?? '')
        : await this.orders.findByTradeNo(remark.tradeNo);
    if (order === null && remark.tradeNo === null) return this.keepEarly(remark);
    if (order === null || order.provider !== remark.provider) return;
    if (remark.kind === 'expired' || remark.kind === 'failed') {
      await this.end(order, ORDER_STATUS[remark.kind], remark.eventKey, remark.detail);
      return;
    }
    const { kind, detail } = remark;
    const eventKey = remark.eventKey.slice(0, 191);
    if (await this.orders.knowsEvent(this.dataSource.manager, eventKey)) return;
    await this.orders.note(this.dataSource.manager, {
      orderId: order.id,
      kind,
      eventKey,
      detail,
      payment: paymentOf(remark),
      createdAtMs: this.clock.nowMs(),
    });
    if (kind !== 'dispute-closed') this.tellOfReversal(order, kind, detail);
  }

  /**
   * Services tell of a refund or a dispute before they tell of the payment now and then. It is kept until the payment is heard of;
   * of many refunds of other things the same account sells none ever finds an order.
   */
  private async keepEarly(remark: PaymentRemark): Promise<void> {
    const payment = paymentOf(remark);
    if (payment === null || remark.kind === 'expired' || remark.kind === 'failed') return;
    const { kind, detail } = remark;
    await this.orders.note(this.dataSource.manager, {
      orderId: 0,
      kind,
      eventKey: remark.eventKey.slice(0, 191),
      detail,
      payment,
      createdAtMs: this.clock.nowMs(),
    });
    // The payment may have been booked between the look above and this line: whoever comes second gives the event to the order.
    const order = await this.orders.findByPayment(remark.provider, remark.providerTradeNo ?? '');
    if (order !== null) await this.adopt(order, payment);
  }

  /** After a payment was booked: what was said about it before is told now. */
  adoptEarly(order: TopUpEntity, claim: PaymentClaim): Promise<void> {
    return this.adopt(order, paymentKeyOf(claim.provider, claim.providerTradeNo));
  }

  /** For events whose payment was booked by a process that died before it gave them to the order. */
  async adoptForgotten(): Promise<void> {
    const nowMs = this.clock.nowMs();
    for (const { payment } of await this.orders.waitingEvents(nowMs - ADOPTED_FOR_MS, AT_ONCE)) {
      const [provider = '', ...rest] = (payment ?? '').split(':');
      const order = await this.orders.findByPayment(provider, rest.join(':'));
      if (order !== null && payment !== null) await this.adopt(order, payment);
    }
    await this.orders.dropWaitingEvents(nowMs - KEPT_FOR_MS);
  }

  private async adopt(order: TopUpEntity, payment: string): Promise<void> {
    for (const { kind, detail } of await this.orders.adoptEvents(order.id, payment)) {
      const reversal = REVERSALS.find((known) => known === kind);
      if (reversal !== undefined) this.tellOfReversal(order, reversal, detail);
    }
  }

  private tellOfReversal(order: TopUpEntity, kind: Reversal, detail: string): void {
    this.logger.error(`order ${order.tradeNo} was ${kind}: ${detail}`);
    this.tellOfTrouble(order, kind, detail);
  }

  /** Tells root accounts that a person has to look at an order; in the background, after what happened is kept. */
  tellOfTrouble(order: TopUpEntity, trouble: OrderTrouble, detail: string): void {
    this.notifier.notifyRoots({ kind: 'order-trouble', tradeNo: order.tradeNo, trouble, detail });
  }

  /** Writes log lines that a crash or an absent log database kept from being written. */
  async writeMissingLines(): Promise<void> {
    const before = Math.floor(this.clock.nowMs() / 1000) - LOG_GRACE_SECONDS;
    for (const order of await this.orders.withoutLog(before, AT_ONCE)) await this.writeLine(order);
  }

  /** Only an order that still waits can end otherwise than paid. */
  private async end(
    order: TopUpEntity,
    status: OrderStatus,
    eventKey: string,
    detail: string,
  ): Promise<void> {
    await runInTransaction(this.dataSource, async (manager) => {
      if (!(await this.orders.changeStatus(manager, order.id, [ORDER_STATUS.pending], status))) return;
      await this.orders.note(manager, {
        orderId: order.id,
        kind: status,
        eventKey: eventKey.slice(0, 191),
        detail,
        createdAtMs: this.clock.nowMs(),
      });
    });
  }

  private async writeLine(order: TopUpEntity): Promise<void> {
    const account = await this.accounts.findIdentity(order.userId);
    const money = formatMoney(order.moneyMinor, minorDigitsOf(order.currency));
    const quota = formatQuota(order.quotaToCredit, this.options.values());
    await this.writer.write({
      type: LOG_TYPE.topUp,
      userId: order.userId,
      username: account?.username ?? '',
      content: `Topped up ${quota} by ${order.paymentMethod}, paid ${`${money} ${order.currency}`.trim()}`,
      quota: order.quotaToCredit,
      event: {
        code: 'paid',
        trade_no: order.tradeNo,
        paid: money,
        currency: order.currency,
        method: order.paymentMethod,
      },
      other: {
        trade_no: order.tradeNo,
        money,
        currency: order.currency,
        payment_method: order.paymentMethod,
      },
      onceKey: `top-up:${order.id}`,
    });
    await this.orders.markLogged(order.id);
  }
}
