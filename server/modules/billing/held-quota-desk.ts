import { toQuota, type Quota } from '../../common/quota.js';
import { fail, ok, type Result } from '../../common/result.js';
import { Ring } from '../../common/ring.js';
import type { Spool } from '../../infra/spool/spool.js';
import {
  type HoldOutcome,
  StoreUnavailableError,
  type SharedStore,
} from '../../infra/shared-store/shared-store.js';
import type { Caller, FinishedCall } from '../../relay-core/model/call.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import type { Usage } from '../../relay-core/model/usage.js';
import type { Clock } from '../../relay-core/ports/clock.js';
import { QuotaDesk, type Hold, type RateWindow } from '../../relay-core/ports/quota-desk.js';
import type { Quote } from '../../relay-core/ports/price-book.js';
import type { CallReservations } from './call-reservations.js';
import type { HoldReturns } from './hold-returns.js';
import type { InFlight } from './in-flight.js';
import { asLive, limitedTokenOf, LiveHold } from './live-hold.js';
import type { PoolTopUp } from './pool-top-up.js';
import type { SettlementFlusher } from './settlement-flusher.js';
import { SpooledSettlement } from './settlement-text.js';
import {
  type CheckpointDocument,
  type HoldPlace,
  type ReleaseDocument,
  type RetryDocument,
} from './spool-documents.js';

interface ReserveInput {
  readonly callId: string;
  readonly caller: Caller;
  readonly quote: Quote;
  readonly windows: readonly RateWindow[];
  readonly affordable?: boolean;
}

/** How often a hold is tried again after money was moved for it. */
const MAX_ROUNDS = 12;
/** Money of a lost epoch is home within a lease: a call that needs it waits a little longer than that. */
const PENDING_PAUSE_MS = 200;
const MAX_PENDING_ROUNDS = 40;
const RETRY_AFTER_MS = 2_000;

/** Quota desk over pools in the shared store, with reservations straight from SQL while the store is away (design/money). */
export class HeldQuotaDesk extends QuotaDesk {
  private readonly live = new Ring<LiveHold>();
  private idle: (() => void)[] = [];

  constructor(
    private readonly ports: {
      readonly store: SharedStore;
      readonly clock: Clock;
      readonly spool: Spool;
      readonly flusher: SettlementFlusher;
      readonly topUp: PoolTopUp;
      readonly returns: HoldReturns;
      readonly inFlight: InFlight;
      readonly callReservations: CallReservations;
      readonly owner: string;
    },
  ) {
    super();
  }

