import { accountUid, tokenUid } from '../../../common/record-owners.js';
import type { LockedState } from './batch-totals.js';
import {
  dialectIn,
  lockClause,
  selectListed,
  type SqlTarget,
  toInteger,
  toText,
} from '../ledger/money-sql.js';
import type { BookingRecord } from '../records/spool-documents.js';

/** Settlements of a batch that are booked already, by call. */
export type Existing = ReadonlyMap<string, { readonly outcome: string; readonly charged: number }>;

export async function readExisting(target: SqlTarget, records: readonly BookingRecord[]): Promise<Existing> {
  const calls = new Set<string>();
  for (const record of records) if (record.type === 'S') calls.add(record.document.request_id);
  const rows = await selectListed(
    target,
    `SELECT "request_id" AS "id", "outcome" AS "outcome", "charged" AS "charged" FROM "settlements" WHERE "request_id" IN`,
    calls,
  );
  return new Map(
    rows.map((row) => [
      toText(row['id']),
      { outcome: toText(row['outcome']), charged: toInteger(row['charged']) },
    ]),
  );
}

/** Locks what a batch changes, in the order users, tokens, reservations. */
export async function lockState(
  target: SqlTarget,
  records: readonly BookingRecord[],
  existing: Existing,
): Promise<LockedState> {
  const lock = lockClause(dialectIn(target));
  const users = new Set<number>();
  const tokens = new Set<number>();
  const reservations = new Set<string>();
  for (const { document } of records) {
    const { user_id: userId, token_id: tokenId, hold } = document;
    users.add(userId);
    if (tokenId !== null) tokens.add(tokenId);
    if (hold.userReservationId !== '') reservations.add(hold.userReservationId);
    if (hold.tokenReservationId !== null && hold.tokenReservationId !== '')
      reservations.add(hold.tokenReservationId);
  }
  const userRows = await selectListed(
    target,
    `SELECT "id" AS "id", "quota" AS "quota", "quota_floor" AS "floor", "uid" AS "uid", "created_at" AS "made" FROM "users" WHERE "id" IN`,
    users,
    ` ORDER BY "id"${lock}`,
  );
  const tokenRows = await selectListed(
    target,
    `SELECT "id" AS "id", "remain_quota" AS "remain", "user_id" AS "user_id", "key_digest" AS "digest", "created_time" AS "made"
       FROM "tokens" WHERE "id" IN`,
    tokens,
    ` ORDER BY "id"${lock}`,
  );
  const reservationRows = await selectListed(
    target,
    `SELECT "id" AS "id", "amount" AS "amount", "user_id" AS "user_id" FROM "reservations" WHERE "state" = 'open' AND "id" IN`,
    reservations,
    ` ORDER BY "id"${lock}`,
  );
  // Under the lock of the owner: of two workers with the same late settlement one sees what the other has corrected.
  const recovered = new Set(
    [...existing].flatMap(([id, { outcome }]) => (outcome === 'recovered' ? [id] : [])),
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
        {
          quota: toInteger(row['quota']),
          floor: toInteger(row['floor']),
          uid: accountUid(row['uid'] === null ? null : toText(row['uid']), toInteger(row['made'])),
          madeAtSeconds: toInteger(row['made']),
        },
      ]),
    ),
    tokens: new Map(
      tokenRows.map((row) => [
        toInteger(row['id']),
        {
          remain: toInteger(row['remain']),
          userId: toInteger(row['user_id']),
          uid: tokenUid(toText(row['digest'])),
          madeAtSeconds: toInteger(row['made']),
        },
      ]),
    ),
    reservations: new Map(
      reservationRows.map((row) => [
        toText(row['id']),
        { amount: toInteger(row['amount']), userId: toInteger(row['user_id']) },
      ]),
    ),
    settlements: new Map(
      [...existing].map(([id, { charged }]) => [
        id,
        { charged, mayBeCorrected: recovered.has(id) && !corrected.has(id) },
      ]),
    ),
  };
}
