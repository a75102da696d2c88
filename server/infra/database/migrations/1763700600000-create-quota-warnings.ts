import { bigint, integer } from './column-specs.js';
import type { Migration } from './migration.js';

/** Accounts that were warned of a low balance, so that they are warned once per crossing. */
export const createQuotaWarnings: Migration = {
  name: '1763700600000-create-quota-warnings',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'quota_warnings',
      columns: [integer('user_id'), bigint('warned_at_ms'), bigint('balance')],
      primaryKey: ['user_id'],
    });
  },
  async down(schema) {
    await schema.dropTable('quota_warnings');
  },
};
