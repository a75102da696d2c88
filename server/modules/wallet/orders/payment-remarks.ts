import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { JobParts } from '../../../infra/schedule/job-parts.js';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import { Clock } from '../../../relay-core/ports/clock.js';
import type { OrderTrouble } from '../../notifications/notice.js';
import { Notifier } from '../../notifications/notifier.js';
import { ORDER_STATUS, REVERSALS, type Reversal } from './order-status.js';
import type { PaymentClaim, PaymentRemark } from '../payments/payment-provider.js';
import type { TopUpEntity } from './top-up.entity.js';
import { paymentKeyOf, TopUpsRepository } from './top-ups.repository.js';

const AT_ONCE = 200;
const DAY_MS = 86_400_000;
/** Services repeat a notice for days; slow ways to pay take two weeks. */
const ADOPTED_FOR_MS = 3 * DAY_MS;
const KEPT_FOR_MS = 60 * DAY_MS;

const paymentOf = ({ provider, providerTradeNo }: PaymentRemark): string | null =>
  providerTradeNo === null ? null : paymentKeyOf(provider, providerTradeNo);

/** What payment services say about orders beside payments, kept as their story and told to who has to look at it. */
@Injectable()
export class PaymentRemarks {
  private readonly logger = new Logger('Payments');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly orders: TopUpsRepository,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
  ) {}

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
      const { eventKey, detail } = remark;
      await this.orders.end(order.id, remark.kind, { eventKey, detail, nowMs: this.clock.nowMs() });
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
   * A payment that counts only when the service confirms it, which is not asked. That it was this order's is not known, so no
   * payment is named.
   */
  async noteUnconfirmed(order: TopUpEntity, { provider, providerTradeNo }: PaymentClaim): Promise<void> {
    const eventKey = `${provider}:unconfirmed:${order.id}:${providerTradeNo}`.slice(0, 191);
    const { manager } = this.dataSource;
    if (order.status === ORDER_STATUS.success || (await this.orders.knowsEvent(manager, eventKey))) return;
    const detail = `payment ${providerTradeNo}`;
    const createdAtMs = this.clock.nowMs();
    await this.orders.note(manager, {
      orderId: order.id,
      kind: 'unconfirmed',
      eventKey,
      detail,
      createdAtMs,
    });
    this.tellOfTrouble(order, 'unconfirmed', detail);
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

  /**
   * For events whose payment was booked by a process that died before it gave them to the order.
   * Fails: with the database's error. What is wrong with one event is noted.
   */
  async adoptForgotten(parts: JobParts, run?: JobRun): Promise<void> {
    const nowMs = this.clock.nowMs();
    await parts.each(await this.orders.waitingEvents(nowMs - ADOPTED_FOR_MS, AT_ONCE), {
      run,
      nameOf: ({ eventKey }) => `event ${eventKey}`,
      work: ({ payment }) => this.adoptByPayment(payment ?? ''),
    });
    await run?.confirm();
    await this.orders.dropWaitingEvents(nowMs - KEPT_FOR_MS);
  }

  private async adoptByPayment(payment: string): Promise<void> {
    const [provider = '', ...rest] = payment.split(':');
    const order = await this.orders.findByPayment(provider, rest.join(':'));
    if (order !== null) await this.adopt(order, payment);
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
}
