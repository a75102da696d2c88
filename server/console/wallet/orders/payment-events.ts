import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { JobParts } from '../../../infra/schedule/job-parts.js';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import { Clock } from '../../../common/clock.js';
import type { OrderIncident } from '../../../base/notifications/notice.js';
import { Notifier } from '../../../base/notifications/notifier.js';
import { ORDER_STATUS, REVERSALS, type Reversal } from './order-status.js';
import type { ReportedPayment, PaymentEvent } from '../payments/payment-provider.js';
import type { TopUpEntity } from './top-up.entity.js';
import { paymentKeyOf, TopUpsRepository } from './top-ups.repository.js';

const AT_ONCE = 200;
const DAY_MS = 86_400_000;
/** Services repeat a notice for days; slow ways to pay take two weeks. */
const ADOPTED_FOR_MS = 3 * DAY_MS;
const KEPT_FOR_MS = 60 * DAY_MS;

const paymentOf = ({ provider, providerTradeNo }: PaymentEvent): string | null =>
  providerTradeNo === null ? null : paymentKeyOf(provider, providerTradeNo);

/** Reports of payment services other than payments: kept as events of the order, and root is notified of those that need a person. */
@Injectable()
export class PaymentEvents {
  private readonly logger = new Logger('Payments');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly orders: TopUpsRepository,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
  ) {}

  /**
   * Keeps an event. Refunds and disputes are only recorded: the quota may be spent, and the operator judges the reason and deducts
   * it by an adjustment.
   */
  async keep(event: PaymentEvent): Promise<void> {
    const order =
      event.tradeNo === null
        ? await this.orders.findByPayment(event.provider, event.providerTradeNo ?? '')
        : await this.orders.findByTradeNo(event.tradeNo);
    if (order === null && event.tradeNo === null) return this.storeEarly(event);
    if (order === null || order.provider !== event.provider) return;
    if (event.kind === 'expired' || event.kind === 'failed') {
      const { eventKey, detail } = event;
      await this.orders.end(order.id, event.kind, { eventKey, detail, nowMs: this.clock.nowMs() });
      return;
    }
    const { kind, detail, eventKey } = event;
    if (await this.orders.knowsEvent(this.dataSource.manager, eventKey)) return;
    await this.orders.note(this.dataSource.manager, {
      orderId: order.id,
      kind,
      eventKey,
      detail,
      payment: paymentOf(event),
      createdAtMs: this.clock.nowMs(),
    });
    if (kind !== 'dispute-closed') this.notifyOfReversal(order, kind, detail);
  }

  /**
   * A payment that counts only when the service confirms it, which is not asked. That it was this order's is not known, so no
   * payment is named.
   */
  async recordUnconfirmed(order: TopUpEntity, { provider, providerTradeNo }: ReportedPayment): Promise<void> {
    const eventKey = `${provider}:unconfirmed:${order.id}:${providerTradeNo}`;
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
    this.notifyOfIncident(order, 'unconfirmed', detail);
  }

  /**
   * Services now and then report a refund or a dispute before the payment. It is kept until the payment is reported; refunds of
   * other goods of the same merchant account never find an order.
   */
  private async storeEarly(event: PaymentEvent): Promise<void> {
    const payment = paymentOf(event);
    if (payment === null || event.kind === 'expired' || event.kind === 'failed') return;
    const { kind, detail, eventKey } = event;
    await this.orders.note(this.dataSource.manager, {
      orderId: 0,
      kind,
      eventKey,
      detail,
      payment,
      createdAtMs: this.clock.nowMs(),
    });
    // The payment may have been booked between the read above and this line: the later of the two links the event to the order.
    const order = await this.orders.findByPayment(event.provider, event.providerTradeNo ?? '');
    if (order !== null) await this.adopt(order, payment);
  }

  /** After a payment was booked: events that came before it now belong to the order. */
  linkEarlyEvents(order: TopUpEntity, reported: ReportedPayment): Promise<void> {
    return this.adopt(order, paymentKeyOf(reported.provider, reported.providerTradeNo));
  }

  /**
   * For events whose payment was booked by a process that died before it gave them to the order.
   * Fails: with the database's error. What is wrong with one event is noted.
   */
  async linkOrphanEvents(parts: JobParts, run?: JobRun): Promise<void> {
    const nowMs = this.clock.nowMs();
    await parts.each(await this.orders.waitingEvents(nowMs - ADOPTED_FOR_MS, AT_ONCE), {
      run,
      nameOf: ({ eventKey }) => `event ${eventKey}`,
      work: ({ payment }) => this.linkByPayment(payment ?? ''),
    });
    await run?.confirm();
    await this.orders.dropWaitingEvents(nowMs - KEPT_FOR_MS);
  }

  private async linkByPayment(payment: string): Promise<void> {
    const [provider = '', ...rest] = payment.split(':');
    const order = await this.orders.findByPayment(provider, rest.join(':'));
    if (order !== null) await this.adopt(order, payment);
  }

  private async adopt(order: TopUpEntity, payment: string): Promise<void> {
    for (const { kind, detail } of await this.orders.linkEvents(order.id, payment)) {
      const reversal = REVERSALS.find((known) => known === kind);
      if (reversal !== undefined) this.notifyOfReversal(order, reversal, detail);
    }
  }

  private notifyOfReversal(order: TopUpEntity, kind: Reversal, detail: string): void {
    this.logger.error(`order ${order.tradeNo} was ${kind}: ${detail}`);
    this.notifyOfIncident(order, kind, detail);
  }

  /** Notifies root accounts that an order needs a person; in the background, after the event is stored. */
  notifyOfIncident(order: TopUpEntity, incident: OrderIncident, detail: string): void {
    this.notifier.notifyRoots({ kind: 'order-incident', tradeNo: order.tradeNo, incident, detail });
  }
}
