import type { EntityManager } from 'typeorm';
import { MAX_BALANCE } from '../../../common/quota.js';
import { execute, toInteger } from '../ledger/money-sql.js';

/** Figures of an account in the system it came from, in quota units. */
export interface AccountFigures {
  /** May be below 0. */
  readonly balance: number;
  readonly usedQuota: number;
  readonly requestCount: number;
  /** Invitation earnings that wait. */
  readonly affQuota: number;
  /** All invitation earnings; at least those that wait. */
  readonly affHistory: number;
}

/** The import a figure comes with; `ref` makes its movement happen once. */
export interface Origin {
  readonly importId: number;
  /** At most 64 characters. */
  readonly ref: string;
  readonly reason: string;
  readonly actorId: number;
  readonly nowMs: number;
}

type SettledScope = 'code' | 'order';

/**
 * Gives an account that was just inserted the figures it had elsewhere: a ledger entry for its balance, an opening figure for what it
 * had used. A balance below 0 becomes its floor. Belongs into the transaction that inserts the account.
 * Fails: RangeError for figures beyond what balances here can hold.
 */
export async function openAccount(
  manager: EntityManager,
  userId: number,
  figures: AccountFigures,
  origin: Origin,
): Promise<void> {
  assertCountable(Object.values(figures));
  const { balance, usedQuota, requestCount, affQuota, affHistory } = figures;
  await execute(
    manager,
    `UPDATE "users" SET "quota" = ?, "quota_floor" = ?, "used_quota" = ?, "request_count" = ?, "aff_quota" = ?, "aff_history" = ?
     WHERE "id" = ?`,
    [balance, Math.min(0, balance), usedQuota, requestCount, affQuota, affHistory, userId],
  );
  if (balance !== 0) await enter(manager, { userId, amount: balance, quotaAfter: balance }, origin);
  await addOpening(manager, 'account', userId, origin, {
    usedQuota,
    requestCount,
    earningsMoved: affHistory - affQuota,
  });
}

/** The allowance and the use of a token that was just inserted. The allowance of an unlimited token is 0. Fails: RangeError. */
export async function openToken(
  manager: EntityManager,
  tokenId: number,
  { remain, usedQuota }: { readonly remain: number; readonly usedQuota: number },
  origin: Origin,
): Promise<void> {
  assertCountable([remain, usedQuota]);
  await execute(manager, `UPDATE "tokens" SET "remain_quota" = ?, "used_quota" = ? WHERE "id" = ?`, [
    remain,
    usedQuota,
    tokenId,
  ]);
  if (remain !== 0) {
    await execute(
      manager,
      `INSERT INTO "token_grants" ("token_id", "kind", "amount", "actor_id", "ref", "created_at_ms") VALUES (?, ?, ?, ?, ?, ?)`,
      [tokenId, 'import', remain, origin.actorId, origin.ref, origin.nowMs],
    );
  }
  await addOpening(manager, 'token', tokenId, origin, { usedQuota });
}

/** The use of a channel that was just inserted. Fails: RangeError. */
export async function openChannel(
  manager: EntityManager,
  channelId: number,
  usedQuota: number,
  origin: Origin,
): Promise<void> {
  assertCountable([usedQuota]);
  await execute(manager, `UPDATE "channels" SET "used_quota" = ? WHERE "id" = ?`, [usedQuota, channelId]);
  await addOpening(manager, 'channel', channelId, origin, { usedQuota });
}

/** Marks a code that was redeemed, or an order that was paid, before the import: its quota is in the imported balance. */
export async function openSettled(
  manager: EntityManager,
  scope: SettledScope,
  id: number,
  quota: number,
  origin: Origin,
): Promise<void> {
  await execute(
    manager,
    `INSERT INTO "opening_figures" ("scope", "owner_id", "import_id", "used_quota", "request_count", "earnings_moved")
     VALUES (?, ?, ?, ?, 0, 0)`,
    [scope, id, origin.importId, quota],
  );
}

/**
 * Adds the difference between two runs of an import to the figures of an account.
 * @returns false when the balance here no longer covers what the source has less; then nothing changed
 */
