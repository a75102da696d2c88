import type { DataSource } from 'typeorm';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import { bucketMs, oldestBucketAt, ROLLING_MS } from '../../limits/calendar-periods.js';
import { amountAt, type LimitDefinition } from '../../limits/limit-definition.js';
import { addUses } from '../ledger/limit-use-sql.js';
import { HEARTBEAT_LEASE_MS } from '../ledger/instances.js';
import {
  dialectIn,
  execute,
  insertRows,
  lockClause,
  nowExpression,
  sqlIn,
  type SqlTarget,
  toInteger,
} from '../ledger/money-sql.js';
import { planTrip, type TripPlan, type WaitingNeed } from './part-window.js';

/** State of a limit in the database as one trip saw it, and what the trip changed. */
export interface TripResult extends TripPlan {
  /** Milliseconds, by the database's clock. */
  readonly nowMs: number;
  /** The period is over; nothing was changed but what was used in it. */
  readonly isOver: boolean;
  /** Settled use of the period. */
  readonly settled: number;
  readonly amount: number;
  /** When the limit has room again; null = never by itself. */
  readonly opensAtMs: number | null;
}

export interface Trip {
  readonly limit: LimitDefinition;
  readonly startsAtMs: number;
  readonly endsAtMs: number | null;
  readonly owner: string;
  readonly part: number;
  readonly room: number;
  readonly spent: number;
  readonly spentCalls: number;
  readonly needs: readonly Pick<WaitingNeed, 'need' | 'isGrowth'>[];
  readonly isIdle: boolean;
}

/** A need no amount covers: the period is over. */
const NEVER = Number.POSITIVE_INFINITY;
/** Wait that is advised where running attempts, and no use, fill a limit. */
const HELD_RETRY_MS = 1_000;

/**
 * Leases, returns and books parts of one limit in one transaction. The row of the limit is locked: workers take their turns.
 * Fails: with the database's error; when the connection broke during COMMIT the outcome is unknown, and the next trip writes the part again.
 */
export function makeTrip(dataSource: DataSource, trip: Trip): Promise<TripResult> {
  return runInTransaction(dataSource, async (target) => {
    const { limit, owner, startsAtMs, endsAtMs } = trip;
    const nowMs = await lockLimit(target, limit.id);
    const isOver = endsAtMs !== null && nowMs >= endsAtMs;
    const state = await readState(target, trip, nowMs);
    const amount = amountAt(limit, nowMs);
    const before = trip.part - trip.spent;
    const plan = planTrip({
      amount,
      used: state.settled + trip.spent + state.parts - state.own + before,
      room: trip.room,
      needs: trip.needs.map(({ need, isGrowth }) => (isOver && !isGrowth ? NEVER : need)),
      isIdle: trip.isIdle || isOver,
    });
    if (trip.spent > 0 || trip.spentCalls > 0) await addUse(target, trip);
    await writePart(target, { limitId: limit.id, startsAtMs, owner }, before + plan.change);
    const settled = state.settled + trip.spent;
    const refused = trip.needs.filter((_need, index) => !plan.admitted.has(index));
    const need = Math.min(...refused.map((one) => one.need), amount);
    const opensAtMs = openingOf(trip, { settled, need, amount, nowMs, oldestMs: state.oldestMs });
    return { ...plan, nowMs, isOver, settled, amount, opensAtMs };
  });
}

function openingOf(
  { limit: { period, rolling }, endsAtMs }: Trip,
  state: {
    readonly settled: number;
    readonly need: number;
    readonly amount: number;
    readonly nowMs: number;
    readonly oldestMs: number | null;
  },
): number | null {
  const { settled, need, amount, nowMs, oldestMs } = state;
  if (period === '' || settled + Math.max(1, need) <= amount) return nowMs + HELD_RETRY_MS;
  if (period === 'ever') return null;
  if (!rolling) return endsAtMs;
  return (oldestMs ?? nowMs) + ROLLING_MS[period] + bucketMs(period);
}

async function lockLimit(target: SqlTarget, limitId: number): Promise<number> {
  const dialect = dialectIn(target);
  await execute(target, `SELECT "id" FROM "limits" WHERE "id" = ?${lockClause(dialect)}`, [limitId]);
  // Behind the lock, for which it may have waited.
  const { rows } = await execute(target, `SELECT ${nowExpression(dialect)} AS "now"`);
  return toInteger(rows[0]?.['now']);
}

