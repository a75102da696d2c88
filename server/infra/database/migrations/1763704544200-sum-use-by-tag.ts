import { bigint, integer, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Charges by tag and by end user, of each account and day. They count from this step on. */
export const sumUseByTag: Migration = {
  name: '1763704544200-sum-use-by-tag',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'tag_totals',
      columns: [
        integer('user_id'),
        varchar('kind', 16, {}),
        bigint('created_at', {}),
        varchar('value', 64, {}),
        bigint('token_used'),
        bigint('count'),
        bigint('quota'),
      ],
      primaryKey: ['user_id', 'kind', 'created_at', 'value'],
      indexes: [{ name: 'tag_totals_created_at', columns: ['created_at'] }],
    });
  },
  async down(schema) {
    await schema.dropTable('tag_totals');
  },
};
