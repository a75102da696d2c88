import { type Quota, toQuota } from '../../../common/quota.js';
import { integerList, type Row, toInteger } from './money-sql.js';

/** Balances of accounts by their ids, as users see them: quota in pools and in running calls still belongs to the account. */
export const selectBalances = (userIds: Iterable<number>): string =>
  `SELECT "u"."id" AS "id", "u"."quota" + COALESCE((SELECT SUM("r"."amount") FROM "reservations" "r"
     WHERE "r"."user_id" = "u"."id" AND "r"."scope" = 'user' AND "r"."state" = 'open'), 0) AS "balance"
   FROM "users" "u" WHERE "u"."id" IN (${integerList(userIds)})`;

/** @param rows  of `selectBalances` */
export const toBalances = (rows: readonly Row[]): Map<number, Quota> =>
  new Map(rows.map((row) => [toInteger(row['id']), toQuota(toInteger(row['balance']))]));
