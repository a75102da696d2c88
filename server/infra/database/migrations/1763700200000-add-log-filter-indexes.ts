import type { Migration } from './migration.js';

const INDEXES = [
  { name: 'logs_type_created_at', columns: ['type', 'created_at'] },
  { name: 'logs_username_created_at', columns: ['username', 'created_at'] },
];

/** The log page filters by kind and by account over a span of time; without these both read the whole span. */
export const addLogFilterIndexes: Migration = {
  name: '1763700200000-add-log-filter-indexes',
  appliesTo: 'logs',
  async up(schema) {
    for (const index of INDEXES) await schema.createIndex('logs', index);
  },
  async down(schema) {
    for (const index of INDEXES) await schema.dropIndex('logs', index.name);
  },
};
