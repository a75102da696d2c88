import { nullableVarchar } from './column-specs.js';
import type { Migration } from './migration.js';

/**
 * Random id that distinguishes an account from every other that ever had its number. Accounts made before are identified by their
 * creation time.
 */
export const addAccountUids: Migration = {
  name: '1763702100000-add-account-uids',
  appliesTo: 'main',
  async up(schema) {
    await schema.addColumn('users', nullableVarchar('uid', 36));
  },
  async down(schema) {
    await schema.dropColumn('users', 'uid');
  },
};
