import type { PoolRef } from '../../infra/shared-store/shared-store.js';
import { BookingSheet, type ExistingSettlement, type LockedState } from './booking-sheet.js';
import {
  amountPerRow,
  dialectIn,
  execute,
  insertRows,
  integerList,
  lockClause,
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

export interface BookingResult {
  /** Settlements that were new, and what the account paid: they become log rows. */
  readonly booked: readonly {
    readonly document: SettlementDocument;
    readonly charged: number;
  }[];
  /** Money that was taken from a pool beyond the call's own hold: the store must forget it too. */
  readonly debits: readonly {
    readonly pool: PoolRef;
    readonly amount: number;
    readonly reservationId: string;
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
  return { booked: sheet.booked, debits: sheet.debits, writeoff: sheet.writeoff };
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
  const select = async (
    sql: string,
    list: string,
    suffix: string,
  ): Promise<readonly Record<string, unknown>[]> =>
    list === '' ? [] : (await execute(target, `${sql} IN (${list})${suffix}`)).rows;
  const userRows = await select(
    `SELECT "id" AS "id", "quota" AS "quota", "quota_floor" AS "floor" FROM "users" WHERE "id"`,
    integerList(users),
    ` ORDER BY "id"${lock}`,
  );
  const tokenRows = await select(
    `SELECT "id" AS "id", "remain_quota" AS "remain" FROM "tokens" WHERE "id"`,
    integerList(tokens),
    ` ORDER BY "id"${lock}`,
  );
  const reservationRows = await select(
    `SELECT "id" AS "id", "amount" AS "amount" FROM "reservations" WHERE "state" = 'open' AND "id"`,
    textList(reservations),
    ` ORDER BY "id"${lock}`,
  );
  const settlementRows = await select(
    `SELECT "request_id" AS "id", "outcome" AS "outcome", "charged" AS "charged" FROM "settlements" WHERE "request_id"`,
    textList(calls),
    '',
  );
  const recovered = settlementRows
    .filter((row) => row['outcome'] === 'recovered')
    .map((row) => toText(row['id']));
  const correctionRows = await select(
    `SELECT "ref" AS "id" FROM "ledger" WHERE "kind" = 'correction' AND "ref"`,
    textList(recovered),
    '',
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
  if (count.size > 0) {
    await execute(
      target,
      `UPDATE "users" SET "used_quota" = "used_quota" + ${amountPerRow('id', used)},
         "request_count" = "request_count" + ${amountPerRow('id', count)} WHERE "id" IN (${integerList(count.keys())})`,
    );
  }
  if (quota.size > 0) {
    await execute(
      target,
      `UPDATE "users" SET "quota" = "quota" + ${amountPerRow('id', quota)} WHERE "id" IN (${integerList(quota.keys())})`,
    );
  }
}

async function writeTokens(target: SqlTarget, sheet: BookingSheet, nowMs: number): Promise<void> {
  const { used, remain } = sheet.tokens;
  if (used.size > 0) {
    await execute(
      target,
      `UPDATE "tokens" SET "used_quota" = "used_quota" + ${amountPerRow('id', used)},
         "accessed_time" = ? WHERE "id" IN (${integerList(used.keys())})`,
      [Math.floor(nowMs / 1000)],
    );
  }
  if (remain.size > 0) {
    await execute(
      target,
      `UPDATE "tokens" SET "remain_quota" = "remain_quota" + ${amountPerRow('id', remain)}
         WHERE "id" IN (${integerList(remain.keys())})`,
    );
  }
}

async function writeReservations(target: SqlTarget, sheet: BookingSheet): Promise<void> {
  if (sheet.spent.size > 0) {
    const ids = textList(sheet.spent.keys());
    const { affected } = await execute(
      target,
      `UPDATE "reservations" SET "amount" = "amount" - ${amountPerRow('id', sheet.spent)} WHERE "state" = 'open' AND "id" IN (${ids})`,
    );
    if (affected !== sheet.spent.size) throw new Error('a reservation changed under its lock');
  }
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

async function insertCorrections(target: SqlTarget, sheet: BookingSheet, nowMs: number): Promise<void> {
  for (const { userId, amount, quotaAfter, callId } of sheet.corrections) {
    await execute(
      target,
      `INSERT INTO "ledger" ("user_id", "kind", "amount", "quota_after", "ref", "actor_id", "reason", "created_at_ms")
       VALUES (?, 'correction', ?, ?, ?, 0, 'late settlement of a recovered call', ?)`,
      [userId, amount, quotaAfter, callId, nowMs],
    );
  }
}

async function writeChannels(target: SqlTarget, sheet: BookingSheet): Promise<void> {
  if (sheet.channels.size === 0) return;
  await execute(
    target,
    `UPDATE "channels" SET "used_quota" = "used_quota" + ${amountPerRow('id', sheet.channels)}
       WHERE "id" IN (${integerList(sheet.channels.keys())})`,
  );
}
