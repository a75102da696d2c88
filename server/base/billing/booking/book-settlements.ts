import type { FilledPool } from '../../../infra/shared-store/shared-store.js';
import { selectBalances, toBalances } from '../ledger/balance-sql.js';
import { addAttempts, addUsageTotals, insertLogs } from './book-logs.js';
import { takeFromChannelParts } from './book-channel-limits.js';
import { addLimitUses, insertFailedCalls, marksOf } from './book-limits.js';
import { correctLimitUses } from '../ledger/limit-use-sql.js';
import { addReferenceTotals } from './book-references.js';
import { addTagTotals } from './book-tags.js';
import { marksText } from '../../limits/limit-marks.js';
import type { BookingOptions } from './booking-options.js';
import { insertTasks } from './book-tasks.js';
import { type BookedCharge, BatchTotals, checkPriced, type PoolDebit } from './batch-totals.js';
import { type Existing, lockState, readExisting } from './booking-state.js';
import {
  addToRows,
  amountPerRow,
  execute,
  insertRows,
  type SqlTarget,
  textList,
} from '../ledger/money-sql.js';
import { snapshotId } from '../ledger/price-snapshots.js';
import type { BookingRecord, ReleaseDocument } from '../records/spool-documents.js';

/** Changes a batch makes to pools of the shared store. */
export interface PoolChanges {
  readonly debits: readonly PoolDebit[];
  /** Pools nothing in SQL stands behind any more. */
  readonly voided: readonly FilledPool[];
}

export interface BookingResult extends PoolChanges {
  readonly booked: readonly BookedCharge[];
  readonly writeoff: number;
  /** Calls of the batch that were booked before. */
  readonly knownBefore: number;
  /** Channel → what its calls were charged. */
  readonly channels: ReadonlyMap<number, number>;
  /** Failed calls of the batch that limits of requests count. */
  readonly failed: readonly ReleaseDocument[];
  /** Changes of earlier charges: above 0 = given back. */
  readonly corrections: readonly { readonly callId: string; readonly amount: number }[];
}

/**
 * Books a batch inside one transaction: settlements and their log rows, reservations, accounts, tokens. Replaying it changes nothing.
 *
 * The batch's own rows, most of the work, come first, while no other worker waits for them. Then the accounts are locked, as briefly
 * as possible, in the order users, tokens, reservations. Rows are written as if every account could pay, and corrected where one could not.
 * The prices of the calls must be known already (`keepSnapshots`), and `addToSharedRows` is still to come.
 * Fails: BookingError for a record that can never be booked; RangeError; the database's error, a duplicate key among them when a
 * call is booked that was not looked for, or when another worker books it at the same moment: the next try sees it.
 * @param wish  `logs`: the usage log is in this database, and wanted; `mayBeBooked`: look for calls that are booked already
 */
export async function bookSettlements(
  target: SqlTarget,
  records: readonly BookingRecord[],
  wish: { readonly nowMs: number; readonly logs: boolean; readonly mayBeBooked: boolean },
): Promise<BookingResult> {
  const existing: Existing = wish.mayBeBooked ? await readExisting(target, records) : new Map();
  const fresh = freshCharges(records, existing);
  await insertSettlements(target, fresh);
  if (wish.logs) await insertLogs(target, fresh);
  const totals = new BatchTotals(await lockState(target, records, existing));
  for (const record of records) {
    if (record.type === 'S') totals.settle(record.document);
    else totals.release(record.document);
  }
  await writeUsers(target, totals);
  await writeTokens(target, totals, wish.nowMs);
  await writeReservations(target, totals);
  await correctCharges(target, totals.booked, wish.logs);
  if (records.some(isTask)) await insertTasks(target, records, chargesOf(totals.booked));
  await insertGrants(target, totals, wish.nowMs);
  await insertCorrections(target, totals, wish.nowMs);
  const failed = await insertFailedCalls(target, records, wish.nowMs);
  const { booked, debits, voided, writeoff, channels, corrections } = totals;
  return {
    booked,
    debits,
    writeoff,
    channels,
    failed,
    corrections,
    voided: [...voided.values()],
    knownBefore: existing.size,
  };
}

/**
 * Adds a batch to rows that the calls of all accounts share: sums of channels, of hours, and of attempts. Workers wait for each other
 * from here to the commit, so this comes last.
 */
export async function addToSharedRows(
  target: SqlTarget,
  { booked, channels, failed, corrections }: BookingResult,
  { useFigures, tagValuesPerDay }: Pick<BookingOptions, 'useFigures' | 'tagValuesPerDay'>,
): Promise<void> {
  // Rows of single accounts, which are locked: only what follows makes all writers wait.
  if (useFigures) await addTagTotals(target, booked, tagValuesPerDay);
  await addToRows(target, 'channels', { used_quota: channels });
  if (useFigures) {
    await addUsageTotals(target, booked);
    await addReferenceTotals(target, booked);
  }
  await addAttempts(target, booked);
  await addLimitUses(target, booked, failed);
  await takeFromChannelParts(target, booked);
  await correctLimitUses(target, corrections);
}

