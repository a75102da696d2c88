import { CLOCKS_DIFFER_MS } from '../../../common/record-owners.js';
import { msOfId } from '../../../infra/ids/ids-by-time.js';
import type { HoldPlace, RecordOwner } from '../records/spool-documents.js';

/** A record that can never be booked, whatever the state of the database. */
export class BookingError extends Error {}

export interface KnownAccount {
  readonly uid: string;
  readonly madeAtSeconds: number;
}

export interface KnownToken extends KnownAccount {
  readonly userId: number;
}

/** Accounts, tokens and open reservations, by what records call them. */
export interface KnownOwners {
  readonly users: ReadonlyMap<number, KnownAccount>;
  readonly tokens: ReadonlyMap<number, KnownToken>;
  readonly reservations: ReadonlyMap<string, { readonly userId: number }>;
}

type OwnedRecord = RecordOwner & { readonly request_id: string; readonly hold: HoldPlace };

/**
 * Records name accounts and tokens by id, and after a restore an id may belong to another one. The record's own identifiers decide;
 * for records of an earlier version, which have none, the account and the token must have existed when the call began. A missing
 * token is no fault: its account made the call, and pays. Throws BookingError with the reason when the record belongs to no account
 * of this database.
 */
export function checkOwner(record: OwnedRecord, known: KnownOwners): void {
  const { request_id: callId, user_id: userId, token_id: tokenId, hold } = record;
  const account = known.users.get(userId);
  if (account === undefined) throw new BookingError(`${callId}: its account does not exist`);
  if (!isSame(record.account_uid, account, callId))
    throw new BookingError(`${callId}: account ${userId} is not the account that made the call`);
  const token = tokenId === null ? undefined : known.tokens.get(tokenId);
  if (token !== undefined && (token.userId !== userId || !isSame(record.token_uid, token, callId)))
    throw new BookingError(`${callId}: token ${tokenId} is not the token that made the call`);
  for (const id of [hold.userReservationId, hold.tokenReservationId]) {
    const reservation = id === null ? undefined : known.reservations.get(id);
    if (reservation !== undefined && reservation.userId !== userId)
      throw new BookingError(`${callId}: its reservation is of another account`);
  }
}

function isSame(uid: string | undefined, known: KnownAccount, callId: string): boolean {
  if (uid !== undefined) return uid === known.uid;
  const beganAtMs = msOfId(callId);
  return beganAtMs === undefined || known.madeAtSeconds * 1000 <= beganAtMs + CLOCKS_DIFFER_MS;
}
