import { toQuota, type Quota } from '../../../common/quota.js';
import { fail, ok, type Result } from '../../../common/result.js';
import type { LimitShares } from '../../../infra/rate-limit/limit-shares.js';
import type { Spool } from '../../../infra/spool/spool.js';
import {
  type HoldOutcome,
  StoreUnavailableError,
  type SharedStore,
} from '../../../infra/shared-store/shared-store.js';
import type { Caller, FinishedCall } from '../../../relay-core/model/call.js';
import { refusal } from '../../../relay-core/model/refusals.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { Usage } from '../../../relay-core/model/usage.js';
import type { Clock } from '../../../common/clock.js';
import { QuotaHolds, type Hold } from '../../../relay-core/ports/quota-holds.js';
import type { CallReservations } from './call-reservations.js';
import type { HoldReturns } from './hold-returns.js';
import type { InFlight } from './in-flight.js';
import { asLive, limitedTokenOf, LiveHold } from './live-hold.js';
import { type DecidedOutcome, PoolHolds, type ReserveInput } from './pool-holds.js';
import type { PoolTopUp } from './pool-top-up.js';
import { affordableMinimum, quotaInsufficient, unavailable } from '../ledger/quota-refusals.js';
import type { SettlementFlusher } from '../booking/settlement-flusher.js';
import { SpooledSettlement } from '../records/settlement-text.js';
import type { Slices } from './slices.js';
import {
  type CheckpointDocument,
  type HoldPlace,
  ownerOf,
  type ReleaseDocument,
  type RetryDocument,
} from '../records/spool-documents.js';

/** Quota holds over pools in the shared store, with reservations straight from SQL while the store is away. */
export class PooledQuotaHolds extends QuotaHolds {
  private readonly pools: PoolHolds;
  private running = 0;
  private runningQuota = 0;
  private idle: (() => void)[] = [];

  constructor(
    private readonly ports: {
      readonly store: SharedStore;
      readonly clock: Clock;
      readonly spool: Spool;
      readonly flusher: SettlementFlusher;
      readonly topUp: PoolTopUp;
      readonly returns: HoldReturns;
      readonly slices: Slices;
      readonly inFlight: InFlight;
      readonly callReservations: CallReservations;
      /** Rate windows while the store is away. */
      readonly shares: LimitShares;
      readonly owner: string;
      /** The wait after a reconnect, with true when the database is behind; absent = calls never wait. */
      readonly whenChecked?: (() => Promise<boolean> | undefined) | undefined;
    },
  ) {
    super();
    this.pools = new PoolHolds(ports);
  }

  /** Calls that were charged more than they held, and how much more; sums that only grow. */
  readonly overruns = { calls: 0, quota: 0 };

  /** Calls that hold something now, and how much. */
  get held(): { readonly calls: number; readonly quota: number } {
    return { calls: this.running, quota: this.runningQuota };
  }

