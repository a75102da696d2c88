import { bigint, integer, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Parts of the limits of channels that workers have leased. */
export const leaseChannelLimits: Migration = {
  name: '1763704545200-lease-channel-limits',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'limit_parts',
      columns: [
        integer('limit_id', {}),
        bigint('period_start_ms', {}),
        varchar('owner', 64, {}),
        varchar('kind', 16, {}),
        bigint('amount'),
      ],
      primaryKey: ['limit_id', 'period_start_ms', 'owner', 'kind'],
      indexes: [{ name: 'limit_parts_owner', columns: ['owner'] }],
    });
  },
  async down(schema) {
    await schema.dropTable('limit_parts');
  },
};
