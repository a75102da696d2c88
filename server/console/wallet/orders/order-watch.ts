import { Injectable } from '@nestjs/common';
import { LeasedInterval } from '../../../infra/schedule/leased-interval.js';
import { JobParts } from '../../../infra/schedule/job-parts.js';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import { OrderLog } from './order-log.js';
import { PaymentEvents } from './payment-events.js';
import { PendingOrders } from './pending-orders.js';

const PERIOD_MS = 60_000;

/**
 * Orders without a notification: queries the payment service after 10 minutes and then ever more rarely, lets them expire after a
 * day, and writes missing log lines. One instance at a time.
 */
@Injectable()
export class OrderWatch {
  constructor(
    private readonly pending: PendingOrders,
    private readonly log: OrderLog,
    private readonly events: PaymentEvents,
  ) {}

  /** Fails: in the end, with what could not be done: no order and no part keeps the others waiting. The next run goes on. */
  @LeasedInterval('order-watch', PERIOD_MS)
  async turn(run?: JobRun): Promise<void> {
    const parts = new JobParts();
    await parts.make('orders nobody was notified of', () => this.pending.poll(parts, run));
    await parts.make('log lines', () => this.log.writeMissing(parts, run));
    await parts.make('early events', () => this.events.linkOrphanEvents(parts, run));
    parts.throwIfAnyFailed();
  }
}
