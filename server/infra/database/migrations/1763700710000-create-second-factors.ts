import { bigint, flag, integer, longText, serial, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Sign-in method of a login, and its last proof. */
const SESSION_COLUMNS = [varchar('way', 20), bigint('verified_at_ms')];

/** One-time codes, recovery codes and passkeys of accounts. */
export const createSecondFactors: Migration = {
  name: '1763700710000-create-second-factors',
  appliesTo: 'main',
  async up(schema) {
    for (const column of SESSION_COLUMNS) await schema.addColumn('sessions', column);
    await schema.createTable({
      name: 'two_factor',
      columns: [integer('user_id'), longText('secret_sealed'), bigint('last_step'), bigint('created_at_ms')],
      primaryKey: ['user_id'],
    });
    await schema.createTable({
      name: 'recovery_codes',
      columns: [serial('id'), integer('user_id'), varchar('digest', 64, {})],
      indexes: [{ name: 'recovery_codes_user_id_digest', columns: ['user_id', 'digest'], unique: true }],
    });
    await schema.createTable({
      name: 'passkeys',
      columns: [
        serial('id'),
        integer('user_id'),
        varchar('credential_digest', 64, {}),
        longText('credential_id'),
        longText('public_key'),
        varchar('relying_party', 253),
        bigint('counter'),
        varchar('transports', 255),
        varchar('aaguid', 36),
        flag('is_synced'),
        varchar('name', 64),
        bigint('created_at_ms'),
        bigint('last_used_at_ms'),
      ],
      indexes: [
        { name: 'passkeys_credential_digest', columns: ['credential_digest'], unique: true },
        { name: 'passkeys_user_id', columns: ['user_id'] },
      ],
    });
  },
  async down(schema) {
    for (const table of ['passkeys', 'recovery_codes', 'two_factor']) await schema.dropTable(table);
    for (const column of SESSION_COLUMNS) await schema.dropColumn('sessions', column.name);
  },
};
