import { bigint, integer, longText, serial, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Data of the status page and of alerts: reports of workers, minutes, alerts, checks of the books. */
export const createOperations: Migration = {
  name: '1763701500000-create-operations',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'worker_reports',
      columns: [
        varchar('boot_id', 36, {}),
        varchar('instance', 64),
        integer('worker', { default: 0 }),
        bigint('started_at_ms'),
        bigint('last_seen_ms'),
        longText('report'),
      ],
      primaryKey: ['boot_id'],
    });
    await schema.createTable({
      name: 'status_minutes',
      columns: [
        integer('minute'),
        bigint('calls'),
        bigint('errors'),
        bigint('first_token_p95_ms', { isNullable: true }),
        bigint('settlement_lag_ms'),
        bigint('writeoff_quota'),
        integer('workers', { default: 0 }),
      ],
      primaryKey: ['minute'],
    });
    await schema.createTable({
      name: 'alerts',
      columns: [
        serial('id'),
        varchar('rule', 48),
        varchar('subject', 191),
        varchar('severity', 16),
        longText('facts'),
        varchar('open_key', 255, { isNullable: true }),
        bigint('since_ms'),
        bigint('opened_at_ms'),
        bigint('over_at_ms', { isNullable: true }),
        integer('repeats', { default: 0 }),
        bigint('told_at_ms'),
        integer('tell_attempts', { default: 0 }),
        varchar('tell_fault', 500),
        integer('owes_recovery', { default: 0 }),
        integer('acknowledged_by', { default: 0 }),
        varchar('acknowledged_name', 64),
        bigint('acknowledged_at_ms'),
      ],
      indexes: [
        { name: 'alerts_open_key', columns: ['open_key'], unique: true },
        { name: 'alerts_over_at_ms', columns: ['over_at_ms'] },
      ],
    });
    await schema.createTable({
      name: 'books_checks',
      columns: [
        serial('id'),
        bigint('started_at_ms'),
        bigint('ended_at_ms'),
        integer('differences', { default: 0 }),
        longText('detail'),
      ],
    });
  },
  async down(schema) {
    for (const table of ['books_checks', 'alerts', 'status_minutes', 'worker_reports'])
      await schema.dropTable(table);
  },
};
