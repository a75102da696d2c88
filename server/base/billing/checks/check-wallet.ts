import type { Row } from '../ledger/money-sql.js';

/** A wallet row that breaks an invariant: subject, expected value, found value. */
export interface WalletFinding {
  readonly invariant: 'I8' | 'I9';
  readonly row: Row;
  /** Subject, named by the row's id. */
  readonly subject: string;
}

type Read = (sql: string) => Promise<readonly Row[]>;

/** A code is used exactly when the ledger has its one entry, for the account that redeemed it, with the code's value. */
export async function checkRedemptions(read: Read): Promise<WalletFinding[]> {
  const wrong = await read(
    `SELECT "c"."id" AS "id", "l"."amount" AS "found", "c"."quota" AS "expected" FROM "redemptions" "c"
     LEFT JOIN "ledger" "l" ON "l"."kind" = 'redeem' AND "l"."ref" = ${refOf('redemption', '"c"."id"')}
     ${broughtBy('code', '"c"."id"')}
     WHERE ("c"."status" = 3 AND "o"."owner_id" IS NULL AND ("l"."id" IS NULL OR "l"."amount" <> "c"."quota" OR "l"."user_id" <> "c"."used_user_id"))
       OR ("c"."status" <> 3 AND "l"."id" IS NOT NULL)`,
  );
  const orphans = await read(
    `SELECT "l"."ref" AS "id", "l"."amount" AS "found", 'a used code' AS "expected" FROM "ledger" "l"
     LEFT JOIN "redemptions" "c" ON ${refOf('redemption', '"c"."id"')} = "l"."ref"
     WHERE "l"."kind" = 'redeem' AND "c"."id" IS NULL`,
  );
  return [
    ...wrong.map((row) => ({ invariant: 'I8' as const, subject: 'code', row })),
    ...orphans.map((row) => ({ invariant: 'I8' as const, subject: 'ledger entry redeem', row })),
  ];
}

/** An order is paid exactly when the ledger has its one entry, with the quota the order was made for. */
export async function checkOrders(read: Read): Promise<WalletFinding[]> {
  const wrong = await read(
    `SELECT "t"."id" AS "id", "l"."amount" AS "found", "t"."quota_to_credit" AS "expected" FROM "top_ups" "t"
     LEFT JOIN "ledger" "l" ON "l"."kind" = 'topup' AND "l"."ref" = ${refOf('top-up', '"t"."id"')}
     ${broughtBy('order', '"t"."id"')}
     WHERE ("t"."status" = 'success' AND "o"."owner_id" IS NULL AND ("l"."id" IS NULL OR "l"."amount" <> "t"."quota_to_credit" OR "l"."user_id" <> "t"."user_id"))
       OR ("t"."status" <> 'success' AND "l"."id" IS NOT NULL)`,
  );
  const orphans = await read(
    `SELECT "l"."ref" AS "id", "l"."amount" AS "found", 'a paid order' AS "expected" FROM "ledger" "l"
     LEFT JOIN "top_ups" "o" ON ${refOf('top-up', '"o"."id"')} = "l"."ref"
     WHERE "l"."kind" = 'topup' AND "o"."id" IS NULL`,
  );
  return [
    ...wrong.map((row) => ({ invariant: 'I9' as const, subject: 'order', row })),
    ...orphans.map((row) => ({ invariant: 'I9' as const, subject: 'ledger entry topup', row })),
  ];
}

/** The row of a code or an order that was settled before it was imported, joined as "o": its money is in the imported balance. */
const broughtBy = (scope: 'code' | 'order', id: string): string =>
  `LEFT JOIN "opening_figures" "o" ON "o"."scope" = '${scope}' AND "o"."owner_id" = ${id}`;

/** `redemption:17`, in every dialect: MySQL's `||` is no concatenation, and its CAST knows no TEXT. */
const refOf = (word: string, id: string): string => `CONCAT('${word}:', ${id})`;
