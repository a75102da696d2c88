import { bigint, integer } from './column-specs.js';
import type { Migration } from './migration.js';

/** Tables with a sealed key, and its column. */
const SEALED = [
  ['tokens', 'key_encrypted'],
  ['channels', 'key'],
  ['redemptions', 'key_encrypted'],
] as const;

/** Tables whose deleted rows had no key before this step. */
const KEYLESS = SEALED.filter(([table]) => table !== 'redemptions');

/**
 * The account that deleted a row, and the moment its sealed key was removed. Accounts that an administrator deleted before this step
 * get the name of that account from the audit log. On the way back deleted tokens and channels lose their keys, as before this step.
 */
export const keepDeletedRows: Migration = {
  name: '1763704480000-keep-deleted-rows',
  appliesTo: 'main',
  async up(schema) {
    await schema.addColumn('users', integer('deleted_by', { isNullable: true }));
    for (const [table] of SEALED) {
      await schema.addColumn(table, integer('deleted_by', { isNullable: true }));
      await schema.addColumn(table, bigint('wiped_at_ms', { isNullable: true }));
      await schema.createIndex(table, { name: `${table}_deleted_at`, columns: ['deleted_at_ms'] });
    }
    // Targets of this action are numbers; those of others need not be.
    const type = schema.dialect === 'mysql' ? 'SIGNED' : 'integer';
    await schema.run(
      `UPDATE "users" SET "deleted_by" =
         (SELECT MAX("e"."actor_id") FROM "audit_events" AS "e"
           WHERE "e"."action" = 'user.delete'
             AND "users"."id" = CASE WHEN "e"."action" = 'user.delete' THEN CAST("e"."target_id" AS ${type}) END)
       WHERE "deleted_at_ms" IS NOT NULL AND "purged_at_ms" IS NULL AND "deleted_by" IS NULL`,
    );
  },
  async down(schema) {
    for (const [table, key] of KEYLESS)
      await schema.run(`UPDATE "${table}" SET "${key}" = '' WHERE "deleted_at_ms" IS NOT NULL`);
    for (const [table] of SEALED.toReversed()) {
      await schema.dropIndex(table, `${table}_deleted_at`);
      await schema.dropColumn(table, 'wiped_at_ms');
      await schema.dropColumn(table, 'deleted_by');
    }
    await schema.dropColumn('users', 'deleted_by');
  },
};