interface LimitState {
  readonly settled: number;
  readonly parts: number;
  readonly own: number;
  /** Start of the oldest bucket with use; null = none. */
  readonly oldestMs: number | null;
}

/** One statement, so that a booking in between is seen as a whole or not at all. */
async function readState(
  target: SqlTarget,
  { limit, owner, startsAtMs }: Trip,
  nowMs: number,
): Promise<LimitState> {
  const from = limit.rolling && limit.period !== '' ? oldestBucketAt(limit.period, nowMs) : startsAtMs;
  const until = limit.rolling && limit.period !== '' ? nowMs : startsAtMs;
  const now = nowExpression(dialectIn(target));
  const alive =
    limit.measure === 'in_flight'
      ? ` AND ("owner" = ? OR "owner" IN (SELECT "boot_id" FROM "instances" WHERE "last_seen_ms" > ${now} - ${HEARTBEAT_LEASE_MS}))`
      : '';
  const span = [limit.id, from, until];
  const { rows } = await execute(
    target,
    `SELECT
       (SELECT COALESCE(SUM("used"), 0) FROM "limit_use" WHERE "limit_id" = ? AND "period_start_ms" BETWEEN ? AND ?) AS "settled",
       (SELECT MIN("period_start_ms") FROM "limit_use" WHERE "limit_id" = ? AND "period_start_ms" BETWEEN ? AND ? AND "used" > 0) AS "oldest",
       (SELECT COALESCE(SUM("amount"), 0) FROM "limit_parts" WHERE "limit_id" = ? AND "period_start_ms" BETWEEN ? AND ?${alive}) AS "parts",
       (SELECT COALESCE(SUM("amount"), 0) FROM "limit_parts" WHERE "limit_id" = ? AND "period_start_ms" = ? AND "owner" = ? AND "kind" = 'part') AS "own"`,
    [...span, ...span, ...span, ...(alive === '' ? [] : [owner]), limit.id, startsAtMs, owner],
  );
  const [row = {}] = rows;
  const oldest = row['oldest'];
  return {
    settled: toInteger(row['settled']),
    parts: toInteger(row['parts']),
    own: toInteger(row['own']),
    oldestMs: oldest === null || oldest === undefined ? null : toInteger(oldest),
  };
}

async function addUse(target: SqlTarget, { limit, startsAtMs, spent, spentCalls }: Trip): Promise<void> {
  await addAttemptUse(target, [[limit.id, startsAtMs, spent, spentCalls]]);
}

/** Adds what attempts used without a settlement. Fails: with the database's error. */
export const addAttemptUse = (
  target: SqlTarget,
  uses: readonly (readonly [limitId: number, periodStartMs: number, used: number, calls: number])[],
): Promise<void> =>
  addUses(
    target,
    uses.map(([limitId, periodStartMs, used, calls]) => ({
      limitId,
      value: '',
      periodStartMs,
      kind: 'attempt',
      used,
      calls,
    })),
  );

/** Takes booked use from the parts of workers. */
export async function takeFromParts(
  target: SqlTarget,
  uses: readonly (readonly [limitId: number, periodStartMs: number, owner: string, used: number])[],
): Promise<void> {
  const rows = uses.map(([limitId, startMs, owner, used]) => [limitId, startMs, owner, 'booked', -used]);
  await insertRows(target, 'limit_parts', PART_COLUMNS, rows, addAgain(target));
}

const PART_KEYS = ['limit_id', 'period_start_ms', 'owner', 'kind'] as const;
const PART_COLUMNS = [...PART_KEYS, 'amount'] as const;

const addAgain = (target: SqlTarget): string =>
  sqlIn(target).orAdd({ table: 'limit_parts', key: PART_KEYS }, ['amount']);

async function writePart(
  target: SqlTarget,
  {
    limitId,
    startsAtMs,
    owner,
  }: { readonly limitId: number; readonly startsAtMs: number; readonly owner: string },
  amount: number,
): Promise<void> {
  const { affected } = await execute(
    target,
    `UPDATE "limit_parts" SET "amount" = ? WHERE "limit_id" = ? AND "period_start_ms" = ? AND "owner" = ? AND "kind" = 'part'`,
    [amount, limitId, startsAtMs, owner],
  );
  if (affected === 0 && amount !== 0)
    await insertRows(target, 'limit_parts', PART_COLUMNS, [[limitId, startsAtMs, owner, 'part', amount]]);
}
