import { toQuota, type Quota } from '../../../common/quota.js';
import { fail, ok, type Result } from '../../../common/result.js';
import { type HoldOutcome, StoreUnavailableError } from '../../../infra/shared-store/shared-store.js';
import { refusal } from '../../../relay-core/model/refusals.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { HeldTokens, Hold } from '../../../relay-core/ports/quota-holds.js';
import { type CallLimits, usedParts } from '../../limits/call-limits.js';
import { HoldEnds, type HoldPorts } from './hold-ends.js';
import { asLive, limitedTokenOf, LiveHold } from './live-hold.js';
import { type DecidedOutcome, PoolHolds, type ReserveInput } from './pool-holds.js';
import { affordableMinimum, quotaInsufficient, unavailable } from '../ledger/quota-refusals.js';
import type { HoldPlace } from '../records/spool-documents.js';

/** Quota holds over pools in the shared store, with reservations straight from SQL while the store is away. */
export class PooledQuotaHolds extends HoldEnds {
  private readonly pools: PoolHolds;

  constructor(ports: HoldPorts) {
    super(ports);
    this.pools = new PoolHolds(ports);
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
    const limited = this.withLimits(input);
    const { pauseMs } = flusher;
    if (pauseMs === 0) return this.reserveNow(limited);
    return new Promise((resolve) => clock.after(pauseMs, () => resolve(this.reserveNow(limited))));
  }

  private withLimits(input: ReserveInput): ReserveInput {
    const { limits } = this.ports;
    if (limits === undefined || input.countsNothing === true) return input;
    const callLimits = limits.of(input.caller, input.quote);
    return callLimits === undefined ? input : { ...input, callLimits };
  }

  private reserveNow(input: ReserveInput): Result<Hold, RelayError> | Promise<Result<Hold, RelayError>> {
    const { store, limits } = this.ports;
    if (!store.isAvailable) return this.reserveInSql(input);
    if (input.callLimits !== undefined && limits?.isReady === false)
      return limits.enter().then(
        () => this.reserveInStore(input),
        (error: unknown) => this.reserveWithoutStore(input, error),
      );
    return this.reserveInStore(input);
  }

  private reserveInStore(input: ReserveInput): Result<Hold, RelayError> | Promise<Result<Hold, RelayError>> {
    const sliced = this.takeFromSlice(input);
    if (sliced !== undefined) return ok(sliced);
    const placing = this.pools.place(input, input.quote.estimate);
    if (!(placing instanceof Promise)) return this.onPlaced(input, placing);
    return placing.then(
      (outcome) => this.onPlaced(input, outcome),
      (error: unknown) => this.reserveWithoutStore(input, error),
    );
  }

  override async extend(hold: Hold, by: Quota, tokens?: HeldTokens): Promise<Result<Hold, RelayError>> {
    const live = asLive(hold);
    const extended = await this.extendHold(live, by, tokens);
    if (live.state !== 'over') this.count(live);
    return extended;
  }

  private async extendHold(
    live: LiveHold,
    by: Quota,
    tokens: HeldTokens | undefined,
  ): Promise<Result<Hold, RelayError>> {
    if (live.state === 'over') return fail(quotaInsufficient('user'));
    if (live.callLimits !== undefined && live.kind === 'pool')
      return this.extendLimited(live, live.callLimits, { by, tokens });
    return this.extendQuota(live, by);
  }

  /** Limits first: what they refuse takes no quota. */
  private async extendLimited(
    live: LiveHold,
    callLimits: CallLimits,
    { by, tokens }: { readonly by: Quota; readonly tokens: HeldTokens | undefined },
  ): Promise<Result<Hold, RelayError>> {
    const { limits } = this.ports;
    const { callId, caller, quote } = live;
    const call = { callId, caller, quote, limits: callLimits };
    try {
      const refused = await limits?.grow(call, { by, tokens });
      if (refused !== undefined) return fail(refused);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return this.extendInSql(live, by);
    }
    const extended = await this.extendQuota(live, by);
    if (!extended.ok) await limits?.shrink(call, { by, tokens }).catch(() => undefined);
    return extended;
  }

