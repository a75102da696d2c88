import { bigint, longText, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Pending verifications that have to be finished within minutes: they must not depend on Redis. */
export const keepSteps: Migration = {
  name: '1763701600000-keep-steps',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'steps_under_way',
      columns: [varchar('key', 191, {}), longText('value'), bigint('until_ms')],
      primaryKey: ['key'],
      indexes: [{ name: 'steps_under_way_until_ms', columns: ['until_ms'] }],
    });
  },
  down: (schema) => schema.dropTable('steps_under_way'),
};
