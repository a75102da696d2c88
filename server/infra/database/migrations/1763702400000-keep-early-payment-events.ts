import { nullableVarchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Payment an event concerns: refunds and disputes can be reported before their payment, and find their order by it later. */
export const keepEarlyPaymentEvents: Migration = {
  name: '1763702400000-keep-early-payment-events',
  appliesTo: 'main',
  async up(schema) {
    await schema.addColumn('payment_events', nullableVarchar('payment', 191));
    await schema.createIndex('payment_events', { name: 'payment_events_payment', columns: ['payment'] });
  },
  async down(schema) {
    await schema.dropIndex('payment_events', 'payment_events_payment');
    await schema.dropColumn('payment_events', 'payment');
  },
};
