import { LinkedList, type LinkedListNode } from '../../../common/linked-list.js';
import type { SliceAnswer, SliceReport } from '../../../infra/shared-store/shared-store.js';
import type { Caller } from '../../../relay-core/model/call.js';

/** A call that spends from a slice. */
export interface SlicedCall extends LinkedListNode {
  readonly callId: string;
  readonly caller: Caller;
  readonly limitedTokenId: number | null;
  readonly quote: { readonly promptEstimate: number };
  /** Quota it holds. */
  readonly amount: number;
  readonly state: 'held' | 'dispatched' | 'ending' | 'over';
  /** The slice its money is part of; null = it has a place of its own. */
  part: Slice | null;
  /** Turn of the slice in which it began. */
  firstSequence: number;
  /** It is leaving its slice. */
  detached: DetachedCall | null;
}

/** A call that leaves its slice in a report: when the report is applied it has a hold of its own. */
export interface DetachedCall {
  readonly live: SlicedCall;
  readonly amount: number;
  readonly wasDispatched: boolean;
  /** Set when the call ended meanwhile: what it did not use. */
  unused: number | undefined;
}

/** A report on its way, kept until the store is known to have applied it. */
interface SentReport {
  readonly report: SliceReport;
  readonly detached: readonly DetachedCall[];
}

/** Which account's money: the user's, or with a limited token that token's as well. */
export interface SliceOwner {
  readonly userId: number;
  readonly tokenId: number | null;
}

/** Name of a slice in the registry: workers count theirs. */
export const sliceId = (number: number | undefined, bootId: string): string => `slice-${number}-${bootId}`;

/** Money for so many turns at the recent pace. */
const TARGET_REPORTS = 8;
/** Money for so many calls like the last one, whatever the pace. */
const TARGET_CALLS = 4;
/** Share of a new turn in the pace. */
const PACE_WEIGHT = 0.2;
/** A slice with so many times its target gives the rest back. */
const SPARE_FACTOR = 4;

/**
 * Part of an account's pools that this worker grants locally. In the store it is one hold; its calls are reported there turn by
 * turn. A call that still runs when its second turn is reported becomes a hold of its own, so that a slice only ever stands for
 * recent calls.
 */
export class Slice {
  /** Quota the store has under its name, as of the last turn it applied. */
  amount = 0;
  /** Quota the next call can have. */
  free = 0;
  /** The turn that is being lived. */
  sequence = 1;
  /** The last turn the store applied. */
  applied = 0;
  isOpen = false;
  /** Wanted back: nothing is taken from it any more. */
  isClosing = false;
  isGone = false;
  /** True when the pools had nothing for it at the last request. */
  isStarved = false;
  sent: SentReport | null = null;
  userReservationId = '';
  tokenReservationId: string | null = null;
  lastTakenMs = 0;
  readonly running = new LinkedList<SlicedCall>();
  /** Booked calls that were not reported to the store yet: their records must stay on the spool. */
  readonly booked: { readonly callId: string; readonly turn: number }[] = [];
  private used = 0;
  /** Handed out, or asked for, in this turn. */
  private taken = 0;
  private lastAmount: number;
  private pace: number;

  /** @param pace  recent quota requested per turn */
  constructor(
    readonly number: number,
    readonly id: string,
    readonly owner: SliceOwner,
    pace: number,
    lastAmount: number,
  ) {
    this.pace = pace;
    this.lastAmount = lastAmount;
  }

  /** True when there is something to report to the store. */
  get isDue(): boolean {
    return (
      this.sent !== null ||
      !this.isOpen ||
      this.isClosing ||
      this.used > 0 ||
      this.taken > 0 ||
      this.running.count > 0
    );
  }

  /** True when a call requested money from it in this turn. */
  get isWanted(): boolean {
    return this.taken > 0;
  }

  /** @returns false when the call must ask the pools */
  take(live: SlicedCall): boolean {
    const { amount } = live;
    this.taken += amount;
    this.lastAmount = amount;
    if (this.free < amount) return false;
    this.free -= amount;
    live.part = this;
    live.firstSequence = this.sequence;
    this.running.add(live);
    return true;
  }

