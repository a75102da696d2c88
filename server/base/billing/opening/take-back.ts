import { type Sentence, sentence } from '../../../common/import-sentences/sentence.js';
import type { EntityManager } from 'typeorm';
import { ALL_USERS } from '../ledger/all-users.js';
import { execute, toInteger } from '../ledger/money-sql.js';

const OF_IMPORT = `SELECT "target_id" FROM "imported_rows" WHERE "import_id" = ? AND "kind" = 'user'`;

/** Why the money of an import cannot be taken back: an account of it has done something here since. Null = it can. */
export async function spentSince(manager: EntityManager, importId: number): Promise<Sentence | null> {
  const checks = [
    ['settlements', '', 'undo_after_calls'],
    ['ledger', `AND "kind" <> 'import'`, 'undo_after_quota'],
    ['reservations', `AND "state" = 'open'`, 'undo_during_call'],
  ] as const;
  for (const [table, condition, code] of checks) {
    const { rows } = await execute(
      manager,
      `SELECT "user_id" AS "id" FROM "${table}" WHERE "user_id" IN (${OF_IMPORT}) ${condition} LIMIT 1`,
      [importId],
    );
    if (rows[0] !== undefined) return sentence(code, { id: toInteger(rows[0]['id']) });
  }
  return null;
}

/** Removes ledger entries, grants, opening figures and sums of use of the rows of an import, which the caller removes next. */
export async function takeBackMoney(manager: EntityManager, importId: number): Promise<void> {
  await execute(manager, `DELETE FROM "ledger" WHERE "kind" = 'import' AND "user_id" IN (${OF_IMPORT})`, [
    importId,
  ]);
  await execute(
    manager,
    `DELETE FROM "token_grants" WHERE "token_id" IN
       (SELECT "target_id" FROM "imported_rows" WHERE "import_id" = ? AND "kind" = 'token')`,
    [importId],
  );
  await execute(manager, `DELETE FROM "opening_figures" WHERE "import_id" = ?`, [importId]);
  const { rows } = await execute(
    manager,
    `SELECT "model_name" AS "model", "created_at" AS "start", SUM("token_used") AS "tokens", SUM("count") AS "calls", SUM("quota") AS "quota"
     FROM "quota_data" WHERE "user_id" IN (${OF_IMPORT}) GROUP BY "model_name", "created_at"`,
    [importId],
  );
  for (const row of rows)
    await execute(
      manager,
      `UPDATE "quota_data" SET "token_used" = "token_used" - ?, "count" = "count" - ?, "quota" = "quota" - ?
       WHERE "user_id" = ${ALL_USERS} AND "model_name" = ? AND "created_at" = ?`,
      [
        toInteger(row['tokens']),
        toInteger(row['calls']),
        toInteger(row['quota']),
        row['model'],
        toInteger(row['start']),
      ],
    );
  await execute(manager, `DELETE FROM "quota_data" WHERE "user_id" IN (${OF_IMPORT})`, [importId]);
  await execute(
    manager,
    `DELETE FROM "quota_data" WHERE "user_id" = ${ALL_USERS} AND "count" = 0 AND "quota" = 0 AND "token_used" = 0`,
  );
}
