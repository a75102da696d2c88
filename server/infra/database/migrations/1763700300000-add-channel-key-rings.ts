import { longText, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Several keys in one channel, headers over a provider's own, a vendor adapter's settings, an operator's note. */
const COLUMNS = [
  longText('header_override', { isNullable: true }),
  longText('settings', { isNullable: true }),
  longText('channel_info', { isNullable: true }),
  varchar('remark', 255),
];

export const addChannelKeyRings: Migration = {
  name: '1763700300000-add-channel-key-rings',
  appliesTo: 'main',
  async up(schema) {
    for (const column of COLUMNS) await schema.addColumn('channels', column);
  },
  async down(schema) {
    for (const column of COLUMNS) await schema.dropColumn('channels', column.name);
  },
};
