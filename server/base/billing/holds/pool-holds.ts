import { toQuota, type Quota } from '../../../common/quota.js';
import { fail, ok, type Result } from '../../../common/result.js';
import {
  type HoldOutcome,
  type SharedStore,
  StoreUnavailableError,
} from '../../../infra/shared-store/shared-store.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { Clock } from '../../../common/clock.js';
import type { RateWindow } from '../../../relay-core/ports/quota-holds.js';
import type { HoldReturns } from './hold-returns.js';
import { type HeldCall, limitedTokenOf, type LiveHold } from './live-hold.js';
import type { PoolTopUp } from './pool-top-up.js';
import { affordableMinimum, quotaInsufficient, unavailable } from '../ledger/quota-refusals.js';
import type { Slices } from './slices.js';

export interface ReserveInput extends HeldCall {
  readonly windows: readonly RateWindow[];
  readonly affordable?: boolean;
  readonly countsNothing?: true;
  /** Times the windows of its limits were filled for it; absent = 0. */
  readonly rounds?: number;
}

/** The store's final answer to a hold. */
export type DecidedOutcome = Exclude<HoldOutcome, { kind: 'short' }>;

interface PlacedHold {
  readonly outcome: DecidedOutcome;
  /** Quota held; less than the estimate when the call accepts less. */
  readonly amount: Quota;
}

/** Maximum number of attempts to place a hold after money was moved for it. */
const MAX_ROUNDS = 12;
/** Money of a lost epoch is back within a lease: a call that needs it waits a little longer than that. */
const PENDING_PAUSE_MS = 200;
const PENDING_AT_MOST_MS = 8_000;
/** Maximum number of slice recalls before an account is refused for lack of funds. */
const MAX_RECALLS = 2;

/** Holds in the pools of the shared store, topped up from SQL where a pool has too little. */
export class PoolHolds {
  constructor(
    private readonly ports: {
      readonly store: SharedStore;
      readonly clock: Clock;
      readonly topUp: PoolTopUp;
      readonly returns: HoldReturns;
      readonly slices: Slices;
      readonly owner: string;
    },
  ) {}

  /** One trip. */
  place(input: ReserveInput, amount: Quota): HoldOutcome | Promise<HoldOutcome> {
    const { callId, caller, quote, windows, callLimits } = input;
    return this.ports.store.pools.place({
      callId,
      userId: caller.userId,
      tokenId: limitedTokenOf(caller),
      amount,
      owner: this.ports.owner,
      promptEstimate: quote.promptEstimate,
      windows,
      limits: callLimits?.parts,
    });
  }

  /** Money is moved into the pools until the hold fits, or there is none. Fails: rejects with StoreUnavailableError. */
  async placeWithTopUp(
    input: ReserveInput,
    first: Extract<HoldOutcome, { kind: 'short' }>,
  ): Promise<Result<PlacedHold, RelayError>> {
    const { caller, quote } = input;
    let amount = quote.estimate;
    let outcome: HoldOutcome = first;
    let refusal: 'user' | 'token' | undefined;
    const wait = new PendingWait(this.ports.clock);
    let recalls = 0;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      if (outcome.kind !== 'short') return ok({ outcome, amount });
      // A refusal stands only when the pool is still too small after the account's refusal: money may have come back meanwhile.
      if (refusal !== undefined) {
        // Slices are money of the account that another call, or another worker, does not need just now.
        if (outcome.slices === 0 || recalls >= MAX_RECALLS) return fail(quotaInsufficient(refusal));
        recalls += 1;
        if (!(await this.ports.slices.recall(caller.userId))) return fail(quotaInsufficient(refusal));
        refusal = undefined;
        outcome = await this.place(input, amount);
        continue;
      }
      if (outcome.userShort > 0 || outcome.tokenShort > 0) await this.ports.returns.flushUser(caller.userId);
      const verdict = await this.ports.topUp.request(caller.userId, {
        tokenId: limitedTokenOf(caller),
        amount: quote.estimate,
        minimum: input.affordable === true ? affordableMinimum(quote) : quote.estimate,
        userRest: quote.estimate === amount ? amount - outcome.userShort : 0,
        tokenRest: quote.estimate === amount ? amount - outcome.tokenShort : 0,
      });
      this.assertStoreAvailable(verdict.kind);
      if (verdict.kind === 'unavailable') return fail(unavailable());
      if (verdict.kind === 'granted') amount = toQuota(verdict.amount);
      if (verdict.kind === 'refused') refusal = verdict.scope;
      if (verdict.kind === 'pending') {
        if (!(await wait.keepWaiting())) return fail(unavailable());
        round -= 1;
      }
      outcome = await this.place(input, amount);
    }
    return outcome.kind === 'short' ? fail(unavailable()) : ok({ outcome, amount });
  }

  /** Adds to a running hold. @returns why not; null when it grew. Fails: rejects with StoreUnavailableError. */
  async extend(live: LiveHold, by: Quota): Promise<RelayError | null> {
    const { store, topUp, returns, slices } = this.ports;
    const { userId } = live.caller;
    if (live.part !== null) {
      if (live.part.extend(live, by)) {
        live.amount = toQuota(live.amount + by);
        return null;
      }
      await slices.detach(live);
    }
    const wait = new PendingWait(this.ports.clock);
    let hasRecalled = false;
    let refusal: 'user' | 'token' | undefined;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      if (await store.pools.extend(live.callId, userId, live.limitedTokenId, by)) {
        live.amount = toQuota(live.amount + by);
        return null;
      }
      if (refusal !== undefined) {
        if (hasRecalled || (await store.pools.slices(userId)) === 0) return quotaInsufficient(refusal);
        hasRecalled = true;
        await slices.recall(userId);
        refusal = undefined;
        continue;
      }
      await returns.flushUser(userId);
      const demand = { tokenId: live.limitedTokenId, amount: by, minimum: by, userRest: 0, tokenRest: 0 };
      const verdict = await topUp.request(userId, demand);
      this.assertStoreAvailable(verdict.kind);
      if (verdict.kind === 'unavailable') return unavailable();
      if (verdict.kind === 'refused') refusal = verdict.scope;
      if (verdict.kind === 'pending') {
        if (!(await wait.keepWaiting())) return unavailable();
        round -= 1;
      }
    }
    return unavailable();
  }

  /** Fails: throws StoreUnavailableError when the store went away meanwhile: SQL decides then. */
  private assertStoreAvailable(verdict: string): void {
    if (verdict === 'store-away' || !this.ports.store.isAvailable)
      throw new StoreUnavailableError('the shared store went away');
  }
}

/** Waits for money on its way back. */
class PendingWait {
  private sinceMs: number | undefined;

  constructor(private readonly clock: Clock) {}

  /** @returns false when it took too long */
  async keepWaiting(): Promise<boolean> {
    const nowMs = this.clock.monotonicMs();
    this.sinceMs ??= nowMs;
    if (nowMs - this.sinceMs > PENDING_AT_MOST_MS) return false;
    await new Promise<void>((resolve) => this.clock.after(PENDING_PAUSE_MS, resolve));
    return true;
  }
}
