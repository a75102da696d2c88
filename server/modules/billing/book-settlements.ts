import type { FilledPool } from '../../infra/shared-store/shared-store.js';
import { selectBalances, toBalances } from './balance-sql.js';
import { BookingSheet, type ExistingSettlement, type LockedState, type PoolDebit } from './booking-sheet.js';
import {
  addToRows,
  dialectIn,
  execute,
  insertRows,
  lockClause,
  selectListed,
  type SqlTarget,
  textList,
  toInteger,
  toText,
} from './money-sql.js';
import { keepSnapshots, snapshotId } from './price-snapshots.js';
import type { ReleaseDocument, SettlementDocument } from './spool-documents.js';

/** One record of the spool that must be booked: a settlement or the release of a call's own reservation. */
export type BookingRecord = {
  /** True for what a dead worker left: nothing of this process waits for it. */
  readonly isRecovered?: true;
} & (
  | { readonly type: 'S'; readonly document: SettlementDocument }
  | { readonly type: 'R'; readonly document: ReleaseDocument }
);

/** What the pools of the shared store must be told after a batch. */
export interface PoolNews {
  readonly debits: readonly PoolDebit[];
  /** Pools nothing in SQL stands behind any more. */
  readonly voided: readonly FilledPool[];
}

export interface BookingResult extends PoolNews {
  /** Settlements that were new, and what the account paid: they become log rows. */
  readonly booked: readonly {
    readonly document: SettlementDocument;
    readonly charged: number;
  }[];
  readonly writeoff: number;
}

/**
 * Books a batch inside one transaction: settlements, reservations, accounts, tokens, channels. Replaying it changes nothing.
 * Locks in the order users, tokens, reservations.
 * Fails: BookingError for a record that can never be booked; RangeError; the database's error.
 */
export async function bookSettlements(
  target: SqlTarget,
  records: readonly BookingRecord[],
  nowMs: number,
): Promise<BookingResult> {
  const state = await lockState(target, records);
  const sheet = new BookingSheet(state);
  for (const record of records) {
    if (record.type === 'S') sheet.settle(record.document);
    else sheet.release(record.document);
  }
  await writeUsers(target, sheet);
  await writeTokens(target, sheet, nowMs);
  await writeReservations(target, sheet);
  await insertSettlements(target, sheet, nowMs);
  await insertGrants(target, sheet, nowMs);
  await insertCorrections(target, sheet, nowMs);
  await writeChannels(target, sheet);
  const { booked, debits, voided, writeoff } = sheet;
  return { booked, debits, voided: [...voided.values()], writeoff };
}

async function lockState(target: SqlTarget, records: readonly BookingRecord[]): Promise<LockedState> {
  const lock = lockClause(dialectIn(target));
  const users = new Set(records.map(({ document }) => document.user_id));
  const tokens = new Set(
    records.flatMap(({ document }) => (document.token_id === null ? [] : [document.token_id])),
  );
  const reservations = new Set(
    records.flatMap(({ document: { hold } }) =>
      [hold.userReservationId, hold.tokenReservationId ?? ''].filter((id) => id !== ''),
    ),
  );
  const calls = new Set(
    records.flatMap((record) => (record.type === 'S' ? [record.document.request_id] : [])),
  );
  const userRows = await selectListed(
    target,
    `SELECT "id" AS "id", "quota" AS "quota", "quota_floor" AS "floor" FROM "users" WHERE "id" IN`,
    users,
    ` ORDER BY "id"${lock}`,
  );
  const tokenRows = await selectListed(
    target,
    `SELECT "id" AS "id", "remain_quota" AS "remain" FROM "tokens" WHERE "id" IN`,
    tokens,
    ` ORDER BY "id"${lock}`,
  );
  const reservationRows = await selectListed(
    target,
    `SELECT "id" AS "id", "amount" AS "amount" FROM "reservations" WHERE "state" = 'open' AND "id" IN`,
    reservations,
    ` ORDER BY "id"${lock}`,
  );
  const settlementRows = await selectListed(
    target,
    `SELECT "request_id" AS "id", "outcome" AS "outcome", "charged" AS "charged" FROM "settlements" WHERE "request_id" IN`,
    calls,
  );
  const recovered = new Set(
    settlementRows.filter((row) => row['outcome'] === 'recovered').map((row) => toText(row['id'])),
  );
  const correctionRows = await selectListed(
    target,
    `SELECT "ref" AS "id" FROM "ledger" WHERE "kind" = 'correction' AND "ref" IN`,
    recovered,
  );
  const corrected = new Set(correctionRows.map((row) => toText(row['id'])));
  return {
    users: new Map(
      userRows.map((row) => [
        toInteger(row['id']),
        { quota: toInteger(row['quota']), floor: toInteger(row['floor']) },
      ]),
    ),
    tokens: new Map(tokenRows.map((row) => [toInteger(row['id']), { remain: toInteger(row['remain']) }])),
    reservations: new Map(reservationRows.map((row) => [toText(row['id']), toInteger(row['amount'])])),
    settlements: new Map(settlementRows.map((row) => [toText(row['id']), readExisting(row, corrected)])),
  };
}

