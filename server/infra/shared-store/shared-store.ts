import type { LimitEnd, LimitPart, SharedLimits } from './shared-limits.js';

/**
 * State that several instances must agree on, as named operations (never a raw client). Redis and in-process adapters
 * pass the same suite, test/support/contracts/shared-store.ts. Nothing here is the truth: all of it can be rebuilt.
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface SharedCache {
  get(key: string): Promise<Json | undefined>;
  set(key: string, value: Json, ttlMs: number): Promise<void>;
}

export type WindowVerdict =
  { readonly admitted: true } | { readonly admitted: false; readonly retryAfterMs: number };

export interface SharedWindows {
  /** Sliding window: admits and counts when fewer than `limit` entries lie inside it. */
  admit(key: string, limit: number, windowMs: number): Promise<WindowVerdict>;
  /** Counts without asking. Calls that are counted together may share a promise. */
  record(key: string, windowMs: number): Promise<void>;
  /** Entries inside the window, and when the oldest leaves it. */
  count(key: string, windowMs: number): Promise<number>;
  reset(key: string): Promise<void>;
}

/** Identifies a pool: `user:ID` or `token:ID`; all keys of one user share a Redis hash tag. */
export interface PoolRef {
  readonly userId: number;
  /** Null = the user's pool. */
  readonly tokenId: number | null;
}

export interface HoldRequest {
  readonly callId: string;
  readonly userId: number;
  /** Set for a limited token: its pool is charged as well. */
  readonly tokenId: number | null;
  readonly amount: number;
  /** Boot id of the worker. */
  readonly owner: string;
  readonly promptEstimate: number;
  readonly windows: readonly {
    readonly key: string;
    readonly limit: number;
    readonly windowMs: number;
    readonly mode: 'count' | 'peek';
  }[];
  /** Limits whose room the call takes with its hold; absent = none. */
  readonly limits?: readonly LimitPart[] | undefined;
}

export type HoldOutcome =
  | {
      readonly kind: 'placed';
      readonly userReservationId: string;
      readonly tokenReservationId: string | null;
      readonly epoch: string;
      /** Sums of the limits' windows with this call, in their order; absent = no limits, or the hold existed. */
      readonly limitSums?: readonly number[];
    }
  /** Limits without room, and limits whose window this run of the store does not know. Nothing was taken. */
  | { readonly kind: 'limit-full' | 'limit-unknown'; readonly indexes: readonly number[] }
  /** Window number `index` is full. */
  | { readonly kind: 'refused'; readonly index: number; readonly retryAfterMs: number }
  /** A pool has too little (or does not exist in this epoch): top it up from SQL and try again. */
  | {
      readonly kind: 'short';
      readonly userShort: number;
      readonly tokenShort: number;
      readonly epoch: string;
      readonly userReservationId: string | null;
      readonly tokenReservationId: string | null;
      /** Slices of this account that workers have: some of its money may be in them. */
      readonly slices: number;
    };

/** A hold as the registry remembers it. */
export interface RegisteredHold extends DetachedHold {
  readonly userId: number;
  readonly tokenId: number | null;
  readonly owner: string;
  readonly userReservationId: string;
  readonly tokenReservationId: string | null;
  /** The last report of a slice; null = the hold of one call. */
  readonly sequence: number | null;
}

/** A pool as one reservation in SQL filled it. */
export interface FilledPool {
  readonly pool: PoolRef;
  readonly reservationId: string;
}

/** Report of a slice: everything that happened in one turn of it, applied once. */
export interface SliceReport {
  /** Name in the registry, letters, digits and `-`. */
  readonly sliceId: string;
  /** Counts from 1; 1 opens the slice. A turn that was applied before changes nothing. */
  readonly sequence: number;
  readonly userId: number;
  readonly tokenId: number | null;
  readonly owner: string;
  /** Charges of calls that ended in this turn, as far as they were held. */
  readonly used: number;
  /** Calls that go on: from now on each has a hold of its own, under its call id. */
  readonly detached: readonly DetachedHold[];
  /** Above 0: wanted from the pools, of which a slice takes a quarter at most. Below 0: given back. */
  readonly change: number;
  /** Less than this is not worth taking. */
  readonly least: number;
  /** Everything else goes back, and the slice is gone. */
  readonly closes: boolean;
}

export interface DetachedHold {
  readonly callId: string;
  readonly amount: number;
  readonly promptEstimate: number;
  readonly dispatched: boolean;
}

export type SliceAnswer =
  /** The store knows no such slice, or its pool is of another epoch: nothing of it can be spent. */
  | { readonly kind: 'void' }
  | {
      readonly kind: 'applied';
      /** Amount the registry has under the slice's name now. */
      readonly amount: number;
      readonly userReservationId: string;
      readonly tokenReservationId: string | null;
    };

export interface PoolReturn {
  readonly callId: string;
  readonly userId: number;
  /** Unused part that goes back to the pools of the hold. */
  readonly unused: number;
  /** Use of the call's limits; absent = it had none. */
  readonly limits?: LimitEnd['parts'] | undefined;
}