/** Calls that are not booked yet, each once, as if their owners could pay. */
function freshCharges(records: readonly BookingRecord[], existing: Existing): BookedCharge[] {
  const fresh = new Map<string, BookedCharge>();
  for (const { type, document } of records) {
    if (type !== 'S') continue;
    checkPriced(document);
    const { request_id: callId, priced } = document;
    if (!existing.has(callId) && !fresh.has(callId)) fresh.set(callId, { document, charged: priced });
  }
  return [...fresh.values()];
}

const isTask = (record: BookingRecord): boolean => record.type === 'S' && record.document.task !== undefined;

const chargesOf = (booked: readonly BookedCharge[]): Map<string, number> =>
  new Map(booked.map(({ document, charged }) => [document.request_id, charged]));

async function writeUsers(target: SqlTarget, totals: BatchTotals): Promise<void> {
  const { used, count, quota } = totals.users;
  await addToRows(target, 'users', { used_quota: used, request_count: count });
  await addToRows(target, 'users', { quota });
}

async function writeTokens(target: SqlTarget, totals: BatchTotals, nowMs: number): Promise<void> {
  const { used, remain } = totals.tokens;
  const set = { accessed_time: Math.floor(nowMs / 1000) };
  await addToRows(target, 'tokens', { used_quota: used }, { set });
  await addToRows(target, 'tokens', { remain_quota: remain });
}

async function writeReservations(target: SqlTarget, totals: BatchTotals): Promise<void> {
  const amount = new Map([...totals.spent].map(([id, spent]) => [id, -spent]));
  const affected = await addToRows(target, 'reservations', { amount }, { and: `"state" = 'open'` });
  if (affected !== amount.size) throw new Error('a reservation changed under its lock');
  for (const state of ['settled', 'released'] as const) {
    const closed = [...totals.closed].filter(([, how]) => how === state).map(([id]) => id);
    if (closed.length === 0) continue;
    await execute(target, `UPDATE "reservations" SET "state" = ? WHERE "id" IN (${textList(closed)})`, [
      state,
    ]);
  }
}

export const SETTLEMENT_COLUMNS = [
  'request_id',
  'user_id',
  'token_id',
  'token_limited',
  'channel_id',
  'model',
  'usage',
  'evidence',
  'charged',
  'writeoff',
  'outcome',
  'price_snapshot',
  'created_at_ms',
  'limits',
] as const;

async function insertSettlements(target: SqlTarget, charges: readonly BookedCharge[]): Promise<void> {
  const rows = charges.map(({ document, charged }) => [
    document.request_id,
    document.user_id,
    document.token_id,
    document.token_limited,
    document.channel_id,
    document.model,
    document.usage,
    document.evidence,
    charged,
    document.priced - charged,
    document.outcome,
    snapshotId(document.price_snapshot),
    document.created_at_ms,
    document.channel_limits === undefined ? (document.hold.limits ?? null) : marksText(marksOf(document)),
  ]);
  await insertRows(target, 'settlements', SETTLEMENT_COLUMNS, rows);
}

/** Calls whose owners could not pay all of it: their rows hold the paid part. */
async function correctCharges(
  target: SqlTarget,
  booked: readonly BookedCharge[],
  hasLogs: boolean,
): Promise<void> {
  const short = booked.filter(({ document, charged }) => charged !== document.priced);
  if (short.length === 0) return;
  const charged = new Map(short.map((charge) => [charge.document.request_id, charge.charged]));
  const ids = textList(charged.keys());
  const amount = amountPerRow('request_id', charged);
  // MySQL assigns from left to right and reads the new values: the write-off is subtracted first.
  await execute(
    target,
    `UPDATE "settlements" SET "writeoff" = "charged" + "writeoff" - ${amount}, "charged" = ${amount} WHERE "request_id" IN (${ids})`,
  );
  if (hasLogs) await execute(target, `UPDATE "logs" SET "quota" = ${amount} WHERE "request_id" IN (${ids})`);
}

async function insertGrants(target: SqlTarget, totals: BatchTotals, nowMs: number): Promise<void> {
  for (const { tokenId, amount, callId } of totals.overruns) {
    await execute(
      target,
      `INSERT INTO "token_grants" ("token_id", "kind", "amount", "actor_id", "ref", "created_at_ms")
       VALUES (?, 'overrun', ?, 0, ?, ?)`,
      [tokenId, amount, callId, nowMs],
    );
  }
}

/** After accounts and reservations were written: the balances are those right after the batch. */
async function insertCorrections(target: SqlTarget, totals: BatchTotals, nowMs: number): Promise<void> {
  if (totals.corrections.length === 0) return;
  const userIds = new Set(totals.corrections.map(({ userId }) => userId));
  const balances = toBalances((await execute(target, selectBalances(userIds))).rows);
  for (const { userId, amount, callId } of totals.corrections) {
    await execute(
      target,
      `INSERT INTO "ledger" ("user_id", "kind", "amount", "quota_after", "ref", "actor_id", "reason", "created_at_ms")
       VALUES (?, 'correction', ?, ?, ?, 0, 'late settlement of a recovered call', ?)`,
      [userId, amount, balances.get(userId) ?? 0, callId, nowMs],
    );
  }
}