export async function moveAccount(
  manager: EntityManager,
  userId: number,
  change: Pick<AccountFigures, 'balance' | 'usedQuota' | 'requestCount'>,
  origin: Origin,
): Promise<boolean> {
  const { balance, usedQuota, requestCount } = change;
  const { affected } = await execute(
    manager,
    `UPDATE "users" SET "quota" = "quota" + ?, "used_quota" = "used_quota" + ?, "request_count" = "request_count" + ?
     WHERE "id" = ? AND "quota" + ? >= "quota_floor"`,
    [balance, usedQuota, requestCount, userId, balance],
  );
  if (affected !== 1) return false;
  if (balance !== 0) {
    const { rows } = await execute(manager, `SELECT "quota" AS "quota" FROM "users" WHERE "id" = ?`, [
      userId,
    ]);
    await enter(manager, { userId, amount: balance, quotaAfter: toInteger(rows[0]?.['quota']) }, origin);
  }
  await addOpening(manager, 'account', userId, origin, { usedQuota, requestCount });
  return true;
}

/** The same for a token. @returns false when its allowance here no longer covers the difference; then nothing changed */
export async function moveToken(
  manager: EntityManager,
  tokenId: number,
  { remain, usedQuota }: { readonly remain: number; readonly usedQuota: number },
  origin: Origin,
): Promise<boolean> {
  const { affected } = await execute(
    manager,
    `UPDATE "tokens" SET "remain_quota" = "remain_quota" + ?, "used_quota" = "used_quota" + ?
     WHERE "id" = ? AND "remain_quota" + ? >= 0`,
    [remain, usedQuota, tokenId, remain],
  );
  if (affected !== 1) return false;
  if (remain !== 0) {
    await execute(
      manager,
      `INSERT INTO "token_grants" ("token_id", "kind", "amount", "actor_id", "ref", "created_at_ms") VALUES (?, ?, ?, ?, ?, ?)`,
      [tokenId, 'import', remain, origin.actorId, origin.ref, origin.nowMs],
    );
  }
  await addOpening(manager, 'token', tokenId, origin, { usedQuota });
  return true;
}

/** The same for a channel. */
export async function moveChannel(
  manager: EntityManager,
  channelId: number,
  usedQuota: number,
  origin: Origin,
): Promise<void> {
  await execute(manager, `UPDATE "channels" SET "used_quota" = "used_quota" + ? WHERE "id" = ?`, [
    usedQuota,
    channelId,
  ]);
  await addOpening(manager, 'channel', channelId, origin, { usedQuota });
}

async function enter(
  manager: EntityManager,
  entry: { readonly userId: number; readonly amount: number; readonly quotaAfter: number },
  { ref, actorId, reason, nowMs }: Origin,
): Promise<void> {
  await execute(
    manager,
    `INSERT INTO "ledger" ("user_id", "kind", "amount", "quota_after", "ref", "actor_id", "reason", "created_at_ms")
     VALUES (?, 'import', ?, ?, ?, ?, ?, ?)`,
    [entry.userId, entry.amount, entry.quotaAfter, ref, actorId, reason, nowMs],
  );
}

/** Adds to the opening figures of one row; a row without figures has none. */
async function addOpening(
  manager: EntityManager,
  scope: 'account' | 'token' | 'channel',
  ownerId: number,
  { importId }: Origin,
  figures: { readonly usedQuota: number; readonly requestCount?: number; readonly earningsMoved?: number },
): Promise<void> {
  const { usedQuota, requestCount = 0, earningsMoved = 0 } = figures;
  if (usedQuota === 0 && requestCount === 0 && earningsMoved === 0) return;
  const { affected } = await execute(
    manager,
    `UPDATE "opening_figures" SET "used_quota" = "used_quota" + ?, "request_count" = "request_count" + ?,
       "earnings_moved" = "earnings_moved" + ? WHERE "scope" = ? AND "owner_id" = ?`,
    [usedQuota, requestCount, earningsMoved, scope, ownerId],
  );
  if (affected === 1) return;
  await execute(
    manager,
    `INSERT INTO "opening_figures" ("scope", "owner_id", "import_id", "used_quota", "request_count", "earnings_moved")
     VALUES (?, ?, ?, ?, ?, ?)`,
    [scope, ownerId, importId, usedQuota, requestCount, earningsMoved],
  );
}

function assertCountable(values: readonly number[]): void {
  for (const value of values)
    if (!Number.isSafeInteger(value) || Math.abs(value) > MAX_BALANCE)
      throw new RangeError(`${value} is beyond what a balance here can hold`);
}