function readExisting(row: Record<string, unknown>, corrected: ReadonlySet<string>): ExistingSettlement {
  const id = toText(row['id']);
  return {
    charged: toInteger(row['charged']),
    mayBeCorrected: row['outcome'] === 'recovered' && !corrected.has(id),
  };
}

async function writeUsers(target: SqlTarget, sheet: BookingSheet): Promise<void> {
  const { used, count, quota } = sheet.users;
  await addToRows(target, 'users', { used_quota: used, request_count: count });
  await addToRows(target, 'users', { quota });
}

async function writeTokens(target: SqlTarget, sheet: BookingSheet, nowMs: number): Promise<void> {
  const { used, remain } = sheet.tokens;
  const set = { accessed_time: Math.floor(nowMs / 1000) };
  await addToRows(target, 'tokens', { used_quota: used }, { set });
  await addToRows(target, 'tokens', { remain_quota: remain });
}

async function writeReservations(target: SqlTarget, sheet: BookingSheet): Promise<void> {
  const amount = new Map([...sheet.spent].map(([id, spent]) => [id, -spent]));
  const affected = await addToRows(target, 'reservations', { amount }, { and: `"state" = 'open'` });
  if (affected !== amount.size) throw new Error('a reservation changed under its lock');
  for (const state of ['settled', 'released'] as const) {
    const closed = [...sheet.closed].filter(([, how]) => how === state).map(([id]) => id);
    if (closed.length === 0) continue;
    await execute(target, `UPDATE "reservations" SET "state" = ? WHERE "id" IN (${textList(closed)})`, [
      state,
    ]);
  }
}

const SETTLEMENT_COLUMNS = [
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
] as const;

async function insertSettlements(target: SqlTarget, sheet: BookingSheet, nowMs: number): Promise<void> {
  await keepSnapshots(target, new Set(sheet.booked.map(({ document }) => document.price_snapshot)), nowMs);
  const rows = sheet.booked.map(({ document, charged }) => [
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
  ]);
  await insertRows(target, 'settlements', SETTLEMENT_COLUMNS, rows);
}

async function insertGrants(target: SqlTarget, sheet: BookingSheet, nowMs: number): Promise<void> {
  for (const { tokenId, amount, callId } of sheet.overruns) {
    await execute(
      target,
      `INSERT INTO "token_grants" ("token_id", "kind", "amount", "actor_id", "ref", "created_at_ms")
       VALUES (?, 'overrun', ?, 0, ?, ?)`,
      [tokenId, amount, callId, nowMs],
    );
  }
}

/** After accounts and reservations were written: the balances are those right after the batch. */
async function insertCorrections(target: SqlTarget, sheet: BookingSheet, nowMs: number): Promise<void> {
  if (sheet.corrections.length === 0) return;
  const userIds = new Set(sheet.corrections.map(({ userId }) => userId));
  const balances = toBalances((await execute(target, selectBalances(userIds))).rows);
  for (const { userId, amount, callId } of sheet.corrections) {
    await execute(
      target,
      `INSERT INTO "ledger" ("user_id", "kind", "amount", "quota_after", "ref", "actor_id", "reason", "created_at_ms")
       VALUES (?, 'correction', ?, ?, ?, 0, 'late settlement of a recovered call', ?)`,
      [userId, amount, balances.get(userId) ?? 0, callId, nowMs],
    );
  }
}

async function writeChannels(target: SqlTarget, sheet: BookingSheet): Promise<void> {
  await addToRows(target, 'channels', { used_quota: sheet.channels });
}
