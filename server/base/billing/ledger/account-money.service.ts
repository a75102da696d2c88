import { Inject, Injectable, Optional } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { MAX_BALANCE, toQuota, toShownSum, type Quota } from '../../../common/quota.js';
import { dialectOf } from '../../../infra/database/data-source.js';
import { Clock } from '../../../common/clock.js';
import { LimitStore } from '../../limits/limit-store.js';
import { selectBalances, toBalances } from './balance-sql.js';
import { MONEY_DATA_SOURCE } from './billing.tokens.js';
import { execute, integerList, lockClause, read, textList, toInteger } from './money-sql.js';
import { correctLimitUses } from './limit-use-sql.js';
import { PoolReturns } from './pool-returns.js';

/** Why money entered or left an account other than through calls. */
export type LedgerKind =
  | 'setup'
  | 'grant_new'
  | 'grant_invitee'
  | 'topup'
  | 'redeem'
  | 'aff_in'
  | 'adjust'
  | 'correction'
  | 'refund'
  | 'import';

export interface LedgerMovement {
  readonly userId: number;
  readonly amount: number;
  readonly kind: LedgerKind;
  /** Makes the movement happen once per kind: order id, code id, operation id. */
  readonly ref: string;
  /** 0 = the system. */
  readonly actorId: number;
  readonly reason: string;
}

/** The account has less than was to be taken from it. */
export class BalanceTooLowError extends Error {}
/** The account or token would hold more than figures here can count. */
export class BalanceTooHighError extends Error {}
/** No such account or token. */
export class AccountMissingError extends Error {}

/**
 * The only way money enters or leaves accounts and token allowances besides calls. Methods that take a manager join the
 * caller's transaction and lock in the order users, tokens, reservations, ledger.
 */
@Injectable()
export class AccountMoney {
  constructor(
    @Inject(MONEY_DATA_SOURCE) private readonly dataSource: DataSource,
    @Inject(PoolReturns) private readonly poolReturns: PoolReturns,
    @Inject(Clock) private readonly clock: Clock,
    @Optional() @Inject(LimitStore) private readonly limits?: LimitStore,
  ) {}

  /**
   * Adds `amount` (above 0) to an account, once per (kind, ref).
   * @returns false when this movement was booked before; then nothing changed
   * Fails: AccountMissingError, BalanceTooHighError.
   */
  async credit(manager: EntityManager, movement: LedgerMovement): Promise<boolean> {
    if (!(movement.amount > 0)) throw new RangeError('a credit is above 0');
    return this.move(manager, movement);
  }

  /**
   * Adds or takes `amount`. What running calls have set aside cannot be taken.
   * Fails: AccountMissingError, BalanceTooLowError, BalanceTooHighError.
   */
  async adjust(manager: EntityManager, movement: Omit<LedgerMovement, 'kind'>): Promise<boolean> {
    return this.move(manager, { ...movement, kind: 'adjust' });
  }

  /**
   * Counts an invited account and adds `amount` (0 or more) to what its inviter may move to the balance, unless that grew too large.
   * Belongs into the transaction that makes the account, which is what makes it happen once.
   */
  async rewardInviter(
    manager: EntityManager,
    { inviterId, amount }: { readonly inviterId: number; readonly amount: number },
  ): Promise<void> {
    if (amount < 0) throw new RangeError('a reward is not negative');
    const reward = toQuota(amount);
    // The history first: MySQL reads what was set before in the same statement.
    const earned = `CASE WHEN "aff_quota" > ${MAX_BALANCE - reward} THEN 0 ELSE ${reward} END`;
    await execute(
      manager,
      `UPDATE "users" SET "aff_count" = "aff_count" + 1, "aff_history" = "aff_history" + ${earned},
         "aff_quota" = "aff_quota" + ${earned} WHERE "id" = ?`,
      [inviterId],
    );
  }

