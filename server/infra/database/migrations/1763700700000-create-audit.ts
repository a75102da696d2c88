import { bigint, integer, longText, varchar } from './column-specs.js';
import type { Migration } from './migration.js';

/** The audit log, a chain of rows, and the one row with the beginning and the end of the chain. */
export const createAudit: Migration = {
  name: '1763700700000-create-audit',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'audit_events',
      columns: [
        bigint('sequence'),
        bigint('created_at_ms'),
        integer('actor_id', { default: 0 }),
        integer('actor_role', { default: 0 }),
        varchar('actor_name', 64),
        varchar('ip', 64),
        varchar('request_id', 64),
        varchar('action', 64),
        varchar('target_type', 32),
        varchar('target_id', 64),
        longText('detail'),
        varchar('previous_hash', 64),
        varchar('hash', 64),
      ],
      primaryKey: ['sequence'],
      indexes: [
        { name: 'audit_events_created_at', columns: ['created_at_ms'] },
        { name: 'audit_events_actor_id', columns: ['actor_id', 'sequence'] },
        { name: 'audit_events_action', columns: ['action', 'sequence'] },
        { name: 'audit_events_target', columns: ['target_type', 'target_id', 'sequence'] },
      ],
    });
    await schema.createTable({
      name: 'audit_chain',
      columns: [
        integer('id', { default: 1 }),
        bigint('base_sequence'),
        varchar('base_hash', 64),
        bigint('head_sequence'),
        varchar('head_hash', 64),
      ],
      primaryKey: ['id'],
    });
    await schema.run(
      `INSERT INTO "audit_chain" ("id", "base_sequence", "base_hash", "head_sequence", "head_hash")
       SELECT 1, 0, '', 0, '' FROM (SELECT 1 AS "one") AS "single" WHERE NOT EXISTS (SELECT 1 FROM "audit_chain")`,
    );
  },
  async down(schema) {
    await schema.dropTable('audit_chain');
    await schema.dropTable('audit_events');
  },
};
