import { nullableVarchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** For each step the step a program must know to work on the schema after it, so that an older program can check. */
export const recordOldestReader: Migration = {
  name: '1763701300000-record-oldest-reader',
  // The list of steps is in both databases.
  appliesTo: 'logs',
  async up(schema) {
    await schema.addColumn('schema_migrations', nullableVarchar('oldest_reader', 191));
  },
  async down(schema) {
    await schema.dropColumn('schema_migrations', 'oldest_reader');
  },
};