  /**
   * Moves invite earnings into the balance. Earnings and balance change together, or not at all.
   * @param ref  makes it happen once
   * @returns false when this move was booked before
   * Fails: BalanceTooLowError when the earnings are smaller, AccountMissingError, BalanceTooHighError.
   */
  async moveEarnings(
    manager: EntityManager,
    move: { readonly userId: number; readonly amount: number; readonly ref: string },
  ): Promise<boolean> {
    const { userId, ref } = move;
    const amount = toQuota(move.amount);
    const credit = {
      userId,
      amount,
      kind: 'aff_in',
      ref,
      actorId: userId,
      reason: 'invite earnings',
    } as const;
    // The account row is locked by this; a second move waits, and finds what the first has left.
    if (!(await this.credit(manager, credit))) return false;
    const { affected } = await execute(
      manager,
      `UPDATE "users" SET "aff_quota" = "aff_quota" - ? WHERE "id" = ? AND "aff_quota" >= ?`,
      [amount, userId, amount],
    );
    if (affected !== 1) throw new BalanceTooLowError('the invite earnings are smaller than that');
    return true;
  }

  /**
   * Balances as owners see them: unreserved quota plus quota that is set aside and not spent. Unknown ids are left out.
   * @param manager  the caller's transaction, when there is one: on SQLite it holds the only connection
   */
  async balancesOf(userIds: Iterable<number>, manager?: EntityManager): Promise<Map<number, Quota>> {
    const ids = [...userIds];
    if (ids.length === 0) return new Map();
    const sql = selectBalances(ids);
    return toBalances(
      manager === undefined ? await read(this.dataSource, sql) : (await execute(manager, sql)).rows,
    );
  }

  /** Owners of reservations. Unknown ones are left out. */
  async ownersOf(reservationIds: readonly string[]): Promise<number[]> {
    if (reservationIds.length === 0) return [];
    const rows = await read(
      this.dataSource,
      `SELECT DISTINCT "user_id" AS "id" FROM "reservations" WHERE "id" IN (${textList(reservationIds)})`,
    );
    return rows.map((row) => toInteger(row['id']));
  }

  /** Income of an account after `sinceMs`, other than through calls. */
  async incomeSince(userId: number, sinceMs: number): Promise<Quota> {
    const [row] = await read(
      this.dataSource,
      `SELECT COALESCE(SUM("amount"), 0) AS "income" FROM "ledger" WHERE "user_id" = ? AND "created_at_ms" > ? AND "amount" > 0`,
      [userId, sinceMs],
    );
    return toQuota(toShownSum(row?.['income']));
  }

  /** Quota a limited token may still spend: its own plus quota that is set aside and not spent. */
  async tokenRemaindersOf(tokenIds: Iterable<number>): Promise<Map<number, Quota>> {
    const ids = integerList(tokenIds);
    if (ids === '') return new Map();
    const rows = await read(
      this.dataSource,
      `SELECT "t"."id" AS "id", "t"."remain_quota" + COALESCE((SELECT SUM("r"."amount") FROM "reservations" "r"
         WHERE "r"."token_id" = "t"."id" AND "r"."scope" = 'token' AND "r"."state" = 'open'), 0) AS "remainder"
       FROM "tokens" "t" WHERE "t"."id" IN (${ids})`,
    );
    return new Map(rows.map((row) => [toInteger(row['id']), toQuota(toShownSum(row['remainder']))]));
  }

