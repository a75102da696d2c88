import { Injectable } from '@nestjs/common';
import { cachedReading } from '../../../infra/clock/cached-reading.js';
import { MetricsRegistry } from '../../../infra/observability/metrics-registry.js';
import { Clock } from '../../../common/clock.js';
import { ORDER_INCIDENTS } from '../../wallet/orders/order-status.js';
import { OrderIncidents } from '../../wallet/orders/order-incidents.js';
import { BooksCheck } from '../money-check/books-check.js';

/** Orders and books, as figures. Those read from the database are the same on every worker: take the largest, not the sum. */
@Injectable()
export class MoneyMetrics {
  constructor(figures: MetricsRegistry, clock: Clock, orders: OrderIncidents, books: BooksCheck) {
    const incidents = cachedReading(clock, () => orders.read());
    const countOf = async (wanted: string) =>
      (await incidents()).find(({ kind }) => kind === wanted)?.count ?? 0;
    figures.gauge(
      'tollgate_orders_mismatched',
      'Orders of the last 30 days that were paid otherwise than agreed and nobody settled.',
      () => countOf('mismatch'),
    );
    figures.gauge(
      'tollgate_order_incidents',
      'Orders to which this happened within the last day: paid-again, ownerless (paid for a deregistered account), account-full, unconfirmed (nobody asks the payment service), foreign (a payment not their own), refunded, disputed.',
      () =>
        Promise.all(ORDER_INCIDENTS.map(async (kind) => ({ labels: { kind }, value: await countOf(kind) }))),
      ['kind'],
    );
    const newest = cachedReading(clock, () => books.newest());
    figures.gauge(
      'tollgate_money_check_differences',
      'Differences the last daily check of the books found; -1 = it could not read them.',
      async () => (await newest())?.differences,
    );
    // Books that were never checked have waited since we began: an alert on age must not be blind to them.
    const beganMs = clock.nowMs();
    figures.gauge(
      'tollgate_money_check_age_seconds',
      'How long ago the last daily check of the books ended; before the first one, how long this process has run.',
      async () => {
        const state = await newest();
        return Math.max(0, clock.nowMs() - (state?.atMs ?? beganMs)) / 1_000;
      },
    );
  }
}
