import type { Row } from '../ledger/money-sql.js';
import { REFUNDS_OF_TOKENS, REFUNDS_OF_USERS } from '../ledger/refund-totals.js';

/** A task that breaks an invariant. */
export interface TaskFinding {
  /** Subject, named by the row's id. */
  readonly subject: string;
  readonly row: Row;
}

type Read = (sql: string) => Promise<readonly Row[]>;

/**
 * A task that failed gave back exactly what its call was charged, to account and limited token alike. Any other gave back
 * nothing, and nothing was given back that no call was charged. Records of accounts that left are gone, their refunds stay.
 */
export async function checkTasks(read: Read): Promise<TaskFinding[]> {
  const found: TaskFinding[] = [];
  for (const [table, subject] of TABLES) {
    const rows = await read(
      `SELECT "t"."request_id" AS "id", COALESCE("l"."amount", 0) AS "found",
         CASE WHEN "t"."status" = 'FAILURE' THEN COALESCE("s"."charged", 0) ELSE 0 END AS "expected"
       FROM "${table}" "t"
       LEFT JOIN "settlements" "s" ON "s"."request_id" = "t"."request_id"
       LEFT JOIN "ledger" "l" ON "l"."kind" = 'refund' AND "l"."ref" = CONCAT('task:', "t"."request_id")
       WHERE COALESCE("l"."amount", 0) <> CASE WHEN "t"."status" = 'FAILURE' THEN COALESCE("s"."charged", 0) ELSE 0 END
         OR "l"."user_id" <> "t"."user_id"`,
    );
    found.push(...rows.map((row) => ({ subject: `${subject} of call`, row })));
  }
  const orphans = await read(
    `SELECT "l"."ref" AS "id", "l"."amount" AS "found", COALESCE("s"."charged", 0) AS "expected" FROM "ledger" "l"
     LEFT JOIN "settlements" "s" ON "s"."request_id" = SUBSTR("l"."ref", ${'task:'.length + 1})
     WHERE "l"."kind" = 'refund' AND "l"."ref" LIKE 'task:%'
       AND ("s"."request_id" IS NULL OR "s"."charged" <> "l"."amount" OR "s"."user_id" <> "l"."user_id")`,
  );
  const grants = await read(
    `SELECT "g"."ref" AS "id", "g"."amount" AS "found", COALESCE("l"."amount", 0) AS "expected" FROM "token_grants" "g"
     LEFT JOIN "ledger" "l" ON "l"."kind" = 'refund' AND "l"."ref" = "g"."ref"
     WHERE "g"."kind" = 'refund' AND "g"."amount" <> COALESCE("l"."amount", 0)`,
  );
  return [
    ...found,
    ...orphans.map((row) => ({ subject: 'ledger entry refund', row })),
    ...grants.map((row) => ({ subject: 'token grant refund', row })),
  ];
}

/** Refunded quota of accounts and tokens is what the ledger gave back. */
export async function checkRefunded(read: Read): Promise<TaskFinding[]> {
  const found: TaskFinding[] = [];
  for (const [table, subject, sums] of REFUNDED) {
    const rows = await read(
      `SELECT "x"."id" AS "id", CONCAT("x"."refunded_quota") AS "found", CONCAT(COALESCE("g"."v", 0)) AS "expected"
       FROM "${table}" "x" LEFT JOIN (${sums}) "g" ON "g"."k" = "x"."id"
       WHERE "x"."refunded_quota" <> COALESCE("g"."v", 0)`,
    );
    found.push(...rows.map((row) => ({ subject, row })));
  }
  return found;
}

const REFUNDED = [
  ['users', 'user', REFUNDS_OF_USERS],
  ['tokens', 'token', REFUNDS_OF_TOKENS],
] as const;

const TABLES = [
  ['midjourneys', 'drawing'],
  ['tasks', 'task'],
] as const;