  /**
   * Changes a limited token's allowance by `amount`, once per (kind, ref).
   * @returns false when it was booked before
   * Fails: AccountMissingError, BalanceTooLowError when the allowance would fall below 0, BalanceTooHighError.
   */
  async grantToken(
    manager: EntityManager,
    grant: {
      readonly tokenId: number;
      readonly amount: number;
      readonly kind: 'create' | 'edit' | 'overrun' | 'refund';
      readonly ref: string;
      readonly actorId: number;
    },
  ): Promise<boolean> {
    const lock = lockClause(dialectOf(manager.dataSource));
    const { rows } = await execute(
      manager,
      `SELECT "remain_quota" AS "remain" FROM "tokens" WHERE "id" = ?${lock}`,
      [grant.tokenId],
    );
    const [token] = rows;
    if (token === undefined) throw new AccountMissingError(`no token ${grant.tokenId}`);
    const known = await execute(
      manager,
      `SELECT 1 AS "one" FROM "token_grants" WHERE "kind" = ? AND "ref" = ?`,
      [grant.kind, grant.ref],
    );
    if (known.rows.length > 0) return false;
    if (grant.amount === 0) return true;
    const next = toInteger(token['remain']) + toQuota(grant.amount);
    if (next < 0) throw new BalanceTooLowError('the allowance would fall below 0');
    if ((grant.kind === 'create' || grant.kind === 'edit') && grant.amount > 0 && next > MAX_BALANCE)
      throw new BalanceTooHighError('the allowance would grow too large');
    await execute(manager, `UPDATE "tokens" SET "remain_quota" = ? WHERE "id" = ?`, [
      toQuota(next),
      grant.tokenId,
    ]);
    await execute(
      manager,
      `INSERT INTO "token_grants" ("token_id", "kind", "amount", "actor_id", "ref", "created_at_ms") VALUES (?, ?, ?, ?, ?, ?)`,
      [grant.tokenId, grant.kind, grant.amount, grant.actorId, grant.ref, this.clock.nowMs()],
    );
    return true;
  }

  /**
   * Gives back what a call was charged: to its account, and to the limited token the charge counted against when that still exists.
   * Used quota of account and token stays; the refund is counted beside it.
   * @param refund  `ref` makes it happen once
   * @returns what was given back: 0 when the call cost nothing, was never booked, or was refunded before
   * Fails: AccountMissingError, BalanceTooHighError.
   */
  async refundCall(
    manager: EntityManager,
    refund: { readonly callId: string; readonly ref: string; readonly reason: string },
  ): Promise<Quota> {
    const { callId, ref, reason } = refund;
    const { rows } = await execute(
      manager,
      `SELECT "s"."user_id" AS "user_id", "s"."charged" AS "charged", "s"."token_id" AS "caller", "t"."id" AS "token_id"
       FROM "settlements" "s" LEFT JOIN "tokens" "t" ON "t"."id" = "s"."token_id" AND "s"."token_limited" = 1 AND "t"."deleted_at_ms" IS NULL
       WHERE "s"."request_id" = ?`,
      [callId],
    );
    const [charge] = rows;
    const amount = toQuota(charge === undefined ? 0 : toInteger(charge['charged']));
    if (charge === undefined || amount === 0) return toQuota(0);
    const once = { amount, kind: 'refund', ref, actorId: 0 } as const;
    const userId = toInteger(charge['user_id']);
    if (!(await this.credit(manager, { ...once, userId, reason }))) return toQuota(0);
    await correctLimitUses(manager, [{ callId, amount }]);
    if (charge['token_id'] !== null)
      await this.grantToken(manager, { ...once, tokenId: toInteger(charge['token_id']) });
    if (charge['caller'] !== null) {
      const counted = `UPDATE "tokens" SET "refunded_quota" = "refunded_quota" + ? WHERE "id" = ?`;
      await execute(manager, counted, [amount, toInteger(charge['caller'])]);
    }
    return amount;
  }

  /** After the commit of a refund: calls see it under their limits at once. Fails: with the database's error. */
  async returnToLimits(callId: string, refunded: Quota): Promise<void> {
    await this.limits?.giveBack(callId, refunded);
  }

  /** Quota refunded under this ref; 0 = nothing. */
  async refundOf(ref: string): Promise<Quota> {
    const [row] = await read(
      this.dataSource,
      `SELECT "amount" AS "amount" FROM "ledger" WHERE "kind" = 'refund' AND "ref" = ?`,
      [ref],
    );
    return toQuota(row === undefined ? 0 : toInteger(row['amount']));
  }

