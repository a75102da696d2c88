import { bigint, integer, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Charges by token and by channel. They count from this step on. */
export const sumUseByReference: Migration = {
  name: '1763704541000-sum-use-by-reference',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'reference_totals',
      columns: [
        varchar('kind', 16, {}),
        integer('user_id'),
        bigint('created_at', {}),
        varchar('reference', 64, {}),
        bigint('token_used'),
        bigint('count'),
        bigint('quota'),
      ],
      primaryKey: ['kind', 'user_id', 'created_at', 'reference'],
      indexes: [{ name: 'reference_totals_created_at', columns: ['created_at'] }],
    });
  },
  async down(schema) {
    await schema.dropTable('reference_totals');
  },
};
