import { bigint, integer, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** To which account ids of things kept at vendors (responses, items, containers) were handed out. */
export const createStoredIds: Migration = {
  name: '1763703100000-create-stored-ids',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'stored_ids',
      columns: [varchar('digest', 43, {}), integer('user_id'), bigint('until_ms')],
      primaryKey: ['digest'],
      indexes: [{ name: 'stored_ids_until_ms', columns: ['until_ms'] }],
    });
  },
  down: (schema) => schema.dropTable('stored_ids'),
};
