import { bigint, integer, longText, serial, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Codes that are worth quota once. Looked up by a keyed digest; the code itself is sealed, so that it can be copied again. */
export const createRedemptions: Migration = {
  name: '1763701000000-create-redemptions',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'redemptions',
      columns: [
        serial('id'),
        integer('user_id'),
        varchar('key_digest', 64),
        longText('key_encrypted'),
        integer('status', { default: 1 }),
        varchar('name', 64),
        bigint('quota'),
        bigint('created_time'),
        bigint('redeemed_time'),
        bigint('expired_time'),
        integer('used_user_id', { default: 0 }),
        integer('log_pending', { default: 0 }),
        bigint('deleted_at_ms', { isNullable: true }),
      ],
      indexes: [
        { name: 'redemptions_key_digest', columns: ['key_digest'], unique: true },
        { name: 'redemptions_name', columns: ['name'] },
        { name: 'redemptions_user_id', columns: ['user_id'] },
        { name: 'redemptions_log_pending', columns: ['log_pending'], where: '{log_pending} = 1' },
      ],
      checks: [{ name: 'redemptions_quota_positive', condition: '{quota} > 0' }],
    });
  },
  async down(schema) {
    await schema.dropTable('redemptions');
  },
};
