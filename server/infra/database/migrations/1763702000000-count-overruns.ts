import { bigint } from './column-specs.js';
import type { Migration } from './migration.js';

/** Calls of a minute that were charged more than was set aside for them. */
export const countOverruns: Migration = {
  name: '1763702000000-count-overruns',
  appliesTo: 'main',
  async up(schema) {
    await schema.addColumn('status_minutes', bigint('overrun_calls'));
    await schema.addColumn('status_minutes', bigint('overrun_quota'));
  },
  async down(schema) {
    await schema.dropColumn('status_minutes', 'overrun_quota');
    await schema.dropColumn('status_minutes', 'overrun_calls');
  },
};
