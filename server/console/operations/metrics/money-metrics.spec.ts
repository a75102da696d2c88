import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { MetricsRegistry } from '../../../infra/observability/metrics-registry.js';
import { ORDER_INCIDENTS } from '../../wallet/orders/order-status.js';
import type { OrderIncidents } from '../../wallet/orders/order-incidents.js';
import type { BooksCheck, BooksState } from '../money-check/books-check.js';
import { MoneyMetrics } from './money-metrics.js';

function metrics(newest: Partial<BooksState> | null = null) {
  const clock = new FakeClock();
  const figures = new MetricsRegistry();
  new MoneyMetrics(
    figures,
    clock,
    {
      read: async () => [
        { kind: 'mismatch', count: 2, sinceMs: 0 },
        { kind: 'paid-again', count: 3, sinceMs: 0 },
      ],
    } as unknown as OrderIncidents,
    { newest: async () => newest } as unknown as BooksCheck,
  );
  return { clock, figures };
}

describe('MoneyMetrics', () => {
  it('exports every kind of incident, those without an order as 0', async () => {
    const { figures } = metrics();
    const samples = await figures.samples('tollgate_order_incidents');
    expect(samples.map(({ labels }) => labels['kind'])).toEqual([...ORDER_INCIDENTS]);
    expect(samples.filter(({ value }) => value > 0)).toMatchObject([
      { labels: { kind: 'paid-again' }, value: 3 },
    ]);
    expect(await figures.samples('tollgate_orders_mismatched')).toMatchObject([{ value: 2 }]);
  });

  it('lets books that were never checked grow old since the start', async () => {
    const { clock, figures } = metrics();
    clock.advance(90_000);
    expect(await figures.samples('tollgate_money_check_age_seconds')).toMatchObject([{ value: 90 }]);
    expect(await figures.samples('tollgate_money_check_differences')).toEqual([]);
  });

  it('exports the result and age of the newest check', async () => {
    const { clock, figures } = metrics({ atMs: new FakeClock().nowMs() - 5_000, differences: 4 });
    clock.advance(1_000);
    expect(await figures.samples('tollgate_money_check_age_seconds')).toMatchObject([{ value: 6 }]);
    expect(await figures.samples('tollgate_money_check_differences')).toMatchObject([{ value: 4 }]);
  });
});