  /** Resolves when no call holds anything. @returns false when `withinMs` was not enough */
  whenIdle(withinMs: number): Promise<boolean> {
    if (this.running === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const stop = this.ports.clock.after(withinMs, () => resolve(false));
      this.idle.push(() => {
        stop();
        resolve(true);
      });
    });
  }

  override reserve(input: ReserveInput): Result<Hold, RelayError> | Promise<Result<Hold, RelayError>> {
    const checking = this.ports.whenChecked?.();
    if (checking === undefined) return this.reserveChecked(input);
    return checking.then((isBehind) =>
      isBehind ? fail(unavailable('database-behind')) : this.reserveChecked(input),
    );
  }

  /** The database is the one of before, as far as is known. */
  private reserveChecked(input: ReserveInput): Result<Hold, RelayError> | Promise<Result<Hold, RelayError>> {
    const { spool, flusher, clock } = this.ports;
    if (!spool.isAccepting || flusher.isBacklogged) return fail(unavailable('charges-unrecorded'));
    const { pauseMs } = flusher;
    if (pauseMs === 0) return this.reserveNow(input);
    return new Promise((resolve) => clock.after(pauseMs, () => resolve(this.reserveNow(input))));
  }

  private reserveNow(input: ReserveInput): Result<Hold, RelayError> | Promise<Result<Hold, RelayError>> {
    const { store } = this.ports;
    if (!store.isAvailable) return this.reserveInSql(input);
    const sliced = this.takeFromSlice(input);
    if (sliced !== undefined) return ok(sliced);
    const placing = this.pools.place(input, input.quote.estimate);
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
      if (live.kind === 'pool') {
        // Its slice tells of it when it is still running then.
        if (live.part === null) this.ports.returns.markDispatched(live.callId, live.caller.userId);
      } else this.ports.callReservations.markDispatched(live.callId);
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
    const extended = await this.extendHold(live, by);
    if (live.state !== 'over') this.count(live);
    return extended;
  }

  private async extendHold(live: LiveHold, by: Quota): Promise<Result<Hold, RelayError>> {
    if (live.state === 'over') return fail(quotaInsufficient('user'));
    if (live.kind === 'call') {
      const verdict = await this.ports.callReservations.extend(live.place, live.caller, by);
      if (verdict !== 'granted')
        return fail(verdict === 'unavailable' ? unavailable() : quotaInsufficient(verdict));
      live.amount = toQuota(live.amount + by);
      return ok(live);
    }
    try {
      const refusal = await this.pools.extend(live, by);
      return refusal === null ? ok(live) : fail(refusal);
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
    live.sequence = live.part?.sequenceOf(live);
    const missing = call.priced - live.amount;
    const told = missing > 0 ? this.recordOverrun(call, missing) : call;
    const record = new SpooledSettlement(told, live.place, clock.nowMs());
    return spool.append('S', live.callId, record, () => {
      this.forget(live);
      inFlight.recordSpend(live.caller.userId, call.priced);
      if (live.kind === 'pool') this.releaseUnused(live, Math.min(call.priced, live.amount));
      flusher.enqueue(record);
    });
  }

  /** Counts and logs a charge above the hold, which was not known when the call was let through. */
  private recordOverrun(call: FinishedCall, missing: number): FinishedCall {
    this.overruns.calls += 1;
    this.overruns.quota += missing;
    const note = `${missing} quota more than was set aside`;
    return { ...call, note: call.note === '' ? note : `${call.note}; ${note}` };
  }

  override release(hold: Hold): void {
    const live = asLive(hold);
    if (live.state === 'over') return;
    const wasDispatched = live.state !== 'held';
    this.forget(live);
    if (live.kind === 'call') return this.releaseInSql(live, live.place);
    if (!wasDispatched) return this.releaseAll(live);
    // Without this record recovery would charge a call that went upstream and came to nothing. The pool gets its money when the record
    // is there, and not before: when a worker dies in between, recovery charges the call, whose hold must not have been given away.
    const payload = JSON.stringify(describeRelease(live, live.place));
    void this.ports.spool.append('R', live.callId, payload, () => {
      this.ports.spool.complete(live.callId);
      this.releaseAll(live);
    });
  }

  private releaseAll(live: LiveHold): void {
    const { inFlight } = this.ports;
    inFlight.end(live.userReservationId);
    inFlight.end(live.tokenReservationId);
    this.releaseUnused(live, 0);
  }

  private releaseInSql(live: LiveHold, place: HoldPlace): void {
    const document = describeRelease(live, place);
    void this.ports.spool.append('R', live.callId, JSON.stringify(document), () =>
      this.ports.flusher.enqueue({ type: 'R', document }),
    );
  }

  /** Nearly every call is placed, or refused, by the first trip. */
  private onPlaced(
    input: ReserveInput,
    outcome: HoldOutcome,
  ): Result<Hold, RelayError> | Promise<Result<Hold, RelayError>> {
    if (outcome.kind !== 'short') return this.holdOf(input, outcome, input.quote.estimate);
    return this.pools.placeWithTopUp(input, outcome).then(
      (placed) => (placed.ok ? this.holdOf(input, placed.value.outcome, placed.value.amount) : placed),
      (error: unknown) => this.reserveWithoutStore(input, error),
    );
  }

  private holdOf(input: ReserveInput, outcome: DecidedOutcome, amount: Quota): Result<Hold, RelayError> {
    if (outcome.kind === 'placed') {
      if (input.windows.length === 0) {
        const { userId } = input.caller;
        this.ports.slices.notePlaced({ userId, tokenId: limitedTokenOf(input.caller) }, amount);
      } else if (this.ports.store.pools.isRemote) this.ports.shares.note(input.windows);
      return ok(this.remember(input, amount, 'pool', outcome.userReservationId, outcome.tokenReservationId));
    }
    return fail(windowFull(input, outcome));
  }

  private reserveWithoutStore(input: ReserveInput, error: unknown): Promise<Result<Hold, RelayError>> {
    if (!(error instanceof StoreUnavailableError)) throw error;
    // The hold may exist: it is given back by its id, which changes nothing when it does not.
    this.returnQuota(input.callId, input.caller, input.quote.estimate);
    return this.reserveInSql(input);
  }

  private async reserveInSql(input: ReserveInput): Promise<Result<Hold, RelayError>> {
    const { caller, quote, callId } = input;
    const full = this.ports.shares.admit(input.windows);
    if (full !== null) return fail(windowFull(input, full));
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
    this.releaseUnused(live, 0);
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
    this.running += 1;
    const live = new LiveHold(input, clock.nowMs(), { kind, userReservationId, tokenReservationId, amount });
    this.count(live);
    return live;
  }

  /** A call that no rate window asks about may have its hold from a slice: windows are counted where everybody sees them. */
  private takeFromSlice(input: ReserveInput): LiveHold | undefined {
    const { slices, inFlight, clock } = this.ports;
    if (input.windows.length > 0 || slices.count === 0) return undefined;
    const live = new LiveHold(input, clock.nowMs(), {
      kind: 'pool',
      userReservationId: '',
      tokenReservationId: null,
      amount: input.quote.estimate,
    });
    if (!slices.take(live)) return undefined;
    inFlight.begin(live.userReservationId);
    inFlight.begin(live.tokenReservationId);
    this.running += 1;
    this.count(live);
    return live;
  }

  private count(live: LiveHold): void {
    this.runningQuota += live.amount - live.counted;
    live.counted = live.amount;
  }

  private forget(live: LiveHold): void {
    if (live.state === 'over') return;
    live.state = 'over';
    this.running -= 1;
    this.runningQuota -= live.counted;
    if (live.kind === 'call') this.ports.callReservations.forget(live.callId);
    if (this.running === 0) for (const tell of this.idle.splice(0)) tell();
  }

  /** @param used  quota the call is charged out of what it held */
  private releaseUnused(live: LiveHold, used: number): void {
    if (live.part === null) this.returnQuota(live.callId, live.caller, toQuota(live.amount - used));
    else this.ports.slices.end(live, used);
  }

  private returnQuota(callId: string, caller: Caller, unused: Quota): void {
    this.ports.returns.give({ callId, userId: caller.userId, unused });
  }
}

const windowFull = (
  { windows }: ReserveInput,
  { index, retryAfterMs }: { readonly index: number; readonly retryAfterMs: number },
): RelayError => ({
  ...refusal('too-often'),
  message: windows[index]?.refusal ?? refusal('too-often').message,
  retryAfterMs,
});

/** The hold is over: there is nothing to write. */
const WRITTEN = Promise.resolve();

function describeRelease(live: LiveHold, hold: HoldPlace): ReleaseDocument {
  return { request_id: live.callId, ...ownerOf(live.caller), token_id: live.limitedTokenId, hold };
}
