import { Injectable, Logger } from '@nestjs/common';
import { LeasedInterval } from '../../../infra/schedule/leased-interval.js';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import { Clock } from '../../../relay-core/ports/clock.js';
import { PaymentNotices } from './payment-notices.service.js';
import { PaymentProviders } from '../payments/payment-providers.js';
import { TopUpEvents } from './top-up-events.js';
import type { TopUpEntity } from './top-up.entity.js';
import { FIRST_QUERY_SECONDS, toPaymentOrder } from './top-up.service.js';
import { TopUpsRepository } from './top-ups.repository.js';

const PERIOD_MS = 60_000;
/** An order that nobody paid expires after a day. */
const LIFE_SECONDS = 24 * 3_600;
/** Late payments are looked for this long. */
const ASKED_FOR_SECONDS = 48 * 3_600;
const LONGEST_PAUSE_SECONDS = 6 * 3_600;
const ASKED_AT_ONCE = 20;
const EXPIRED_AT_ONCE = 200;

/**
 * Orders nobody was notified of: asks the payment service after 10 minutes and then ever more rarely, lets them expire after a
 * day, and writes missing log lines. One instance at a time.
 */
@Injectable()
export class OrderWatch {
  private readonly logger = new Logger('Payments');

  constructor(
    private readonly orders: TopUpsRepository,
    private readonly providers: PaymentProviders,
    private readonly notices: PaymentNotices,
    private readonly events: TopUpEvents,
    private readonly clock: Clock,
  ) {}

  /** Fails: with the database's error; the next run goes on. */
  @LeasedInterval('order-watch', PERIOD_MS)
  async turn(run?: JobRun): Promise<void> {
    const nowSeconds = Math.floor(this.clock.nowMs() / 1000);
    for (const order of await this.orders.toAsk(nowSeconds, ASKED_AT_ONCE)) {
      await run?.confirm();
      await this.ask(order, nowSeconds);
    }
    for (const order of await this.orders.overdue(nowSeconds - LIFE_SECONDS, EXPIRED_AT_ONCE)) {
      await run?.confirm();
      await this.events.expire(order);
    }
    await run?.confirm();
    await this.events.writeMissingLines();
    await run?.confirm();
    await this.events.adoptForgotten();
  }

  private async ask(order: TopUpEntity, nowSeconds: number): Promise<void> {
    // Planned first: an order that makes us stumble must not be the first of every run.
    const queries = order.queries + 1;
    await this.orders.planQuery(order.id, nextQueryTime(order, queries, nowSeconds), queries);
    const provider = this.providers.byName(order.provider);
    if (provider === undefined) return;
    const state = await provider.query(toPaymentOrder(order));
    if (state.kind === 'paid') await this.notices.book(state.claim);
    else if (state.kind === 'unknown')
      this.logger.debug(`order ${order.tradeNo}: the payment service did not say (${state.reason})`);
  }
}

/** 10, 20, 40 … minutes after the last time, at most six hours; 0 when the order is too old. */
function nextQueryTime(order: TopUpEntity, queries: number, nowSeconds: number): number {
  const pause = Math.min(FIRST_QUERY_SECONDS * 2 ** Math.min(queries, 10), LONGEST_PAUSE_SECONDS);
  const next = nowSeconds + pause;
  return next > order.createTime + ASKED_FOR_SECONDS ? 0 : next;
}
