import { bigint, integer } from './column-specs.js';
import type { Migration } from './migration.js';

/** Audit actions that change a code. */
const CHANGES = "'redemption.edit', 'redemption.enable', 'redemption.disable'";

/**
 * Quota each administrator added on a day, and the accounts that changed a redemption code. Codes changed before this step get their
 * rows from the audit log.
 */
export const boundAdministratorsQuota: Migration = {
  name: '1763704440000-bound-administrators-quota',
  appliesTo: 'main',
  async up(schema) {
    await schema.createTable({
      name: 'administrator_quota_days',
      columns: [integer('user_id'), integer('day'), bigint('added_quota')],
      primaryKey: ['user_id', 'day'],
    });
    await schema.createTable({
      name: 'redemption_editors',
      columns: [integer('code_id'), integer('user_id')],
      primaryKey: ['code_id', 'user_id'],
    });
    // The ids of these actions are numbers; those of others need not be.
    const type = schema.dialect === 'mysql' ? 'SIGNED' : 'integer';
    await schema.run(
      `INSERT INTO "redemption_editors" ("code_id", "user_id")
         SELECT DISTINCT "r"."id", "e"."actor_id" FROM "audit_events" AS "e"
           JOIN "redemptions" AS "r"
             ON "r"."id" = CASE WHEN "e"."action" IN (${CHANGES}) THEN CAST("e"."target_id" AS ${type}) END
          WHERE "e"."action" IN (${CHANGES}) AND "e"."actor_id" <> "r"."user_id"
            AND NOT EXISTS (SELECT 1 FROM "redemption_editors" AS "k"
                             WHERE "k"."code_id" = "r"."id" AND "k"."user_id" = "e"."actor_id")`,
    );
  },
  async down(schema) {
    await schema.dropTable('redemption_editors');
    await schema.dropTable('administrator_quota_days');
  },
};
