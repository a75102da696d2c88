import { nullableVarchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** What tells an account from every other that ever had its number. Accounts made before go by the moment they were made. */
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
