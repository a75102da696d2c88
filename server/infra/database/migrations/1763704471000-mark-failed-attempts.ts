import { integer } from './column-specs.js';
import type { Migration } from './migration.js';

const TABLE = 'logs';
const INDEX = {
  name: 'logs_had_failed_attempt',
  columns: ['had_failed_attempt', 'created_at', 'id'],
  where: '{had_failed_attempt} = 1',
};

/** Calls of which an attempt failed, whatever became of the call. Lines of before are not marked. */
export const markFailedAttempts: Migration = {
  name: '1763704471000-mark-failed-attempts',
  appliesTo: 'logs',
  async up(schema) {
    await schema.addColumn(TABLE, integer('had_failed_attempt', { default: 0 }));
    await schema.createIndex(TABLE, INDEX);
  },
  async down(schema) {
    await schema.dropIndex(TABLE, INDEX.name);
    await schema.dropColumn(TABLE, 'had_failed_attempt');
  },
};
