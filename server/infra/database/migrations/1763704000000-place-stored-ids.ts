import { integer, nullableVarchar } from './column-specs.js';
import type { Migration } from './migration.js';

const COLUMNS = [integer('channel_id', { isNullable: true }), nullableVarchar('vendor_account', 43)];

/** Place of stored objects with issued ids: the channel, and which of its keys. */
export const placeStoredIds: Migration = {
  name: '1763704000000-place-stored-ids',
  appliesTo: 'main',
  async up(schema) {
    for (const column of COLUMNS) await schema.addColumn('stored_ids', column);
  },
  async down(schema) {
    for (const column of COLUMNS) await schema.dropColumn('stored_ids', column.name);
  },
};
