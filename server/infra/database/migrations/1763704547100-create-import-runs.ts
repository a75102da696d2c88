import { bigint, integer, longText, serial, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Runs of imports that were started from the console: choices, progress, report. */
export const createImportRuns: Migration = {
  name: '1763704547100-create-import-runs',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'import_runs',
      columns: [
        serial('id'),
        varchar('kind', 8, {}),
        varchar('status', 16, {}),
        integer('import_id', { default: 0 }),
        varchar('source', 191),
        longText('progress'),
        longText('report'),
        varchar('fault', 500),
        integer('stop_asked', { default: 0 }),
        bigint('fence'),
        integer('actor_id', { default: 0 }),
        bigint('started_at_ms'),
        bigint('ended_at_ms', { isNullable: true }),
      ],
    });
  },
  async down(schema) {
    await schema.dropTable('import_runs');
  },
};
