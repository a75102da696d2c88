import { dialectOf } from '../../../infra/database/data-source.js';
import type { EntityManager } from 'typeorm';
import {
  amountPerRow,
  execute,
  integerList,
  lockClause,
  nowExpression,
  type Row,
  textList,
  toInteger,
  toText,
} from './money-sql.js';

/** Time a reservation outlives the last heartbeat of a worker that uses it. */
export const RESERVATION_LEASE_MS = 6_000;
/** So long after its lease no dead worker waits to be put in order any more: each is, within two minutes. */
export const ABANDONED_AFTER_MS = 300_000;

export interface AccountRow {
  /** Active and not deleted. */
  readonly isUsable: boolean;
  readonly quota: number;
  readonly floor: number;
}

export interface ReservationRow {
  readonly id: string;
  readonly scope: 'user' | 'token';
  readonly tokenId: number | null;
  readonly epoch: string;
  readonly amount: number;
  /** No worker has used it for a lease, by the database's clock. */
  readonly isLeaseOver: boolean;
  /** The same for so long that the worker that used it is dead and was recovered. */
  readonly isAbandoned: boolean;
}

/** Locks an account. @returns undefined when there is none */
export async function lockAccount(manager: EntityManager, userId: number): Promise<AccountRow | undefined> {
  const { rows } = await execute(
    manager,
    `SELECT "status" AS "status", "deleted_at_ms" AS "deleted", "quota" AS "quota", "quota_floor" AS "floor"
       FROM "users" WHERE "id" = ?${lockClause(dialectOf(manager.dataSource))}`,
    [userId],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return { isUsable: isUsableAccount(row), quota: toInteger(row['quota']), floor: toInteger(row['floor']) };
}

/** @param row  with `status` and `deleted` */
export const isUsableAccount = (row: Row): boolean =>
  toInteger(row['status']) === 1 && row['deleted'] === null;

/** @param row  with `status`, `deleted`, `expires` and, by the database's clock, `now` */
export function isUsableToken(row: Row): boolean {
  const expires = toInteger(row['expires']);
  return isUsableAccount(row) && (expires === -1 || expires * 1_000 > toInteger(row['now']));
}

/** Locks limited tokens of an account. @returns what each may still set aside; 0 for one that may not be used */
export async function lockTokens(
  manager: EntityManager,
  userId: number,
  tokenIds: ReadonlySet<number>,
): Promise<Map<number, number>> {
  if (tokenIds.size === 0) return new Map();
  const dialect = dialectOf(manager.dataSource);
  const { rows } = await execute(
    manager,
    `SELECT "id" AS "id", "status" AS "status", "deleted_at_ms" AS "deleted", "remain_quota" AS "remain", "expired_time" AS "expires",
         ${nowExpression(dialect)} AS "now"
       FROM "tokens" WHERE "user_id" = ? AND "id" IN (${integerList(tokenIds)}) ORDER BY "id"${lockClause(dialect)}`,
    [userId],
  );
  return new Map(
    rows.map((row) => [toInteger(row['id']), isUsableToken(row) ? toInteger(row['remain']) : 0]),
  );
}

/** Open reservations of pools of one account: both scopes are named for the index' sake, which knows them before the states. */
export const OPEN_POOLS = `"user_id" = ? AND "scope" IN ('user', 'token') AND "state" = 'open' AND "kind" = 'pool'`;

/** Locks the open pool reservations of an account and its tokens, of every epoch. */
export const lockPoolReservations = (manager: EntityManager, userId: number): Promise<ReservationRow[]> =>
  lockReservations(manager, OPEN_POOLS, userId);

/** Locks those of the named reservations that are open. */
export const lockOpenReservations = (
  manager: EntityManager,
  userId: number,
  ids: readonly string[],
): Promise<ReservationRow[]> =>
  lockReservations(manager, `"user_id" = ? AND "state" = 'open' AND "id" IN (${textList(ids)})`, userId);

/** @param condition  with one mark, for the account */
async function lockReservations(
  manager: EntityManager,
  condition: string,
  userId: number,
): Promise<ReservationRow[]> {
  const dialect = dialectOf(manager.dataSource);
  const { rows } = await execute(
    manager,
    `SELECT "id" AS "id", "scope" AS "scope", "token_id" AS "token_id", "epoch" AS "epoch", "amount" AS "amount",
         "lease_until_ms" - ${nowExpression(dialect)} AS "lease_left"
       FROM "reservations" WHERE ${condition} ORDER BY "id"${lockClause(dialect)}`,
    [userId],
  );
  return rows.map((row) => ({
    id: toText(row['id']),
    scope: row['scope'] === 'token' ? 'token' : 'user',
    tokenId: row['token_id'] === null ? null : toInteger(row['token_id']),
    epoch: toText(row['epoch']),
    amount: toInteger(row['amount']),
    isLeaseOver: toInteger(row['lease_left']) < 0,
    isAbandoned: toInteger(row['lease_left']) < -ABANDONED_AFTER_MS,
  }));
}

/** Takes from an account what may be taken. @returns false when the floor is in the way */
export async function takeFromAccount(
  manager: EntityManager,
  userId: number,
  amount: number,
): Promise<boolean> {
  if (amount === 0) return true;
  const { affected } = await execute(
    manager,
    `UPDATE "users" SET "quota" = "quota" - ? WHERE "id" = ? AND "quota" - ? >= "quota_floor"`,
    [amount, userId, amount],
  );
  return affected === 1;
}

export async function takeFromToken(
  manager: EntityManager,
  tokenId: number,
  amount: number,
): Promise<boolean> {
  if (amount === 0) return true;
  const { affected } = await execute(
    manager,
    `UPDATE "tokens" SET "remain_quota" = "remain_quota" - ? WHERE "id" = ? AND "remain_quota" >= ?`,
    [amount, tokenId, amount],
  );
  return affected === 1;
}

/** A reservation of one call. */
export interface CallReservationRow {
  readonly id: string;
  readonly userId: number;
  /** Null for the account's own. */
  readonly tokenId: number | null;
  readonly callId: string;
  readonly owner: string;
  readonly amount: number;
  readonly promptEstimate: number;
  readonly leaseMs: number;
}

const INSERT_RESERVATION = `INSERT INTO "reservations" ("id", "kind", "scope", "user_id", "token_id", "request_id", "epoch", "amount",
  "state", "prompt_estimate", "dispatched_at_ms", "owner", "lease_until_ms", "created_at_ms") VALUES`;
const ROWS_PER_INSERT = 50;

/** The account's row is locked meanwhile: few trips for however many calls. */
export async function insertCallReservations(
  manager: EntityManager,
  rows: readonly CallReservationRow[],
): Promise<void> {
  const now = nowExpression(dialectOf(manager.dataSource));
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    const part = rows.slice(from, from + ROWS_PER_INSERT);
    const marks = `(?, 'call', ?, ?, ?, ?, '', ?, 'open', ?, NULL, ?, ${now} + ?, ${now})`;
    const values = part.flatMap((row) => [
      row.id,
      row.tokenId === null ? 'user' : 'token',
      row.userId,
      row.tokenId,
      row.callId,
      row.amount,
      row.promptEstimate,
      row.owner,
      row.leaseMs,
    ]);
    await execute(manager, `${INSERT_RESERVATION} ${part.map(() => marks).join(', ')}`, values);
  }
}

