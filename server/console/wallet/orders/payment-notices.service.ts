import { Injectable, Logger } from '@nestjs/common';
import type { ReportedPayment, PaymentProvider, RawNotice } from '../payments/payment-provider.js';
import { OrderLog } from './order-log.js';
import { OrderFulfilment } from './order-fulfilment.js';
import { toPaymentOrder } from './payment-order.js';
import { PaymentEvents } from './payment-events.js';
import type { Fulfilment } from './fulfil-order.js';
import { TopUpsRepository } from './top-ups.repository.js';

/**
 * Answer to the service. `done`: stored, or none of our orders; it need not repeat. `refused`: not genuine or not this order's.
 * `later`: something of ours was away; it should repeat.
 */
export type NoticeAnswer = 'done' | 'mismatch' | 'refused' | 'unknown-order' | 'later';

/** Notifications of payment services: read, verified, held against the order, booked; answered only after the commit. */
@Injectable()
export class PaymentNotices {
  private readonly logger = new Logger('Payments');
  /** Trade number → when its last notification so far is booked. */
  private readonly queues = new Map<string, Promise<void>>();

  constructor(
    private readonly orders: TopUpsRepository,
    private readonly fulfilment: OrderFulfilment,
    private readonly events: PaymentEvents,
    private readonly log: OrderLog,
  ) {}

  /** Never fails. */
  async take(provider: PaymentProvider, notice: RawNotice): Promise<NoticeAnswer> {
    try {
      const read = await provider.read(notice);
      switch (read.kind) {
        case 'refused':
          this.logger.warn(`a notification of ${provider.name} was refused: ${read.reason}`);
          return 'refused';
        case 'ignored':
          return 'done';
        case 'event':
          await this.events.keep(read.event);
          return 'done';
        case 'paid':
          return await this.takePayment(provider, read.reported);
      }
    } catch (error) {
      this.logger.error(`a notification of ${provider.name} could not be booked: ${String(error)}`);
      return 'later';
    }
  }

  /**
   * Books a reported payment, whatever its source. Notifications of one order wait for each other here, so that a hundred of them
   * are one transaction and ninety-nine reads; the database keeps those of other instances apart.
   * Fails: with the database's error.
   */
  book(reported: ReportedPayment): Promise<Fulfilment> {
    const { tradeNo } = reported;
    const booked = (this.queues.get(tradeNo) ?? Promise.resolve()).then(() => this.bookNow(reported));
    // The next one starts when this is over, whatever its result; its own caller gets a failure.
    const over = booked.then(
      () => undefined,
      () => undefined,
    );
    this.queues.set(tradeNo, over);
    void over.then(() => {
      if (this.queues.get(tradeNo) === over) this.queues.delete(tradeNo);
    });
    return booked;
  }

  private async bookNow(reported: ReportedPayment): Promise<Fulfilment> {
    const outcome = await this.fulfilment.byPayment(reported);
    if (outcome.kind === 'credited') await this.log.credited(outcome.order);
    if (outcome.kind === 'mismatch')
      this.logger.error(`order ${reported.tradeNo} was paid otherwise than agreed: nothing was credited`);
    if (outcome.kind === 'foreign')
      this.logger.error(
        `order ${reported.tradeNo}: the ${outcome.what} is not that of the order: nothing was credited`,
      );
    if (outcome.kind === 'account-full')
      this.logger.error(`order ${reported.tradeNo} was paid for a full account: nothing was credited`);
    if (outcome.kind === 'ownerless')
      this.logger.error(
        `order ${reported.tradeNo} was paid for a deregistered account: nothing was credited`,
      );
    if ('incident' in outcome && outcome.incident !== undefined)
      this.events.notifyOfIncident(outcome.order, outcome.incident.kind, outcome.incident.detail);
    if (outcome.kind !== 'unknown-order' && outcome.kind !== 'foreign')
      await this.events.linkEarlyEvents(outcome.order, reported);
    return outcome;
  }

  private async takePayment(provider: PaymentProvider, reported: ReportedPayment): Promise<NoticeAnswer> {
    if (provider.needsConfirmation(reported) && !(await this.isConfirmed(provider, reported))) return 'later';
    const { kind } = await this.book(reported);
    switch (kind) {
      case 'credited':
      case 'known':
      case 'ownerless':
      case 'account-full':
        return 'done';
      case 'mismatch':
        return 'mismatch';
      case 'foreign':
        return 'refused';
      case 'unknown-order':
        this.logger.warn(`a payment of ${provider.name} names an order that does not exist`);
        return 'unknown-order';
    }
  }

  /** Above a sum of the operator's choice the service has to confirm it when queried. */
  private async isConfirmed(provider: PaymentProvider, reported: ReportedPayment): Promise<boolean> {
    const order = await this.orders.findByTradeNo(reported.tradeNo);
    if (order === null) return true;
    const state = await provider.query(toPaymentOrder(order));
    const isSame =
      state.kind === 'paid' &&
      state.reported.moneyMinor === reported.moneyMinor &&
      state.reported.providerTradeNo === reported.providerTradeNo;
    if (state.kind === 'off') await this.events.recordUnconfirmed(order, reported);
    if (!isSame)
      this.logger.warn(`order ${reported.tradeNo}: the payment service does not confirm (${state.kind})`);
    return isSame;
  }
}
