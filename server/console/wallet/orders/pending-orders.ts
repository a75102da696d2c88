import { Injectable, Logger } from '@nestjs/common';
import type { JobParts } from '../../../infra/schedule/job-parts.js';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import { Clock } from '../../../common/clock.js';
import { PaymentProviders } from '../payments/payment-providers.js';
import { toPaymentOrder } from './payment-order.js';
import { PaymentNotices } from './payment-notices.service.js';
import { LIFE_SECONDS, nextQueryTime } from './query-times.js';
import type { TopUpEntity } from './top-up.entity.js';
import { TopUpsRepository } from './top-ups.repository.js';

const QUERIED_AT_ONCE = 20;
const EXPIRED_AT_ONCE = 200;

/** Orders without a notification: the payment service is queried about them, and they expire. */
@Injectable()
export class PendingOrders {
  private readonly logger = new Logger('Payments');

  constructor(
    private readonly orders: TopUpsRepository,
    private readonly providers: PaymentProviders,
    private readonly notices: PaymentNotices,
    private readonly clock: Clock,
  ) {}

  /** Fails: with the database's error; the next run goes on. Errors of single orders are collected. */
  async poll(parts: JobParts, run?: JobRun): Promise<void> {
    const nowSeconds = Math.floor(this.clock.nowMs() / 1000);
    const nameOf = ({ tradeNo }: TopUpEntity): string => `order ${tradeNo}`;
    const due = await this.orders.toAsk(nowSeconds, QUERIED_AT_ONCE);
    await parts.each(due, { run, nameOf, work: (order) => this.query(order, nowSeconds) });
    const overdue = await this.orders.overdue(nowSeconds - LIFE_SECONDS, EXPIRED_AT_ONCE);
    await parts.each(overdue, { run, nameOf, work: (order) => this.expire(order) });
  }

  /** Not paid in time. A payment reported later still counts. */
  private expire({ id }: TopUpEntity): Promise<void> {
    const event = { eventKey: `order:${id}:expired`, detail: '', nowMs: this.clock.nowMs() };
    return this.orders.end(id, 'expired', event);
  }

  private async query(order: TopUpEntity, nowSeconds: number): Promise<void> {
    // Planned first: an order that fails must not be the first of every run.
    const queries = order.queries + 1;
    const next = nextQueryTime(order.createTime, queries, nowSeconds);
    await this.orders.planQuery(order.id, next, queries);
    const provider = this.providers.byName(order.provider);
    if (provider === undefined) return;
    const state = await provider.query(toPaymentOrder(order));
    if (state.kind === 'paid') await this.notices.book(state.reported);
    else if (state.kind === 'unknown')
      this.logger.debug(`order ${order.tradeNo}: the payment service did not say (${state.reason})`);
  }
}