  private async extendQuota(live: LiveHold, by: Quota): Promise<Result<Hold, RelayError>> {
    if (by === 0) return ok(live);
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

  private holdOf(
    input: ReserveInput,
    outcome: DecidedOutcome,
    amount: Quota,
  ): Result<Hold, RelayError> | Promise<Result<Hold, RelayError>> {
    if ('indexes' in outcome)
      return this.onLimits(input, outcome).catch((error: unknown) => this.reserveWithoutStore(input, error));
    if (outcome.kind === 'placed') {
      if (input.callLimits !== undefined) {
        const live = this.remember(
          input,
          amount,
          'pool',
          outcome.userReservationId,
          outcome.tokenReservationId,
          outcome.epoch,
        );
        live.limitFigures = this.ports.limits?.figuresOf(input.callLimits, outcome.limitSums);
        if (this.ports.store.pools.isRemote) this.ports.shares.note(input.windows);
        return ok(live);
      }
      if (input.windows.length === 0) {
        const { userId } = input.caller;
        this.ports.slices.notePlaced({ userId, tokenId: limitedTokenOf(input.caller) }, amount);
      } else if (this.ports.store.pools.isRemote) this.ports.shares.note(input.windows);
      return ok(this.remember(input, amount, 'pool', outcome.userReservationId, outcome.tokenReservationId));
    }
    return fail(windowFull(input, outcome));
  }

  /** Refuses a call whose limits are full; fills windows that the store does not know and tries again. */
  private async onLimits(
    input: ReserveInput,
    { kind, indexes }: Extract<DecidedOutcome, { readonly indexes: readonly number[] }>,
  ): Promise<Result<Hold, RelayError>> {
    const { limits } = this.ports;
    if (limits === undefined) return fail(unavailable());
    const { callLimits, rounds = 0 } = input;
    if (kind === 'limit-full') return limits.refuse({ ...input, limits: callLimits }, indexes);
    const known = await limits.makeKnown({ ...input, limits: callLimits, round: rounds }, indexes);
    if ('kind' in known) return fail(known);
    return this.reserveNow({ ...input, callLimits: known.limits, rounds: rounds + 1 });
  }

  private reserveWithoutStore(input: ReserveInput, error: unknown): Promise<Result<Hold, RelayError>> {
    if (!(error instanceof StoreUnavailableError)) throw error;
    // The hold may exist: it is given back by its id, which changes nothing when it does not.
    this.returnQuota(
      input.callId,
      input.caller,
      input.quote.estimate,
      input.callLimits === undefined ? undefined : usedParts(input.callLimits, undefined, false),
    );
    return this.reserveInSql(input);
  }

  private async reserveInSql(input: ReserveInput): Promise<Result<Hold, RelayError>> {
    const { caller, quote, callId } = input;
    const { limits } = this.ports;
    const { callLimits } = input;
    const refused = callLimits === undefined ? undefined : limits?.refuseShare(callLimits, quote);
    if (refused !== undefined) return fail(refused);
    const full = this.ports.shares.admit(input.windows);
    if (full !== null) return fail(windowFull(input, full));
    const answer = await this.ports.callReservations.reserve({
      callId,
      caller,
      amount: quote.estimate,
      minimum: input.affordable === true ? affordableMinimum(quote) : quote.estimate,
      promptEstimate: quote.promptEstimate,
      limits: callLimits,
    });
    if (answer.kind === 'limit-full' && callLimits !== undefined && limits !== undefined)
      return fail(limits.refuseInSql(callLimits, answer.indexes, quote));
    if (answer.kind === 'refused') return fail(quotaInsufficient(answer.scope));
    if (answer.kind !== 'reserved') return fail(unavailable());
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
    if (answer.kind !== 'reserved') return fail(unavailable());
    const { userReservationId, tokenReservationId } = answer;
    if (live.state === 'ending' || live.state === 'over') {
      this.releaseInSql(live, { kind: 'call', userReservationId, tokenReservationId, amount });
      return fail(unavailable());
    }
    // The store counts the call under its limits to its end, wherever its quota is.
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
    epoch?: string,
  ): LiveHold {
    const { inFlight, clock } = this.ports;
    inFlight.begin(userReservationId);
    inFlight.begin(tokenReservationId);
    this.running += 1;
    const live = new LiveHold(input, clock.nowMs(), { kind, userReservationId, tokenReservationId, amount });
    this.count(live);
    if (input.callLimits !== undefined) this.ports.limits?.begin(input, input.callLimits, epoch);
    return live;
  }

  /**
   * A call without a rate window and without limits may have its hold from a slice: both are counted in the shared store, where all
   * workers see them.
   */
  private takeFromSlice(input: ReserveInput): LiveHold | undefined {
    const { slices, inFlight, clock } = this.ports;
    if (input.windows.length > 0 || input.callLimits !== undefined || slices.count === 0) return undefined;
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
}

const windowFull = (
  { windows }: ReserveInput,
  { index, retryAfterMs }: { readonly index: number; readonly retryAfterMs: number },
): RelayError => ({
  ...refusal('too-often'),
  message: windows[index]?.refusal ?? refusal('too-often').message,
  retryAfterMs,
});
