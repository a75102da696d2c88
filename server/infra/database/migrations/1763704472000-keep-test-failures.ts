import { varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Why the last test of a channel failed; empty = it succeeded, or the channel was never tested. */
export const keepTestFailures: Migration = {
  name: '1763704472000-keep-test-failures',
  appliesTo: 'main',
  up: (schema) => schema.addColumn('channels', varchar('test_failure', 500)),
  down: (schema) => schema.dropColumn('channels', 'test_failure'),
};