  /** Resolves when no call holds anything. @returns false when `withinMs` was not enough */
  whenIdle(withinMs: number): Promise<boolean> {
    if (this.live.count === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const stop = this.ports.clock.after(withinMs, () => resolve(false));
      this.idle.push(() => {
        stop();
        resolve(true);
      });
    });
  }

  override reserve(input: ReserveInput): Result<Hold, RelayError> | Promise<Result<Hold, RelayError>> {
    const { spool, flusher, store } = this.ports;
    if (!spool.isAccepting || flusher.isBacklogged)
      return fail(unavailable('The gateway cannot record charges at the moment.'));
    if (!store.isAvailable) return this.reserveInSql(input);
    const placing = this.place(input, input.quote.estimate);
    if (!(placing instanceof Promise)) return this.onPlaced(input, placing);
    return placing.then(
      (outcome) => this.onPlaced(input, outcome),
      (error: unknown) => this.reserveWithoutStore(input, error),
    );
  }

  override recordDispatch(hold: Hold, channelId: number, attempt: number): Promise<void> {
    const live = asLive(hold);
    if (live.state === 'over') return WRITTEN;
    live.channelId = channelId;
    const payload =
      attempt > 0 && live.state === 'dispatched'
        ? JSON.stringify({ request_id: live.callId, channel_id: channelId } satisfies RetryDocument)
        : live;
    // As good as on its way: a call that ends before the record is written must be released by a record too.
    live.state = 'dispatched';
    return this.ports.spool.append('D', live.callId, payload, () => {
      if (live.state === 'over') return;
      if (live.kind === 'pool') this.ports.returns.markDispatched(live.callId, live.caller.userId);
      else this.ports.callReservations.markDispatched(live.callId);
    });
  }

  override recordCheckpoint(hold: Hold, usage: Usage, isLasting = false): void {
    const live = asLive(hold);
    if (live.state !== 'dispatched') return;
    const { spool } = this.ports;
    const document: CheckpointDocument = { request_id: live.callId, usage };
    spool.note('C', live.callId, { writeTo: (text) => void text.json(document) });
    if (isLasting) spool.flush();
  }

  override async extend(hold: Hold, by: Quota): Promise<Result<Hold, RelayError>> {
    const live = asLive(hold);
    if (live.state === 'over') return fail(quotaInsufficient('user'));
    if (live.kind === 'call') {
      const verdict = await this.ports.callReservations.extend(live.place, live.caller, by);
      if (verdict !== 'granted')
        return fail(verdict === 'unavailable' ? unavailable() : quotaInsufficient(verdict));
      live.amount = toQuota(live.amount + by);
      return ok(live);
    }
    try {
      return await this.extendInPool(live, by);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return this.extendInSql(live, by);
    }
  }

  override settle(hold: Hold, call: FinishedCall): Promise<void> {
    const live = asLive(hold);
    if (live.state === 'over') return WRITTEN;
    const { spool, flusher, clock, inFlight } = this.ports;
    live.state = 'ending';
    const record = new SpooledSettlement(call, live.place, clock.nowMs());
    return spool.append('S', live.callId, record, () => {
      this.forget(live);
      inFlight.recordSpend(live.caller.userId, call.priced);
      if (live.kind === 'pool') {
        this.giveBack(live.callId, live.caller, toQuota(Math.max(0, live.amount - call.priced)));
      }
      flusher.enqueue(record);
    });
  }

  override release(hold: Hold): void {
    const live = asLive(hold);
    if (live.state === 'over') return;
    const wasDispatched = live.state !== 'held';
    this.forget(live);
    if (live.kind === 'call') return this.releaseInSql(live, live.place);
    // Without this record recovery would charge a call that went upstream and came to nothing.
    if (wasDispatched) {
      const payload = JSON.stringify(describeRelease(live, live.place));
      void this.ports.spool.append('R', live.callId, payload, () => this.ports.spool.complete(live.callId));
    }
    const { inFlight } = this.ports;
    inFlight.end(live.userReservationId);
    inFlight.end(live.tokenReservationId);
    this.giveBack(live.callId, live.caller, live.amount);
  }

  private releaseInSql(live: LiveHold, place: HoldPlace): void {
    const document = describeRelease(live, place);
    void this.ports.spool.append('R', live.callId, JSON.stringify(document), () =>
      this.ports.flusher.enqueue({ type: 'R', document }),
    );
  }

  private place(input: ReserveInput, amount: Quota): HoldOutcome | Promise<HoldOutcome> {
    const { callId, caller, quote, windows } = input;
    return this.ports.store.pools.place({
      callId,
      userId: caller.userId,
      tokenId: limitedTokenOf(caller),
      amount,
      owner: this.ports.owner,
      promptEstimate: quote.promptEstimate,
      windows,
    });
  }

  /** Nearly every call is placed, or refused, by the first trip. */
  private onPlaced(
    input: ReserveInput,
    outcome: HoldOutcome,
  ): Result<Hold, RelayError> | Promise<Result<Hold, RelayError>> {
    if (outcome.kind !== 'short') return this.settled(input, outcome, input.quote.estimate);
    return this.topUpAndPlace(input, outcome).catch((error: unknown) =>
      this.reserveWithoutStore(input, error),
    );
  }

  private settled(
    input: ReserveInput,
    outcome: Exclude<HoldOutcome, { kind: 'short' }>,
    amount: Quota,
  ): Result<Hold, RelayError> {
    if (outcome.kind === 'placed')
      return ok(this.remember(input, amount, 'pool', outcome.userReservationId, outcome.tokenReservationId));
    const message = input.windows[outcome.index]?.refusal ?? 'Too many requests, please try again later.';
    return fail({ kind: 'rate-limited', blame: 'caller', message, retryAfterMs: outcome.retryAfterMs });
  }

  /** Money is moved into the pools until the hold fits, or there is none. */
  private async topUpAndPlace(
    input: ReserveInput,
    first: Extract<HoldOutcome, { kind: 'short' }>,
  ): Promise<Result<Hold, RelayError>> {
    const { caller, quote } = input;
    let amount = quote.estimate;
    let outcome: HoldOutcome = first;
    let refusal: 'user' | 'token' | undefined;
    let pendingRounds = 0;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      if (outcome.kind !== 'short') return this.settled(input, outcome, amount);
      // A refusal stands only when the pool is still too small after the account said no: money may have come back meanwhile.
      if (refusal !== undefined) return fail(quotaInsufficient(refusal));
      if (outcome.userShort > 0 || outcome.tokenShort > 0) await this.ports.returns.flushUser(caller.userId);
      const verdict = await this.ports.topUp.request(caller.userId, {
        tokenId: limitedTokenOf(caller),
        amount: quote.estimate,
        minimum: input.affordable === true ? affordableMinimum(quote) : quote.estimate,
        userRest: quote.estimate === amount ? amount - outcome.userShort : 0,
        tokenRest: quote.estimate === amount ? amount - outcome.tokenShort : 0,
      });
      const isAway = verdict.kind === 'store-away' || !this.ports.store.isAvailable;
      if (isAway) throw new StoreUnavailableError('the shared store went away');
      if (verdict.kind === 'unavailable') return fail(unavailable());
      if (verdict.kind === 'granted') amount = toQuota(verdict.amount);
      if (verdict.kind === 'refused') refusal = verdict.scope;
      if (verdict.kind === 'pending') {
        pendingRounds += 1;
        if (pendingRounds > MAX_PENDING_ROUNDS) return fail(unavailable());
        round -= 1;
        await this.pause(PENDING_PAUSE_MS);
      }
      outcome = await this.place(input, amount);
    }
    return outcome.kind === 'short' ? fail(unavailable()) : this.settled(input, outcome, amount);
  }

  private reserveWithoutStore(input: ReserveInput, error: unknown): Promise<Result<Hold, RelayError>> {
    if (!(error instanceof StoreUnavailableError)) throw error;
    // The hold may exist: it is given back by its id, which changes nothing when it does not.
    this.giveBack(input.callId, input.caller, input.quote.estimate);
    return this.reserveInSql(input);
  }

  private async reserveInSql(input: ReserveInput): Promise<Result<Hold, RelayError>> {
    const { caller, quote, callId } = input;
    const answer = await this.ports.callReservations.reserve({
      callId,
      caller,
      amount: quote.estimate,
      minimum: input.affordable === true ? affordableMinimum(quote) : quote.estimate,
      promptEstimate: quote.promptEstimate,
    });
    if (answer.kind === 'refused') return fail(quotaInsufficient(answer.scope));
    if (answer.kind === 'unavailable') return fail(unavailable());
    const { userReservationId, tokenReservationId } = answer;
    return ok(this.remember(input, toQuota(answer.amount), 'call', userReservationId, tokenReservationId));
  }

  private async extendInPool(live: LiveHold, by: Quota): Promise<Result<Hold, RelayError>> {
    const { store, topUp, returns } = this.ports;
    const { userId } = live.caller;
    let refusal: 'user' | 'token' | undefined;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      if (await store.pools.extend(live.callId, userId, live.limitedTokenId, by)) {
        live.amount = toQuota(live.amount + by);
        return ok(live);
      }
      if (refusal !== undefined) return fail(quotaInsufficient(refusal));
      await returns.flushUser(userId);
      const demand = { tokenId: live.limitedTokenId, amount: by, minimum: by, userRest: 0, tokenRest: 0 };
      const verdict = await topUp.request(userId, demand);
      if (verdict.kind === 'refused') refusal = verdict.scope;
      else if (verdict.kind !== 'granted') return fail(unavailable());
    }
    return fail(unavailable());
  }

  /**
   * The store went away under a running call: the whole hold moves to a reservation of its own in SQL. What the call held in its
   * pool is given back when the store is there again; a store that lost its data has nothing to give back.
   */
  private async extendInSql(live: LiveHold, by: Quota): Promise<Result<Hold, RelayError>> {
    const { callReservations, inFlight, spool } = this.ports;
    const { callId, caller, quote } = live;
    const amount = toQuota(live.amount + by);
    const { promptEstimate } = quote;
    const answer = await callReservations.reserve({
      callId,
      caller,
      amount,
      minimum: amount,
      promptEstimate,
    });
    if (answer.kind === 'refused') return fail(quotaInsufficient(answer.scope));
    if (answer.kind === 'unavailable') return fail(unavailable());
    const { userReservationId, tokenReservationId } = answer;
    if (live.state === 'ending' || live.state === 'over') {
      this.releaseInSql(live, { kind: 'call', userReservationId, tokenReservationId, amount });
      return fail(unavailable());
    }
    this.giveBack(callId, caller, live.amount);
    inFlight.begin(userReservationId);
    inFlight.begin(tokenReservationId);
    inFlight.end(live.userReservationId);
    inFlight.end(live.tokenReservationId);
    Object.assign(live, { kind: 'call', amount, userReservationId, tokenReservationId });
    // Recovery reads the last one: it must look for the money where it is now.
    if (live.state === 'dispatched') {
      await spool.append('D', callId, live, () => callReservations.markDispatched(callId));
    }
    return ok(live);
  }

  private remember(
    input: ReserveInput,
    amount: Quota,
    kind: HoldPlace['kind'],
    userReservationId: string,
    tokenReservationId: string | null,
  ): LiveHold {
    const { inFlight, clock } = this.ports;
    inFlight.begin(userReservationId);
    inFlight.begin(tokenReservationId);
    const { callId, caller, quote } = input;
    const ids = [userReservationId, tokenReservationId] as const;
    const live = new LiveHold(callId, caller, quote, clock.nowMs(), amount, kind, ...ids);
    this.live.add(live);
    return live;
  }

  private forget(live: LiveHold): void {
    if (live.state === 'over') return;
    live.state = 'over';
    this.live.remove(live);
    if (live.kind === 'call') this.ports.callReservations.forget(live.callId);
    if (this.live.count === 0) for (const tell of this.idle.splice(0)) tell();
  }

  private giveBack(callId: string, caller: Caller, unused: Quota): void {
    this.ports.returns.give({ callId, userId: caller.userId, tokenId: limitedTokenOf(caller), unused });
  }

  private pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.ports.clock.after(delayMs, resolve));
  }
}

/** The hold is over: there is nothing to write. */
const WRITTEN = Promise.resolve();

function describeRelease(live: LiveHold, hold: HoldPlace): ReleaseDocument {
  return { request_id: live.callId, user_id: live.caller.userId, token_id: live.limitedTokenId, hold };
}

/** The prompt and at least some answer. */
function affordableMinimum(quote: Quote): number {
  return Math.min(quote.estimate, quote.promptEstimate + 1);
}

function quotaInsufficient(scope: 'user' | 'token'): RelayError {
  const message =
    scope === 'user'
      ? 'Your balance is too small for this call. Top up, or ask for a shorter answer.'
      : 'The quota of this API key is too small for this call. Raise it in the console, or ask for a shorter answer.';
  return { kind: 'quota-insufficient', blame: 'caller', scope, message };
}

function unavailable(
  message = 'The gateway cannot reach its accounts at the moment, please try again shortly.',
): RelayError {
  return { kind: 'unavailable', blame: 'gateway', message, retryAfterMs: RETRY_AFTER_MS };
}
