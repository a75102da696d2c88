import type { Migration } from './migration.js';

/** The alert job reads recent events of paid orders every few seconds. */
export const indexPaymentEvents: Migration = {
  name: '1763701700000-index-payment-events',
  appliesTo: 'main',
  up: (schema) =>
    schema.createIndex('payment_events', {
      name: 'payment_events_kind_created_at_ms',
      columns: ['kind', 'created_at_ms'],
    }),
  down: (schema) => schema.dropIndex('payment_events', 'payment_events_kind_created_at_ms'),
};
