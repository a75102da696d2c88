import { bigint, bigSerial, integer, longText, nullableVarchar, serial, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Payment orders with everything that was agreed when they were made, and the story of each. */
export const createTopUps: Migration = {
  name: '1763701100000-create-top-ups',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'top_ups',
      columns: [
        serial('id'),
        integer('user_id'),
        bigint('amount'),
        bigint('money_minor'),
        varchar('currency', 8),
        bigint('quota_to_credit'),
        varchar('trade_no', 64),
        varchar('provider', 16),
        varchar('payment_method', 64),
        varchar('merchant_id', 255),
        nullableVarchar('provider_reference', 191),
        nullableVarchar('provider_trade_no', 191),
        varchar('status', 16, { default: 'pending' }),
        bigint('create_time'),
        bigint('complete_time'),
        bigint('next_query_time'),
        integer('queries', { default: 0 }),
        integer('completed_by', { default: 0 }),
        integer('log_pending', { default: 0 }),
      ],
      indexes: [
        { name: 'top_ups_trade_no', columns: ['trade_no'], unique: true },
        { name: 'top_ups_provider_trade_no', columns: ['provider', 'provider_trade_no'], unique: true },
        { name: 'top_ups_user_id_id', columns: ['user_id', 'id'] },
        { name: 'top_ups_status_next_query_time', columns: ['status', 'next_query_time'] },
        { name: 'top_ups_log_pending', columns: ['log_pending'], where: '{log_pending} = 1' },
      ],
      checks: [
        { name: 'top_ups_money_positive', condition: '{money_minor} > 0' },
        { name: 'top_ups_quota_positive', condition: '{quota_to_credit} > 0' },
      ],
    });
    await schema.createTable({
      name: 'payment_events',
      columns: [
        bigSerial('id'),
        integer('order_id'),
        varchar('kind', 32),
        varchar('event_key', 191),
        integer('actor_id', { default: 0 }),
        longText('detail'),
        bigint('created_at_ms'),
      ],
      indexes: [
        { name: 'payment_events_event_key', columns: ['event_key'], unique: true },
        { name: 'payment_events_order_id', columns: ['order_id'] },
      ],
    });
  },
  async down(schema) {
    await schema.dropTable('payment_events');
    await schema.dropTable('top_ups');
  },
};