/** The store did not answer in time, refused, or its breaker is open. */
export class StoreUnavailableError extends Error {
  /** True = the requested operation certainly did not happen; else it may or may not have. */
  readonly isUntouched: boolean;

  constructor(
    message: string,
    { isUntouched = false, ...options }: ErrorOptions & { readonly isUntouched?: boolean } = {},
  ) {
    super(message, options);
    this.isUntouched = isUntouched;
  }
}

/**
 * Name of a rate window that is passed together with a hold: all keys of one user lie on one node of a Redis Cluster,
 * and `windows.record(userWindowKey(…))` reaches the window that `pools.place` looked at.
 */
export const userWindowKey = (userId: number, name: string): string => `{u:${userId}}:${name}`;

export interface PoolRemainder {
  readonly amount: number;
  readonly reservationId: string;
}

export interface SharedPools {
  /** Run of the store: changes when it restarted, was flushed or failed over. Pools of another epoch do not exist. */
  epoch(): Promise<string>;
  /**
   * Decrements the user's pool and the token's, registers the hold and passes the windows: all or nothing, one round trip.
   * Pools of this process answer at once.
   */
  place(request: HoldRequest): HoldOutcome | Promise<HoldOutcome>;
  /** Adds to a running hold. False = pool too small or hold unknown. */
  extend(callId: string, userId: number, tokenId: number | null, by: number): Promise<boolean>;
  /** Adds money that SQL has just set aside under `reservationId` of this epoch; a fill for another epoch or reservation is refused. */
  fill(pool: PoolRef, amount: number, reservationId: string, epoch: string): Promise<boolean>;
  /**
   * Opens, uses up, grows and closes slices: parts of pools that one worker grants locally. One trip for all of them; a repeated
   * report is applied once.
   */
  report(reports: readonly SliceReport[]): Promise<readonly SliceAnswer[]>;
  /** Number of an account's slices on all workers. */
  slices(userId: number): Promise<number>;
  /** True when every hold costs a trip: then slices save it. */
  readonly isRemote: boolean;
  /** Gives unused parts back and forgets the holds; summed per user; idempotent per call id. */
  settle(returns: readonly PoolReturn[]): Promise<void>;
  markDispatched(callIds: readonly { readonly callId: string; readonly userId: number }[]): Promise<void>;
  /**
   * Takes what a pool has left out of it when it has been idle for `idleMs` (0 = at once), so that SQL may give it back. Null = no
   * such pool in this epoch, or it is not idle. An overdrawn pool (below 0) gives nothing and stays.
   */
  drain(pool: PoolRef, idleMs: number): Promise<PoolRemainder | null>;
  /**
   * Takes money out because SQL charged more than was held; a pool may go below 0, and its next hold tops it up again.
   * An amount below 0 gives back: the call whose hold SQL had charged for another one is over.
   */
  debit(pool: PoolRef, amount: number, reservationId: string): Promise<void>;
  /**
   * SQL has closed this reservation, and what it held has gone back: nothing of the pool can be spent any more, what runs gives nothing
   * back to it, and the next fill starts a new one. @returns false when the pool is not, or no longer, of that reservation
   */
  discard(filled: FilledPool): Promise<boolean>;
  /** Which reservation each of these pools is of; those that are gone are left out. */
  reservationsOf(pools: readonly PoolRef[]): Promise<readonly FilledPool[]>;
  /** Pools known to the store, for the idle sweep. */
  list(): AsyncIterable<PoolRef>;
  /** Holds of `owner`, for recovery. */
  holdsOf(owner: string): AsyncIterable<RegisteredHold>;
}

export interface Lease {
  release(): Promise<void>;
}

export interface SharedLeases {
  /** Null = another caller has it. */
  acquire(name: string, ttlMs: number): Promise<Lease | null>;
}

export type Unsubscribe = () => void;

export interface SharedSignals {
  publish(topic: string, payload: string): Promise<void>;
  subscribe(topic: string, listener: (payload: string) => void): Unsubscribe;
}

export abstract class SharedStore {
  abstract readonly cache: SharedCache;
  abstract readonly windows: SharedWindows;
  abstract readonly pools: SharedPools;
  abstract readonly limits: SharedLimits;
  abstract readonly leases: SharedLeases;
  abstract readonly signals: SharedSignals;
  /** False while the breaker is open: callers use their fallback at once. */
  abstract readonly isAvailable: boolean;
  /** Why it cannot be used; null = it can. */
  get fault(): string | null {
    return this.isAvailable ? null : 'it is away';
  }
  /** Names it among all there may be: another one after it was emptied or exchanged. Null = not known yet. */
  abstract readonly identity: string | null;
  /** Reason its address leads to a store that must not be used; null = none known. */
  get misplaced(): string | null {
    return null;
  }
  /** Problem of a store that can still be used; null = none known. */
  get concern(): string | null {
    return null;
  }
  /** Marks it unusable for a reason, until called with null. */
  setUnusable(_reason: string | null): void {
    // A store in this process belongs to no other installation.
  }
  /** Its clock, milliseconds since 1970; null = that of this process. Fails: StoreUnavailableError. */
  async clockMs(): Promise<number | null> {
    return null;
  }
  abstract close(): Promise<void>;
}
