import { bigint, integer, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Warnings of limits that were sent: one for each period and share of the amount. */
export const warnOfLimits: Migration = {
  name: '1763704545100-warn-of-limits',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'limit_warnings',
      columns: [
        integer('limit_id', {}),
        varchar('value', 191, {}),
        bigint('period_start_ms', {}),
        integer('percent', {}),
        bigint('warned_at_ms'),
      ],
      primaryKey: ['limit_id', 'value', 'period_start_ms', 'percent'],
      indexes: [{ name: 'limit_warnings_warned_at_ms', columns: ['warned_at_ms'] }],
    });
  },
  async down(schema) {
    await schema.dropTable('limit_warnings');
  },
};
