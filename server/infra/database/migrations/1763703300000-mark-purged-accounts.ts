import { bigint } from './column-specs.js';
import type { Migration } from './migration.js';

/** Deregistered accounts root has purged: nothing personal is left of them, and no list shows them. */
export const markPurgedAccounts: Migration = {
  name: '1763703300000-mark-purged-accounts',
  appliesTo: 'main',
  up: (schema) => schema.addColumn('users', bigint('purged_at_ms', { isNullable: true })),
  down: (schema) => schema.dropColumn('users', 'purged_at_ms'),
};
