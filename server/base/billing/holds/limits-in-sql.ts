import type { EntityManager } from 'typeorm';
import type { CallLimit, CallLimits } from '../../limits/call-limits.js';
import { dialectIn, execute, integerList, lockClause, toInteger } from '../ledger/money-sql.js';

interface LimitedWaiter {
  readonly amount: number;
  readonly limits?: CallLimits | undefined;
}

/**
 * Money limits without room while the shared store is away: use in the books, and all that is set aside for calls of the account, of every account
 * for limits that accounts share. What pools hold and no call needs counts as well: the error is on the side of refusing. Call it behind the lock of
 * the account; limits that accounts share are locked here.
 * @returns for each call the places of its full limits; a call that fits counts for those behind it
 */
export async function fullMoneyLimits(
  manager: EntityManager,
  userId: number,
  waiters: readonly LimitedWaiter[],
): Promise<readonly (readonly number[])[]> {
  const all = waiters.flatMap(({ limits }) => limits?.limits.filter(isMoney) ?? []);
  if (all.length === 0) return waiters.map(() => []);
  await lockShared(manager, all);
  const taken = new Map<string, number>();
  for (const limit of all)
    if (!taken.has(limit.part.key)) taken.set(limit.part.key, await sumInBooks(manager, userId, limit));
  return waiters.map(({ limits }) => {
    const own = limits?.limits ?? [];
    const full = own.flatMap((limit, index) => {
      const { key, need, amount } = limit.part;
      return isMoney(limit) && need > 0 && (taken.get(key) ?? 0) + need > amount ? [index] : [];
    });
    if (full.length === 0)
      for (const { part, ...limit } of own)
        if (isMoney({ part, ...limit })) taken.set(part.key, (taken.get(part.key) ?? 0) + part.need);
    return full;
  });
}

const isMoney = ({ limit }: CallLimit): boolean => limit.measure === 'quota' && !limit.admitUnknown;

async function lockShared(manager: EntityManager, limits: readonly CallLimit[]): Promise<void> {
  const ids = [...new Set(limits.filter(({ part }) => part.isShared).map(({ limit }) => limit.id))];
  if (ids.length === 0) return;
  const lock = lockClause(dialectIn(manager));
  await execute(
    manager,
    `SELECT "id" FROM "limits" WHERE "id" IN (${integerList(ids)}) ORDER BY "id"${lock}`,
  );
}

async function sumInBooks(
  manager: EntityManager,
  userId: number,
  { limit, value, part, bookedFromMs }: CallLimit,
): Promise<number> {
  const used = await execute(
    manager,
    `SELECT SUM("used") AS "used" FROM "limit_use" WHERE "limit_id" = ? AND "value" = ? AND "period_start_ms" >= ?`,
    [limit.id, value, bookedFromMs],
  );
  const own = part.isShared ? '' : ` AND "user_id" = ${integerList([userId])}`;
  const held = await execute(
    manager,
    `SELECT SUM("amount") AS "held" FROM "reservations" WHERE "state" = 'open' AND "scope" = 'user'${own}`,
  );
  return toInteger(used.rows[0]?.['used'] ?? 0) + toInteger(held.rows[0]?.['held'] ?? 0);
}
