import { bigint } from './column-specs.js';
import type { Migration } from './migration.js';

const COLUMN = bigint('max_input_tokens');

/** The longest prompt a channel is given, in tokens; 0 = any. */
export const limitChannelInput: Migration = {
  name: '1763704300000-limit-channel-input',
  appliesTo: 'main',
  async up(schema) {
    await schema.addColumn('channels', COLUMN);
  },
  async down(schema) {
    await schema.dropColumn('channels', COLUMN.name);
  },
};
