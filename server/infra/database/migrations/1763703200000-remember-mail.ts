import { bigint, integer, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Which mail settings a letter left by, and since when none does: every instance and the alerts have to know. */
export const rememberMail: Migration = {
  name: '1763703200000-remember-mail',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'mail_states',
      columns: [
        integer('id', {}),
        varchar('proven_settings', 64),
        bigint('failing_since_ms'),
        varchar('failing_settings', 64),
        integer('failures', { default: 0 }),
        varchar('fault', 300),
      ],
      primaryKey: ['id'],
    });
  },
  down: (schema) => schema.dropTable('mail_states'),
};
