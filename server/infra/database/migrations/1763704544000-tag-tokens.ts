import { flag, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Tags that every call of a token has, and whether its calls must name an end user. */
export const tagTokens: Migration = {
  name: '1763704544000-tag-tokens',
  appliesTo: 'main',
  async up(schema) {
    await schema.addColumn('tokens', varchar('tags', 700));
    await schema.addColumn('tokens', flag('needs_end_user'));
  },
  async down(schema) {
    await schema.dropColumn('tokens', 'needs_end_user');
    await schema.dropColumn('tokens', 'tags');
  },
};
