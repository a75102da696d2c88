import { nullableVarchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Which shared store each worker works with, so that two with different ones notice before they spend the same money. */
export const nameSharedStores: Migration = {
  name: '1763701800000-name-shared-stores',
  appliesTo: 'main',
  async up(schema) {
    await schema.addColumn('instances', nullableVarchar('store_id', 36));
  },
  async down(schema) {
    await schema.dropColumn('instances', 'store_id');
  },
};
