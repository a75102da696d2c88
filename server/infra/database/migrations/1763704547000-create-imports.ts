import { bigint, bigSerial, integer, longText, serial, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/**
 * Imports from other gateways: one row per source, one per imported row with what it had there, the figures that the books start from,
 * and the form of keys that were imported.
 */
export const createImports: Migration = {
  name: '1763704547000-create-imports',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'imports',
      columns: [
        serial('id'),
        varchar('product', 16, {}),
        varchar('product_version', 64),
        varchar('status', 16, {}),
        integer('keeps_numbers', { default: 0 }),
        integer('runs', { default: 0 }),
        bigint('log_position'),
        longText('report'),
        integer('actor_id', { default: 0 }),
        bigint('created_at_ms'),
        bigint('ended_at_ms', { isNullable: true }),
      ],
    });
    await schema.createTable({
      name: 'imported_rows',
      columns: [
        bigSerial('id'),
        integer('import_id'),
        varchar('kind', 16, {}),
        varchar('source_id', 191, {}),
        integer('target_id', { default: 0 }),
        varchar('source_mark', 64),
        longText('figures'),
      ],
      indexes: [
        {
          name: 'imported_rows_source',
          columns: ['import_id', 'kind', 'source_id'],
          unique: true,
        },
      ],
    });
    await schema.createTable({
      name: 'opening_figures',
      columns: [
        varchar('scope', 16, {}),
        integer('owner_id'),
        integer('import_id', { default: 0 }),
        bigint('used_quota'),
        bigint('request_count'),
        bigint('earnings_moved'),
      ],
      primaryKey: ['scope', 'owner_id'],
    });
    await schema.addColumn('tokens', integer('import_id', { default: 0 }));
    await schema.addColumn('tokens', varchar('key_form', 8));
    await schema.addColumn('tokens', varchar('key_ending', 8));
  },
  async down(schema) {
    await schema.dropColumn('tokens', 'key_ending');
    await schema.dropColumn('tokens', 'key_form');
    await schema.dropColumn('tokens', 'import_id');
    await schema.dropTable('opening_figures');
    await schema.dropTable('imported_rows');
    await schema.dropTable('imports');
  },
};
