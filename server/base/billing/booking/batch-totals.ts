import type { FilledPool, PoolRef } from '../../../infra/shared-store/shared-store.js';
import {
  BookingError,
  checkOwner,
  type KnownAccount,
  type KnownOwners,
  type KnownToken,
} from '../ledger/record-owner.js';
import type { ReleaseDocument, SettlementDocument } from '../records/spool-documents.js';

/**
 * Money SQL took from a pool beyond the call's own hold: the store must forget it too. Below 0 = SQL took less than the hold, the
 * store gets the rest back.
 */
export interface PoolDebit {
  readonly callId: string;
  readonly pool: PoolRef;
  readonly amount: number;
  readonly reservationId: string;
}

/** A settlement that was new, and what the account paid: it becomes a log row. */
export interface BookedCharge {
  readonly document: SettlementDocument;
  readonly charged: number;
}

/** Fails: BookingError. */
export function checkPriced({ request_id: callId, priced }: SettlementDocument): void {
  if (!Number.isSafeInteger(priced) || priced < 0)
    throw new BookingError(`${callId}: the charge is not an amount`);
}

export interface ExistingSettlement {
  readonly charged: number;
  /** It is an estimate of recovery and no correction was booked yet. */
  readonly mayBeCorrected: boolean;
}

/** The rows of a batch, read under their locks. */
export interface LockedState extends KnownOwners {
  readonly users: ReadonlyMap<number, KnownAccount & { readonly quota: number; readonly floor: number }>;
  readonly tokens: ReadonlyMap<number, KnownToken & { readonly remain: number }>;
  /** Open reservations only, with what of them is unspent. */
  readonly reservations: ReadonlyMap<string, { readonly amount: number; readonly userId: number }>;
  readonly settlements: ReadonlyMap<string, ExistingSettlement>;
}

/**
 * The arithmetic of a batch, without a database: payers, amounts and sources. Pure but for its own sums.
 * `charged = min(priced, unspent reservation + (quota − floor))`, first from the call's own hold, then from the balance, at
 * last from what other parts of the pool have left; the uncovered rest is the write-off.
 */
export class BatchTotals {
  readonly booked: BookedCharge[] = [];
  readonly users = {
    used: new Map<number, number>(),
    count: new Map<number, number>(),
    quota: new Map<number, number>(),
  };
  readonly tokens = { used: new Map<number, number>(), remain: new Map<number, number>() };
  readonly channels = new Map<number, number>();
  /** Reservation → amount that leaves it. */
  readonly spent = new Map<string, number>();
  readonly closed = new Map<string, 'settled' | 'released'>();
  readonly overruns: { readonly tokenId: number; readonly amount: number; readonly callId: string }[] = [];
  readonly corrections: {
    readonly userId: number;
    readonly amount: number;
    readonly callId: string;
  }[] = [];
  readonly debits: PoolDebit[] = [];
  /** Pools whose reservation is closed, by reservation: the store must not spend them any more. */
  readonly voided = new Map<string, FilledPool>();
  writeoff = 0;
  private readonly seen = new Set<string>();

  constructor(private readonly state: LockedState) {}

  settle(document: SettlementDocument): void {
    const { request_id: callId, priced } = document;
    checkPriced(document);
    checkOwner(document, this.state);
    const existing = this.state.settlements.get(callId);
    if (existing !== undefined || this.seen.has(callId)) {
      if (existing?.mayBeCorrected === true && document.outcome !== 'recovered')
        this.correct(document, existing.charged);
      return;
    }
    this.seen.add(callId);
    const charged = this.chargeUser(document);
    this.writeoff += priced - charged;
    if (document.token_id !== null) {
      if (document.token_limited === 1) this.chargeToken(document, document.token_id, charged);
      add(this.tokens.used, document.token_id, charged);
    }
    add(this.users.used, document.user_id, charged);
    add(this.users.count, document.user_id, 1);
    if (charged > 0 && document.channel_id > 0) add(this.channels, document.channel_id, charged);
    this.booked.push({ document, charged });
  }

  /** Gives a call's own reservations back. Pool holds are given back in the shared store, not here. */
  release(document: ReleaseDocument): void {
    const { hold, user_id: userId, token_id: tokenId } = document;
    if (hold.kind !== 'call') return;
    checkOwner(document, this.state);
    this.returnRemainder(hold.userReservationId, 'released', (rest) => add(this.users.quota, userId, rest));
    if (tokenId === null || hold.tokenReservationId === null) return;
    this.returnRemainder(hold.tokenReservationId, 'released', (rest) =>
      add(this.tokens.remain, tokenId, rest),
    );
  }

