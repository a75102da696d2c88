import { integer } from './column-specs.js';
import type { Migration } from './migration.js';

/** Tokens a vendor read for the answer an id came with: a cut reply that goes on from there is charged by them. */
export const countKeptInput: Migration = {
  name: '1763704400000-count-kept-input',
  appliesTo: 'main',
  up: (schema) => schema.addColumn('stored_ids', integer('input_tokens', { isNullable: true })),
  down: (schema) => schema.dropColumn('stored_ids', 'input_tokens'),
};