  /** @returns false when the slice has too little, or the call is leaving it */
  extend(live: SlicedCall, by: number): boolean {
    if (live.detached !== null || this.isClosing || this.free < by) return false;
    this.free -= by;
    this.taken += by;
    return true;
  }

  /** The turn whose report holds the use of the call: the one that detaches it, if that report is on its way. */
  sequenceOf(live: SlicedCall): number {
    return live.detached === null ? this.sequence : (this.sent?.report.sequence ?? this.sequence);
  }

  /** @param used  quota the call is charged out of what it held */
  end(live: SlicedCall, used: number): void {
    const unused = live.amount - used;
    if (live.detached === null) {
      this.running.remove(live);
      this.used += used;
      this.free += unused;
    } else live.detached.unused = unused;
    live.detached = null;
    live.part = null;
  }

  /** Ends the turn. @param owner  boot id of this worker */
  prepare(owner: string): SliceReport {
    if (this.sent !== null) return this.sent.report;
    const { sequence } = this;
    this.sequence += 1;
    const detached = this.running
      .toArray()
      .filter((live) => this.isClosing || live.firstSequence < sequence || live.state === 'ending')
      .map((live) => this.detach(live));
    const change = this.isClosing ? 0 : this.planChange();
    if (change < 0) this.free += change;
    const report: SliceReport = {
      sliceId: this.id,
      sequence,
      ...this.owner,
      owner,
      used: this.used,
      change,
      detached: detached.map(({ live, amount, wasDispatched }) => ({
        callId: live.callId,
        amount,
        dispatched: wasDispatched,
        promptEstimate: live.quote.promptEstimate,
      })),
      // The remainder of a small pool is shared by all: money for some calls, or nothing.
      least: Math.max(1, Math.min(Math.ceil(change / 2), this.lastAmount * TARGET_CALLS)),
      closes: this.isClosing,
    };
    this.used = 0;
    this.taken = 0;
    this.sent = { report, detached };
    return report;
  }

  /** The store applied the pending report. @returns the calls that have holds of their own now */
  apply(answer: SliceAnswer & { readonly kind: 'applied' }): readonly DetachedCall[] {
    const { sent } = this;
    if (sent === null) return [];
    const { report, detached } = sent;
    const { used, change, sequence } = report;
    const expected =
      this.amount - used - detached.reduce((sum, call) => sum + call.amount, 0) + Math.min(0, change);
    this.sent = null;
    this.applied = sequence;
    this.isOpen = true;
    this.userReservationId = answer.userReservationId;
    this.tokenReservationId = answer.tokenReservationId;
    if (report.closes) this.isGone = true;
    else this.free += answer.amount - expected;
    this.amount = answer.amount;
    for (const { live, unused } of detached) {
      if (unused !== undefined) continue;
      live.detached = null;
      live.part = null;
    }
    return detached;
  }

  /** The store knows nothing of it: every call has lost its slice. @returns the calls that may have holds of their own */
  voidAll(): readonly DetachedCall[] {
    const carved = this.sent?.detached ?? [];
    this.isGone = true;
    this.free = 0;
    this.sent = null;
    this.applied = Number.MAX_SAFE_INTEGER;
    for (const { live, unused } of carved) {
      if (unused !== undefined) continue;
      live.detached = null;
      live.part = null;
    }
    for (let live = this.running.shift(); live !== undefined; live = this.running.shift()) live.part = null;
    return carved;
  }

  private detach(live: SlicedCall): DetachedCall {
    this.running.remove(live);
    const wasDispatched = live.state !== 'held';
    live.detached = { live, amount: live.amount, wasDispatched, unused: undefined };
    return live.detached;
  }

  private planChange(): number {
    this.pace += (this.taken - this.pace) * PACE_WEIGHT;
    const target = Math.ceil(Math.max(this.pace * TARGET_REPORTS, this.lastAmount * TARGET_CALLS));
    if (this.free < target / 2) return target - this.free;
    return this.free > target * SPARE_FACTOR ? target - this.free : 0;
  }
}
