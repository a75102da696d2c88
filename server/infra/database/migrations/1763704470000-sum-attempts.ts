import { bigint, integer, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

const none = { default: 0 };
/** Equals `BUCKET_COUNT` at the time of this step. */
const BUCKETS = 19;
const buckets = (name: string) =>
  Array.from({ length: BUCKETS }, (_, bucket) => integer(`${name}_${bucket}`, none));

/** Attempts by quarter of an hour, channel, model and reason, and the newest failure of each channel. */
export const sumAttempts: Migration = {
  name: '1763704470000-sum-attempts',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'attempt_totals',
      columns: [
        integer('channel_id'),
        bigint('created_at', {}),
        varchar('model_name', 255, {}),
        varchar('reason', 40, {}),
        integer('status'),
        integer('attempts', none),
        integer('failures', none),
        bigint('output_tokens'),
        bigint('output_ms'),
        bigint('billed_tokens'),
        ...buckets('first_token'),
        ...buckets('duration'),
      ],
      primaryKey: ['channel_id', 'created_at', 'model_name', 'reason', 'status'],
      indexes: [{ name: 'attempt_totals_created_at', columns: ['created_at'] }],
    });
    await schema.createTable({
      name: 'channel_failures',
      columns: [
        integer('channel_id'),
        bigint('failed_at_ms'),
        varchar('model_name', 255),
        varchar('reason', 40),
        integer('status', none),
        varchar('message', 500),
      ],
      primaryKey: ['channel_id'],
    });
  },
  async down(schema) {
    await schema.dropTable('channel_failures');
    await schema.dropTable('attempt_totals');
  },
};
