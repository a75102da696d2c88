import type { DataSource } from 'typeorm';
import type { DatabaseDialect } from '../../../infra/database/database-url.js';
import { dialectOf } from '../../../infra/database/dialect-of.js';
import { integerList, nowExpression, read, toInteger } from '../ledger/money-sql.js';
import { type Demand, planTopUp, REFUSED, type Refusal } from './plan-top-up.js';
import { isUsableAccount, isUsableToken, OPEN_POOLS } from '../ledger/reservation-sql.js';

/**
 * Rejects calls whose account has no funds for any of them, with one read that locks no row: calls with an empty balance or token
 * would otherwise hold up the account's other calls, and its charges. Quota that may still be returned counts as available, so a
 * refusal is as certain as one made under a lock at the same moment.
 * @param epoch  of the pools whose remainders the calls know already; '' = no pool can be spent from
 * @returns one refusal each; undefined = a call may be granted something, or the database did not answer: the locking path decides
 */
export async function refuseWithoutFunds(
  dataSource: DataSource,
  userId: number,
  demands: readonly (Demand & { readonly userRest?: number; readonly tokenRest?: number })[],
  epoch: string,
): Promise<readonly Refusal[] | undefined> {
  const tokenIds = new Set(demands.flatMap(({ tokenId }) => (tokenId === null ? [] : [tokenId])));
  const rows = await read(dataSource, ...fundsOf(dialectOf(dataSource), userId, tokenIds, epoch)).catch(
    () => undefined,
  );
  if (rows === undefined) return undefined;
  const account = rows.find(({ what }) => what === 'account');
  if (account === undefined || !isUsableAccount(account)) return demands.map(() => REFUSED);
  const aside = new Map(
    rows.filter(({ what }) => what === 'aside').map(({ id, amount }) => [toInteger(id), toInteger(amount)]),
  );
  const tokens = rows
    .filter(({ what }) => what === 'token')
    .map((row): [number, number] => {
      const id = toInteger(row['id']);
      return [id, (isUsableToken(row) ? toInteger(row['amount']) : 0) + (aside.get(id) ?? 0)];
    });
  const { verdicts } = planTopUp({
    demands,
    available: toInteger(account['amount']) + (aside.get(0) ?? 0),
    rest: demands.at(-1)?.userRest ?? 0,
    tokens: new Map(
      tokens.map(([id, available]) => [
        id,
        { available, rest: demands.findLast(({ tokenId }) => tokenId === id)?.tokenRest ?? 0 },
      ]),
    ),
    chunk: 0,
  });
  const refusals = verdicts.filter((verdict): verdict is Refusal => verdict.kind === 'refused');
  return refusals.length === verdicts.length ? refusals : undefined;
}

/** One statement sees one state of the database: money on its way between balance and reservation is counted once. */
function fundsOf(
  dialect: DatabaseDialect,
  userId: number,
  tokenIds: ReadonlySet<number>,
  epoch: string,
): [string, unknown[]] {
  const account = `SELECT 'account' AS "what", "id" AS "id", "quota" - "quota_floor" AS "amount", "status" AS "status",
      "deleted_at_ms" AS "deleted", -1 AS "expires", 0 AS "now" FROM "users" WHERE "id" = ?
    UNION ALL SELECT 'aside', COALESCE("token_id", 0), SUM("amount"), 1, NULL, -1, 0
      FROM "reservations" WHERE ${OPEN_POOLS} AND "epoch" <> ? GROUP BY "token_id"`;
  if (tokenIds.size === 0) return [account, [userId, userId, epoch]];
  const tokens = `SELECT 'token', "id", "remain_quota", "status", "deleted_at_ms", "expired_time", ${nowExpression(dialect)}
      FROM "tokens" WHERE "user_id" = ? AND "id" IN (${integerList(tokenIds)})`;
  return [`${account} UNION ALL ${tokens}`, [userId, userId, epoch, userId]];
}
