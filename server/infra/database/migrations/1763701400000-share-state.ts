import { bigint, longText, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** State shared by instances: revisions of shared settings, job leases, and limits counted while Redis is away. */
export const shareState: Migration = {
  name: '1763701400000-share-state',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'revisions',
      columns: [varchar('name', 32, {}), bigint('number')],
      primaryKey: ['name'],
    });
    await schema.createTable({
      name: 'jobs',
      columns: [
        varchar('name', 64, {}),
        bigint('fence'),
        varchar('owner', 36),
        varchar('host', 191),
        bigint('lease_until_ms'),
        bigint('due_at_ms'),
        bigint('started_at_ms'),
        bigint('ended_at_ms'),
        varchar('outcome', 16),
        varchar('message', 500),
      ],
      primaryKey: ['name'],
    });
    await schema.createTable({
      name: 'limit_counters',
      columns: [varchar('key', 191, {}), longText('moments'), bigint('until_ms')],
      primaryKey: ['key'],
      indexes: [{ name: 'limit_counters_until_ms', columns: ['until_ms'] }],
    });
  },
  async down(schema) {
    await schema.dropTable('limit_counters');
    await schema.dropTable('jobs');
    await schema.dropTable('revisions');
  },
};