/** Money taken for a reservation that was closed meanwhile. */
export class ReservationClosedError extends Error {
  constructor(ids: readonly string[]) {
    super(`not open any more: ${ids.join(', ')}`);
  }
}

/**
 * Puts money that was taken in this transaction into open reservations, into each the whole amount.
 * @param leaseMs  renews their leases; undefined = these stay
 * Fails: ReservationClosedError when one of them is not open, which takes the transaction back: the money stays where it was.
 */
export async function addToReservations(
  manager: EntityManager,
  ids: readonly string[],
  amount: number,
  leaseMs?: number,
): Promise<void> {
  const now = nowExpression(dialectOf(manager.dataSource));
  const lease = leaseMs === undefined ? '' : `, "lease_until_ms" = ${now} + ${leaseMs}`;
  const { affected } = await execute(
    manager,
    `UPDATE "reservations" SET "amount" = "amount" + ?${lease} WHERE "state" = 'open' AND "id" IN (${textList(ids)})`,
    [amount],
  );
  if (affected !== ids.length) throw new ReservationClosedError(ids);
}

/** Puts money into a reservation of a pool: into the one named, or into a new one. */
export async function reserveAmount(
  manager: EntityManager,
  target: {
    readonly existingId: string | undefined;
    readonly newId: string;
    readonly userId: number;
    readonly tokenId: number | null;
    readonly epoch: string;
    readonly owner: string;
    readonly amount: number;
    readonly leaseMs: number;
  },
): Promise<string> {
  const now = nowExpression(dialectOf(manager.dataSource));
  if (target.existingId !== undefined) {
    await addToReservations(manager, [target.existingId], target.amount, target.leaseMs);
    return target.existingId;
  }
  await execute(
    manager,
    `${INSERT_RESERVATION} (?, 'pool', ?, ?, ?, NULL, ?, ?, 'open', 0, NULL, ?, ${now} + ?, ${now})`,
    [
      target.newId,
      target.tokenId === null ? 'user' : 'token',
      target.userId,
      target.tokenId,
      target.epoch,
      target.amount,
      target.owner,
      target.leaseMs,
    ],
  );
  return target.newId;
}

/** Gives back what void reservations of an account hold, and closes them. Their rows must be locked. */
export async function closeReservations(
  manager: EntityManager,
  userId: number,
  reservations: readonly ReservationRow[],
): Promise<void> {
  if (reservations.length === 0) return;
  const toAccount = sumOf(reservations.filter((row) => row.scope === 'user'));
  if (toAccount > 0) {
    await execute(manager, `UPDATE "users" SET "quota" = "quota" + ? WHERE "id" = ?`, [toAccount, userId]);
  }
  const perToken = Map.groupBy(
    reservations.filter((row) => row.tokenId !== null && row.amount > 0),
    (row) => row.tokenId ?? 0,
  );
  if (perToken.size > 0) {
    const amounts = new Map([...perToken].map(([id, rows]) => [id, sumOf(rows)]));
    await execute(
      manager,
      `UPDATE "tokens" SET "remain_quota" = "remain_quota" + ${amountPerRow('id', amounts)} WHERE "id" IN (${integerList(amounts.keys())})`,
    );
  }
  const ids = textList(reservations.map((row) => row.id));
  await execute(
    manager,
    `UPDATE "reservations" SET "amount" = 0, "state" = 'released' WHERE "id" IN (${ids})`,
  );
}

export const sumOf = (rows: readonly ReservationRow[]): number =>
  rows.reduce((total, row) => total + row.amount, 0);

/** Marks these reservations as in use, for recovery. */
export async function renewLeases(manager: EntityManager, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const now = nowExpression(dialectOf(manager.dataSource));
  await execute(
    manager,
    `UPDATE "reservations" SET "lease_until_ms" = ${now} + ? WHERE "state" = 'open' AND "id" IN (${textList(ids)})`,
    [RESERVATION_LEASE_MS],
  );
}
