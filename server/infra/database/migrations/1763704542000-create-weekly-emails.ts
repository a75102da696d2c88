import { bigint, integer } from './column-specs.js';
import type { Migration } from './migration.js';

/** Accounts with a weekly summary by e-mail: when the next one is due, and the last week that was sent. */
export const createWeeklyEmails: Migration = {
  name: '1763704542000-create-weekly-emails',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'weekly_emails',
      columns: [
        integer('user_id', {}),
        bigint('due_at_ms', { isNullable: true }),
        integer('last_week', { default: 0 }),
        integer('failures', { default: 0 }),
      ],
      primaryKey: ['user_id'],
      indexes: [{ name: 'weekly_emails_due_at_ms', columns: ['due_at_ms'] }],
    });
  },
  down: (schema) => schema.dropTable('weekly_emails'),
};
