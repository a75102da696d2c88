import type { Migration } from './migration.js';

const OF_ALL = { name: 'logs_type_created_at', columns: ['type', 'created_at'] };
const OF_RARE = { name: 'logs_rare_type_created_at', columns: ['type', 'created_at'], where: '{type} <> 2' };

/** Nearly every line is a call (type 2), which no index by type can narrow: only the others are worth an entry. */
export const indexRareLogTypes: Migration = {
  name: '1763700500000-index-rare-log-types',
  appliesTo: 'logs',
  async up(schema) {
    await schema.createIndex('logs', OF_RARE);
    await schema.dropIndex('logs', OF_ALL.name);
  },
  async down(schema) {
    await schema.createIndex('logs', OF_ALL);
    await schema.dropIndex('logs', OF_RARE.name);
  },
};
