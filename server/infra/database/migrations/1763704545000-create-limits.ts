import { bigint, flag, integer, longText, serial, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** Limits per period and their use; settlements, and calls that failed upstream, record the limits they count under. */
export const createLimits: Migration = {
  name: '1763704545000-create-limits',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'limits',
      columns: [
        serial('id'),
        varchar('name', 100),
        varchar('scope', 16),
        varchar('subject', 191),
        integer('account_id', { isNullable: true }),
        flag('each'),
        varchar('model', 255),
        varchar('measure', 16),
        bigint('amount'),
        varchar('period', 16),
        flag('rolling'),
        varchar('action', 16),
        varchar('fallback_model', 255),
        varchar('warn_at', 100),
        flag('admit_unknown'),
        { ...flag('enabled'), default: true },
        bigint('override_amount', { isNullable: true }),
        bigint('override_until_ms', { isNullable: true }),
        integer('override_by', { default: 0 }),
        varchar('override_reason', 500),
        integer('created_by', { default: 0 }),
        flag('by_user'),
        bigint('created_at_ms'),
        bigint('updated_at_ms'),
        integer('version', { default: 1 }),
      ],
      indexes: [
        { name: 'limits_scope_subject', columns: ['scope', 'subject'] },
        { name: 'limits_account_id', columns: ['account_id'] },
      ],
      checks: [{ name: 'limits_amount_not_negative', condition: '{amount} >= 0' }],
    });
    await schema.createTable({
      name: 'limit_use',
      columns: [
        integer('limit_id', {}),
        varchar('value', 191, {}),
        bigint('period_start_ms', {}),
        varchar('kind', 16, {}),
        bigint('used'),
        bigint('calls'),
      ],
      primaryKey: ['limit_id', 'value', 'period_start_ms', 'kind'],
      indexes: [{ name: 'limit_use_period_start_ms', columns: ['period_start_ms'] }],
    });
    await schema.createTable({
      name: 'limit_failed_calls',
      columns: [varchar('request_id', 36, {}), longText('limits'), bigint('created_at_ms')],
      primaryKey: ['request_id'],
      indexes: [{ name: 'limit_failed_calls_created_at_ms', columns: ['created_at_ms'] }],
    });
    await schema.addColumn('settlements', longText('limits', { isNullable: true }));
    await schema.addColumn('instances', integer('counts_limits', { default: 0 }));
  },
  async down(schema) {
    await schema.dropColumn('instances', 'counts_limits');
    await schema.dropColumn('settlements', 'limits');
    await schema.dropTable('limit_failed_calls');
    await schema.dropTable('limit_use');
    await schema.dropTable('limits');
  },
};
