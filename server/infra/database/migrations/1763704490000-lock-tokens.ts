import { bigint, integer, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** The lock that an administrator puts on a token: who, when and why, and the status that unlocking restores. */
export const lockTokens: Migration = {
  name: '1763704490000-lock-tokens',
  appliesTo: 'main',
  async up(schema) {
    await schema.addColumn('tokens', bigint('locked_at_ms', { isNullable: true }));
    await schema.addColumn('tokens', integer('locked_by_id', { default: 0 }));
    await schema.addColumn('tokens', varchar('lock_reason', 200));
    await schema.addColumn('tokens', integer('status_before_lock', { default: 1 }));
  },
  async down(schema) {
    for (const column of ['status_before_lock', 'lock_reason', 'locked_by_id', 'locked_at_ms'])
      await schema.dropColumn('tokens', column);
  },
};