  /**
   * Sets what a limited token may still spend. What its running calls hold cannot be taken back: with calls in flight a
   * smaller allowance ends at what they hold.
   * Call `returnPools({ userId, tokenId })` first, so that an idle pool does not count as in flight.
   * @returns the remainder now in force
   */
  async setTokenAllowance(
    manager: EntityManager,
    change: {
      readonly tokenId: number;
      readonly remainder: number;
      readonly ref: string;
      readonly actorId: number;
    },
  ): Promise<Quota> {
    const lock = lockClause(dialectOf(manager.dataSource));
    const { rows } = await execute(
      manager,
      `SELECT "remain_quota" AS "remain" FROM "tokens" WHERE "id" = ?${lock}`,
      [change.tokenId],
    );
    const [token] = rows;
    if (token === undefined) throw new AccountMissingError(`no token ${change.tokenId}`);
    const held = await execute(
      manager,
      `SELECT COALESCE(SUM("amount"), 0) AS "held" FROM "reservations" WHERE "token_id" = ? AND "scope" = 'token' AND "state" = 'open'`,
      [change.tokenId],
    );
    const remain = toInteger(token['remain']);
    const reserved = toInteger(held.rows[0]?.['held']);
    const next = Math.max(0, toQuota(change.remainder) - reserved);
    const { ref, actorId, tokenId } = change;
    if (next !== remain)
      await this.grantToken(manager, { tokenId, amount: next - remain, kind: 'edit', ref, actorId });
    return toQuota(next + reserved);
  }

  /** Brings what idle pools hold back to the account, or to one of its tokens; running calls keep what they hold. */
  async returnPools(account: { readonly userId: number; readonly tokenId?: number }): Promise<void> {
    await this.poolReturns.returnAll(account);
  }

  /** See `PoolReturns.whileEmpty`. */
  whilePoolIsEmpty<T>(
    userId: number,
    run: (empty: (manager: EntityManager) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    return this.poolReturns.whileEmpty(userId, run);
  }

  private async move(manager: EntityManager, movement: LedgerMovement): Promise<boolean> {
    const { userId, kind, ref } = movement;
    const amount = toQuota(movement.amount);
    const lock = lockClause(dialectOf(manager.dataSource));
    const { rows } = await execute(
      manager,
      `SELECT "quota" AS "quota", "quota_floor" AS "floor" FROM "users" WHERE "id" = ?${lock}`,
      [userId],
    );
    const [user] = rows;
    if (user === undefined) throw new AccountMissingError(`no account ${userId}`);
    const known = await execute(manager, `SELECT 1 AS "one" FROM "ledger" WHERE "kind" = ? AND "ref" = ?`, [
      kind,
      ref,
    ]);
    if (known.rows.length > 0) return false;
    if (amount === 0) return true;
    const quotaAfter = toInteger(user['quota']) + amount;
    const balance = ((await this.balancesOf([userId], manager)).get(userId) ?? 0) + amount;
    if (amount > 0 && balance > MAX_BALANCE)
      throw new BalanceTooHighError('the balance would grow too large');
    if (amount < 0 && quotaAfter < toInteger(user['floor']))
      throw new BalanceTooLowError('the balance is smaller than that');
    const refunded = kind === 'refund' ? amount : 0;
    await execute(
      manager,
      `UPDATE "users" SET "quota" = ?, "refunded_quota" = "refunded_quota" + ? WHERE "id" = ?`,
      [toQuota(quotaAfter), refunded, userId],
    );
    await execute(
      manager,
      `INSERT INTO "ledger" ("user_id", "kind", "amount", "quota_after", "ref", "actor_id", "reason", "created_at_ms")
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      [userId, kind, amount, balance, ref, movement.actorId, movement.reason, this.clock.nowMs()],
    );
    return true;
  }
}