  private chargeUser(document: SettlementDocument): number {
    const { hold, user_id: userId, priced } = document;
    const id = hold.userReservationId;
    const own = this.spend(id, Math.min(priced, hold.amount));
    this.refund(document, { userId, tokenId: null }, id, Math.min(priced, hold.amount) - own);
    const charged = own + this.takeMore(document, priced - own);
    if (hold.kind === 'call')
      this.returnRemainder(id, 'settled', (rest) => add(this.users.quota, userId, rest));
    return charged;
  }

  /**
   * In the store the pool lost all of the call's hold that was priced, in SQL only what its reservation still had: another
   * call was charged for it and the store was debited (`debits`). Without this the pool would lack the amount for ever.
   *
   * A reservation that is not open is another matter: nothing stands behind its pool, and whatever the store still has in it, or
   * is given back, would be served for nothing. It is never opened again, so the pool is void.
   */
  private refund(document: SettlementDocument, pool: PoolRef, reservationId: string, amount: number): void {
    if (document.hold.kind !== 'pool' || reservationId === '') return;
    if (!this.state.reservations.has(reservationId)) this.voided.set(reservationId, { pool, reservationId });
    else if (amount > 0)
      this.debits.push({ callId: document.request_id, pool, amount: -amount, reservationId });
  }

  private chargeToken(document: SettlementDocument, tokenId: number, charged: number): void {
    const { hold, request_id: callId } = document;
    const id = hold.tokenReservationId ?? '';
    const own = this.spend(id, Math.min(charged, hold.amount));
    this.refund(
      document,
      { userId: document.user_id, tokenId },
      id,
      Math.min(document.priced, hold.amount) - own,
    );
    const remain = (this.state.tokens.get(tokenId)?.remain ?? 0) + (this.tokens.remain.get(tokenId) ?? 0);
    const fromRemain = Math.min(charged - own, Math.max(0, remain));
    if (fromRemain > 0) add(this.tokens.remain, tokenId, -fromRemain);
    // The owner pays what the token had not; the grant keeps the token's own account even.
    const overrun = charged - own - fromRemain;
    if (overrun > 0) this.overruns.push({ tokenId, amount: overrun, callId });
    if (hold.kind === 'call')
      this.returnRemainder(id, 'settled', (rest) => add(this.tokens.remain, tokenId, rest));
  }

  /** The real figures of a call that recovery had to estimate: the difference is booked once, in the ledger. */
  private correct(document: SettlementDocument, alreadyCharged: number): void {
    const { user_id: userId, request_id: callId, priced } = document;
    if (this.seen.has(callId)) return;
    this.seen.add(callId);
    const missing = Math.max(0, priced - alreadyCharged);
    const taken = this.takeMore(document, missing);
    // The hold was returned with the estimate and may be spent: the row keeps its price, the sum of write-offs has the rest.
    this.writeoff += missing - taken;
    const amount = missing > 0 ? -taken : alreadyCharged - priced;
    if (amount === 0) return;
    if (amount > 0) add(this.users.quota, userId, amount);
    this.corrections.push({ userId, amount, callId });
  }

  /** From the balance first, then from what the pool has left: the rest of the account may be there. @returns what there was */
  private takeMore(
    { hold, request_id: callId, user_id: userId }: SettlementDocument,
    wanted: number,
  ): number {
    const fromBalance = Math.min(wanted, this.spendable(userId));
    if (fromBalance > 0) add(this.users.quota, userId, -fromBalance);
    const id = hold.userReservationId;
    const fromPool = hold.kind === 'pool' ? this.spend(id, wanted - fromBalance) : 0;
    if (fromPool > 0)
      this.debits.push({ callId, pool: { userId, tokenId: null }, amount: fromPool, reservationId: id });
    return fromBalance + fromPool;
  }

  /** Takes up to `wanted` out of an open reservation. */
  private spend(id: string, wanted: number): number {
    const amount = Math.max(0, Math.min(wanted, this.unspent(id)));
    if (amount > 0) add(this.spent, id, amount);
    return amount;
  }

  private returnRemainder(id: string, how: 'settled' | 'released', give: (rest: number) => void): void {
    if (!this.state.reservations.has(id) || this.closed.has(id)) return;
    const rest = this.unspent(id);
    if (rest > 0) {
      add(this.spent, id, rest);
      give(rest);
    }
    this.closed.set(id, how);
  }

  private unspent(id: string): number {
    return (this.state.reservations.get(id)?.amount ?? 0) - (this.spent.get(id) ?? 0);
  }

  private spendable(userId: number): number {
    const { quota = 0, floor = 0 } = this.state.users.get(userId) ?? {};
    return Math.max(0, quota + (this.users.quota.get(userId) ?? 0) - floor);
  }
}

function add<Key>(sums: Map<Key, number>, key: Key, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}
