import { toQuota, type Quota, ZERO_QUOTA } from '../../../common/quota.js';
import type { LimitShares } from '../../../infra/rate-limit/limit-shares.js';
import type { LimitEnd } from '../../../infra/shared-store/shared-limits.js';
import type { SharedStore } from '../../../infra/shared-store/shared-store.js';
import type { Spool } from '../../../infra/spool/spool.js';
import type { Caller, FinishedCall } from '../../../relay-core/model/call.js';
import type { ChannelMarks } from '../../../relay-core/model/channel-use.js';
import type { Usage } from '../../../relay-core/model/usage.js';
import type { Clock } from '../../../common/clock.js';
import { QuotaHolds, type Hold } from '../../../relay-core/ports/quota-holds.js';
import type { CallLimits } from '../../limits/call-limits.js';
import type { CallReservations } from './call-reservations.js';
import type { HoldReturns } from './hold-returns.js';
import type { InFlight } from './in-flight.js';
import type { LimitHolds } from './limit-holds.js';
import { asLive, type LiveHold } from './live-hold.js';
import type { PoolTopUp } from './pool-top-up.js';
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

/** Stores, records and helpers of the holds of one worker. */
export interface HoldPorts {
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
  /** Limits per period; absent = no call is limited. */
  readonly limits?: LimitHolds | undefined;
  /** The wait after a reconnect, with true when the database is behind; absent = calls never wait. */
  readonly whenChecked?: (() => Promise<boolean> | undefined) | undefined;
}

/** Records and ends of holds: dispatch, checkpoint, settlement, release, and what of a hold goes back. */
export abstract class HoldEnds extends QuotaHolds {
  protected running = 0;
  private runningQuota = 0;
  private idle: (() => void)[] = [];

  constructor(protected readonly ports: HoldPorts) {
    super();
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

  override recordDispatch(
    hold: Hold,
    channelId: number,
    attempt: number,
    marks?: ChannelMarks,
  ): Promise<void> {
    const live = asLive(hold);
    if (live.state === 'over') return WRITTEN;
    live.channelId = channelId;
    live.channelMarks = marks;
    const payload =
      attempt > 0 && live.state === 'dispatched'
        ? JSON.stringify({
            request_id: live.callId,
            channel_id: channelId,
            channel_limits: marks,
          } satisfies RetryDocument)
        : live;
    // Counts as dispatched: a call that ends before the record is written must be released by a record too.
    live.state = 'dispatched';
    return this.ports.spool.append('D', live.callId, payload, () => {
      if (live.state === 'over') return;
      if (live.kind === 'pool') {
        // The slice reports it if it is still running at the next turn.
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
      const storeId = this.ports.limits?.storeIdOf(live.callId) ?? live.callId;
      const limits =
        live.callLimits === undefined
          ? undefined
          : this.ports.limits?.settle(live.callId, live.callLimits, call);
      if (live.kind === 'pool') this.releaseUnused(live, Math.min(call.priced, live.amount), limits);
      else if (limits !== undefined) this.returnQuota(storeId, live.caller, ZERO_QUOTA, limits);
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
    if (live.callLimits !== undefined) return this.releaseLimited(live, live.callLimits, wasDispatched);
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

  /** A call that was sent counts under limits of requests although it failed: its record is booked. */
  private releaseLimited(live: LiveHold, callLimits: CallLimits, wasSent: boolean): void {
    const { spool, flusher, limits } = this.ports;
    const giveBack = (): void => {
      const storeId = limits?.storeIdOf(live.callId) ?? live.callId;
      const used = limits?.release(live.callId, callLimits, wasSent);
      if (live.kind === 'pool') this.releaseUnused(live, 0, used);
      else this.returnQuota(storeId, live.caller, ZERO_QUOTA, used);
    };
    if (live.kind === 'pool' && !wasSent) {
      this.endUses(live);
      return giveBack();
    }
    const isCounted = wasSent && callLimits.countsFailures;
    const document = {
      ...describeRelease(live, live.place),
      ...(isCounted ? { was_sent: true as const } : {}),
    };
    void spool.append('R', live.callId, JSON.stringify(document), () => {
      if (live.kind === 'call' || isCounted) flusher.enqueue({ type: 'R', document });
      else {
        spool.complete(live.callId);
        this.endUses(live);
      }
      giveBack();
    });
  }

  private endUses({ userReservationId, tokenReservationId }: LiveHold): void {
    this.ports.inFlight.end(userReservationId);
    this.ports.inFlight.end(tokenReservationId);
  }

  private releaseAll(live: LiveHold): void {
    this.endUses(live);
    this.releaseUnused(live, 0);
  }

  protected releaseInSql(live: LiveHold, place: HoldPlace): void {
    const document = describeRelease(live, place);
    void this.ports.spool.append('R', live.callId, JSON.stringify(document), () =>
      this.ports.flusher.enqueue({ type: 'R', document }),
    );
  }

  protected count(live: LiveHold): void {
    this.runningQuota += live.amount - live.counted;
    live.counted = live.amount;
  }

  protected forget(live: LiveHold): void {
    if (live.state === 'over') return;
    live.state = 'over';
    this.running -= 1;
    this.runningQuota -= live.counted;
    if (live.kind === 'call') this.ports.callReservations.forget(live.callId);
    if (this.running === 0) for (const tell of this.idle.splice(0)) tell();
  }

  /** @param used  quota the call is charged out of what it held */
  protected releaseUnused(live: LiveHold, used: number, limits?: LimitEnd['parts']): void {
    if (live.part === null) this.returnQuota(live.callId, live.caller, toQuota(live.amount - used), limits);
    else this.ports.slices.end(live, used);
  }

  protected returnQuota(callId: string, caller: Caller, unused: Quota, limits?: LimitEnd['parts']): void {
    const back = { callId, userId: caller.userId, unused };
    this.ports.returns.give(limits === undefined ? back : { ...back, limits });
  }
}

/** The hold is over: there is nothing to write. */
const WRITTEN = Promise.resolve();

function describeRelease(live: LiveHold, hold: HoldPlace): ReleaseDocument {
  return { request_id: live.callId, ...ownerOf(live.caller), token_id: live.limitedTokenId, hold };
}
