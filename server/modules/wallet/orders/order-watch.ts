import { Injectable } from '@nestjs/common';
import { LeasedInterval } from '../../../infra/schedule/leased-interval.js';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import { OrderLog } from './order-log.js';
import { PaymentRemarks } from './payment-remarks.js';
import { UnheardOrders } from './unheard-orders.js';

const PERIOD_MS = 60_000;

/**
 * Orders nobody was notified of: asks the payment service after 10 minutes and then ever more rarely, lets them expire after a
 * day, and writes missing log lines. One instance at a time.
 */
@Injectable()
export class OrderWatch {
  constructor(
    private readonly unheard: UnheardOrders,
    private readonly log: OrderLog,
    private readonly remarks: PaymentRemarks,
  ) {}

  /** Fails: with the database's error; the next run goes on. */
  @LeasedInterval('order-watch', PERIOD_MS)
  async turn(run?: JobRun): Promise<void> {
    await this.unheard.look(run);
    await run?.confirm();
    await this.log.writeMissing();
    await run?.confirm();
    await this.remarks.adoptForgotten();
  }
}
