import { bigint } from './column-specs.js';
import type { Migration } from './migration.js';
import type { Schema } from './schema.js';

const ACCOUNTS = `SELECT "user_id" AS "k", SUM("amount") AS "v" FROM "ledger" WHERE "kind" = 'refund' GROUP BY "user_id"`;

/** A refund names its call as `task:` and the call's id. */
const TOKENS = `SELECT "s"."token_id" AS "k", SUM("l"."amount") AS "v" FROM "ledger" "l"
  INNER JOIN "settlements" "s" ON "s"."request_id" = SUBSTR("l"."ref", 6)
  WHERE "l"."kind" = 'refund' AND "l"."ref" LIKE 'task:%' GROUP BY "s"."token_id"`;

/** Refunded quota of accounts and tokens beside their charges; existing rows get the sum of their refunds. */
export const countRefunds: Migration = {
  name: '1763704410000-count-refunds',
  appliesTo: 'main',
  async up(schema) {
    await schema.addColumn('users', bigint('refunded_quota'));
    await schema.addColumn('tokens', bigint('refunded_quota'));
    await fill(schema, 'users', ACCOUNTS);
    await fill(schema, 'tokens', TOKENS);
  },
  async down(schema) {
    await schema.dropColumn('tokens', 'refunded_quota');
    await schema.dropColumn('users', 'refunded_quota');
  },
};

/** Reads the sums once, whatever the number of rows. */
const fill = (schema: Schema, table: string, sums: string): Promise<void> =>
  schema.run(
    schema.dialect === 'mysql'
      ? `UPDATE "${table}" INNER JOIN (${sums}) "g" ON "g"."k" = "${table}"."id" SET "${table}"."refunded_quota" = "g"."v"`
      : `UPDATE "${table}" SET "refunded_quota" = "g"."v" FROM (${sums}) "g" WHERE "g"."k" = "${table}"."id"`,
  );
