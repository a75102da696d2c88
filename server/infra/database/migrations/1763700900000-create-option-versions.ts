import { bigint, integer, longText, serial, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Options saved together, with actor and reason, so that a price change can be seen, compared and undone as a whole. */
export const createOptionVersions: Migration = {
  name: '1763700900000-create-option-versions',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'option_versions',
      columns: [
        serial('id'),
        integer('actor_id', { default: 0 }),
        varchar('actor_name', 64),
        varchar('source', 16),
        varchar('note', 500),
        longText('keys'),
        integer('has_prices', { default: 0 }),
        bigint('created_at_ms'),
      ],
      indexes: [{ name: 'option_versions_has_prices', columns: ['has_prices', 'id'] }],
    });
    await schema.addColumn('option_changes', integer('version_id', { isNullable: true }));
    await schema.createIndex('option_changes', {
      name: 'option_changes_key_revision',
      columns: ['key', 'revision'],
    });
    await schema.createIndex('option_changes', {
      name: 'option_changes_version_id',
      columns: ['version_id'],
    });
  },
  async down(schema) {
    await schema.dropIndex('option_changes', 'option_changes_version_id');
    await schema.dropIndex('option_changes', 'option_changes_key_revision');
    await schema.dropColumn('option_changes', 'version_id');
    await schema.dropTable('option_versions');
  },
};
