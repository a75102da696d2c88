import type { Migration } from './migration.js';

/** The dashboard of a month summed every user's rows; now what all used together is kept as the rows of user 0. */
export const sumUseOfEverybody: Migration = {
  name: '1763701200000-sum-use-of-everybody',
  appliesTo: 'main',
  async up(schema) {
    await schema.run(
      `INSERT INTO "quota_data" ("user_id", "model_name", "created_at", "token_used", "count", "quota")
       SELECT 0, "model_name", "created_at", SUM("token_used"), SUM("count"), SUM("quota")
       FROM "quota_data" WHERE "user_id" <> 0 GROUP BY "model_name", "created_at"`,
    );
  },
  async down(schema) {
    await schema.run(`DELETE FROM "quota_data" WHERE "user_id" = 0`);
  },
};
