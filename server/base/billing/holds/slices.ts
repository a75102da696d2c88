import { getOrAdd } from '../../../common/get-or-add.js';
import type { SharedStore, SliceAnswer } from '../../../infra/shared-store/shared-store.js';
import { StoreUnavailableError } from '../../../infra/shared-store/shared-store.js';
import type { Clock } from '../../../common/clock.js';
import { AccountCallRate } from './account-call-rate.js';
import type { HoldReturns } from './hold-returns.js';
import type { InFlight } from './in-flight.js';
import type { LiveHold } from './live-hold.js';
import { recallSlices, SLICES_TOPIC } from '../ledger/recall-slices.js';
import { type DetachedCall, Slice, sliceId, type SliceOwner } from './slice.js';
import type { BookedCall } from '../booking/settlement-flusher.js';

/** Interval of slice reports to the store while calls use them. */
const SLICE_REPORT_MS = 25;
/** Interval at which unused slices are noticed, and retries of a store that did not answer. */
const IDLE_REPORT_MS = 250;
/** A slice without a call for this long goes back. */
const IDLE_MS = 1_000;
/** After a recall an account is left alone for this long. */
const PAUSE_MS = 2_000;
/** Pause before a pool without spare quota gets another request. */
const REFUSED_PAUSE_MS = 250;
/** A pool that had too little for a slice is remembered for this long, and gets more when it is topped up. */
const WANTED_MS = 10_000;
/** One slice takes a quarter of a pool; there should be room for more than one. */
const WANTED_FACTOR = 8;
/** Slices reported by one script: it blocks the store while it runs. */
const MAX_PER_TRIP = 50;

export interface SlicePorts {
  readonly store: SharedStore;
  readonly clock: Clock;
  readonly inFlight: InFlight;
  readonly returns: HoldReturns;
  /** Boot id of this worker. */
  readonly owner: string;
  /** These booked calls were reported to the store: their records may go. */
  readonly onReported: (callIds: readonly string[]) => void;
  readonly onFault: (message: string, error: unknown) => void;
  /** Calls of an account within a second that make it worth a slice. */
  readonly sliceCallRate?: number | undefined;
}

const SLICE_CALL_RATE = 4;

/** Slices of this worker: taken for accounts with many calls, reported to the store every 25 ms, returned when unused. */
export class Slices {
  /** Calls that had their hold from a slice since the start. */
  served = 0;
  private readonly byAccount = new Map<number, Slice>();
  /** Those whose last report the store may not have applied, by number. */
  private readonly all = new Map<number, Slice>();
  private readonly callRate: AccountCallRate;
  private readonly recalls = new Map<number, Promise<boolean>>();
  private readonly unansweredUntilMs = new Map<number, number>();
  private readonly wanted = new Map<number, { readonly amount: number; readonly untilMs: number }>();
  private readonly stopListening: () => void;
  private waiting: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[] = [];
  private stopTimer: (() => void) | undefined;
  private isSlow = false;
  private isSending = false;
  private isStopped = false;
  private lastNumber = 0;

  constructor(private readonly ports: SlicePorts) {
    this.callRate = new AccountCallRate(ports.clock, ports.sliceCallRate ?? SLICE_CALL_RATE);
    this.stopListening = ports.store.signals.subscribe(SLICES_TOPIC, (userId) => this.close(Number(userId)));
  }

  /** True when the store has everything back. */
  get isEmpty(): boolean {
    return this.all.size === 0;
  }

  get count(): number {
    return this.all.size;
  }

  /** Slices taken since the start. */
  get opened(): number {
    return this.lastNumber;
  }

  /** Quota in slices that no call holds. */
  get freeAmount(): number {
    let sum = 0;
    for (const { free } of this.all.values()) sum += free;
    return sum;
  }

  /** Gives a call its hold without a trip. @returns false when there is no slice, or not enough in it */
  take(live: LiveHold): boolean {
    const slice = this.byAccount.get(keyOf(live.caller.userId, live.limitedTokenId));
    if (slice === undefined || !slice.isOpen || slice.isClosing) return false;
    const isTaken = slice.take(live);
    if (isTaken) {
      this.served += 1;
      live.userReservationId = slice.userReservationId;
      live.tokenReservationId = slice.tokenReservationId;
    }
    // Reported at once that it was too small, unless the pool had nothing for it last time.
    if (!isTaken && !slice.isStarved) this.schedule(0);
    else if (this.stopTimer === undefined || this.isSlow) this.schedule(SLICE_REPORT_MS);
    return isTaken;
  }

  /** A call got its hold from the pools: of an account that does so often a slice is taken. */
  notePlaced(owner: SliceOwner, amount: number): void {
    if (!this.ports.store.pools.isRemote || this.isStopped || amount === 0) return;
    const key = keyOf(owner.userId, owner.tokenId);
    if (this.byAccount.has(key)) return;
    const pace = this.callRate.note(key, amount, SLICE_REPORT_MS);
    if (pace === undefined) return;
    this.lastNumber += 1;
    const id = sliceId(this.lastNumber, this.ports.owner);
    const slice = new Slice(this.lastNumber, id, owner, pace, amount);
    slice.lastTakenMs = this.ports.clock.monotonicMs();
    this.byAccount.set(key, slice);
    this.all.set(slice.number, slice);
    this.schedule(0);
  }

  /** Quota a pool of the account should have beyond its calls, so that the next slice can be taken of it. */
  demandFor(userId: number): number {
    const wanted = this.wanted.get(userId);
    if (wanted === undefined) return 0;
    if (wanted.untilMs > this.ports.clock.monotonicMs()) return wanted.amount;
    this.wanted.delete(userId);
    return 0;
  }

  /** The call is over. @param used  quota it is charged out of what it held */
  end(live: LiveHold, used: number): void {
    live.part?.end(live, used);
    if (this.stopTimer === undefined || this.isSlow) this.schedule(SLICE_REPORT_MS);
  }

  /** Resolves when the call has a hold of its own. Fails: StoreUnavailableError. */
  async detach(live: LiveHold): Promise<void> {
    while (live.part !== null) {
      live.firstSequence = 0;
      const told = new Promise<void>((resolve, reject) => this.waiting.push({ resolve, reject }));
      this.schedule(0);
      await told;
    }
  }

  /** Its record may go when the store knows what it used. @returns true when it does */
  isReported({ callId, hold }: BookedCall): boolean {
    const slice = hold.slice === undefined ? undefined : this.all.get(hold.slice);
    const turn = hold.turn ?? 0;
    if (slice === undefined || slice.applied >= turn) return true;
    slice.booked.push({ callId, turn });
    return false;
  }

  /** Sends the slices of an account back. */
  close(userId: number): void {
    this.callRate.pause(userId, PAUSE_MS);
    for (const [key, slice] of this.byAccount) {
      if (slice.owner.userId !== userId) continue;
      slice.isClosing = true;
      this.callRate.pause(key, PAUSE_MS);
    }
    if (this.all.size > 0) this.schedule(0);
  }

  /**
   * Asks all workers for what they have of an account, because it is needed here.
   * @returns true when something may have come back: it is worth asking the pools again
   */
  recall(userId: number): Promise<boolean> {
    const { store, clock } = this.ports;
    if ((this.unansweredUntilMs.get(userId) ?? 0) > clock.monotonicMs()) return Promise.resolve(false);
    const recall = getOrAdd(this.recalls, userId, () => {
      this.close(userId);
      return recallSlices(store, clock, userId).then((isBack) => {
        this.recalls.delete(userId);
        if (isBack) this.unansweredUntilMs.delete(userId);
        // The worker is dead: until it is recovered no call waits for it again.
        else this.unansweredUntilMs.set(userId, clock.monotonicMs() + PAUSE_MS);
        return true;
      });
    });
    return recall;
  }

  /** Sends everything back and takes no more. @returns false when the store did not take it */
  async stop(): Promise<boolean> {
    this.isStopped = true;
    this.stopListening();
    for (const slice of this.all.values()) slice.isClosing = true;
    try {
      while (!this.isEmpty) {
        const told = new Promise<void>((resolve, reject) => this.waiting.push({ resolve, reject }));
        this.schedule(0);
        await told;
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
    this.stopTimer?.();
    return this.isEmpty;
  }

  private schedule(delayMs: number): void {
    if (this.isSending) return;
    this.stopTimer?.();
    this.isSlow = delayMs > SLICE_REPORT_MS;
    this.stopTimer = this.ports.clock.after(delayMs, () => {
      this.stopTimer = undefined;
      void this.tell();
    });
  }

  /** Reports one turn of every slice with activity to the store. Never fails. */
  private async tell(): Promise<void> {
    this.isSending = true;
    const isWanted = this.waiting;
    this.waiting = [];
    let isUp = true;
    try {
      const due = this.due();
      for (let from = 0; from < due.length; from += MAX_PER_TRIP)
        await this.sendReports(due.slice(from, from + MAX_PER_TRIP));
      for (const { resolve } of isWanted) resolve();
    } catch (error) {
      isUp = false;
      if (!(error instanceof StoreUnavailableError)) this.ports.onFault('slices could not be told', error);
      for (const { reject } of isWanted) reject(error);
    }
    this.isSending = false;
    if (this.all.size === 0) {
      for (const { resolve } of this.waiting.splice(0)) resolve();
      return;
    }
    const isBusy = isUp && [...this.all.values()].some((slice) => slice.isDue);
    this.schedule(this.waiting.length > 0 && isUp ? 0 : isBusy ? SLICE_REPORT_MS : IDLE_REPORT_MS);
  }

  private due(): Slice[] {
    const nowMs = this.ports.clock.monotonicMs();
    const due: Slice[] = [];
    for (const slice of this.all.values()) {
      if (slice.isWanted) slice.lastTakenMs = nowMs;
      else if (nowMs - slice.lastTakenMs >= IDLE_MS) slice.isClosing = true;
      if (slice.isClosing && !slice.isOpen && slice.sent === null) this.forget(slice);
      else if (slice.isDue) due.push(slice);
    }
    return due;
  }

  private async sendReports(slices: readonly Slice[]): Promise<void> {
    if (slices.length === 0) return;
    const { store, owner } = this.ports;
    const answers = await store.pools.report(slices.map((slice) => slice.prepare(owner)));
    slices.forEach((slice, index) => {
      const answer = answers[index];
      if (answer !== undefined) this.applyAnswer(slice, answer);
    });
  }

  private applyAnswer(slice: Slice, answer: SliceAnswer): void {
    const wasOpen = slice.isOpen;
    const change = slice.sent?.report.change ?? 0;
    const before = slice.free;
    const carved = answer.kind === 'void' ? slice.voidAll() : slice.apply(answer);
    for (const call of carved) this.onDetached(call);
    slice.isStarved = change > 0 && slice.free === before;
    if (slice.isStarved && answer.kind === 'applied') {
      const untilMs = this.ports.clock.monotonicMs() + WANTED_MS;
      this.wanted.set(slice.owner.userId, { amount: change * WANTED_FACTOR, untilMs });
    }
    if (!wasOpen && slice.isOpen) {
      this.ports.inFlight.begin(slice.userReservationId);
      this.ports.inFlight.begin(slice.tokenReservationId);
      // The pool had nothing to spare: there is no slice.
      if (slice.amount === 0) slice.isGone = true;
    }
    this.release(slice);
    if (slice.isGone) this.forget(slice);
  }

  /** A call has a hold of its own now; one that ended meanwhile gives it back. */
  private onDetached({ live, unused, wasDispatched }: DetachedCall): void {
    const { callId } = live;
    const { userId } = live.caller;
    if (unused !== undefined) this.ports.returns.give({ callId, userId, unused });
    else if (!wasDispatched && live.state === 'dispatched') this.ports.returns.markDispatched(callId, userId);
  }

  private release(slice: Slice): void {
    const told = slice.booked.filter(({ turn }) => turn <= slice.applied);
    if (told.length === 0) return;
    const others = slice.booked.filter(({ turn }) => turn > slice.applied);
    slice.booked.splice(0, slice.booked.length, ...others);
    this.ports.onReported(told.map(({ callId }) => callId));
  }

  private forget(slice: Slice): void {
    const { owner, isOpen } = slice;
    const key = keyOf(owner.userId, owner.tokenId);
    if (this.byAccount.get(key) === slice) this.byAccount.delete(key);
    this.all.delete(slice.number);
    this.callRate.pause(key, slice.amount === 0 && slice.applied === 1 ? REFUSED_PAUSE_MS : 0);
    if (!isOpen) return;
    this.ports.inFlight.end(slice.userReservationId);
    this.ports.inFlight.end(slice.tokenReservationId);
  }
}

/** User and token ids are counted apart: one number for both. */
const keyOf = (userId: number, tokenId: number | null): number => (tokenId === null ? userId : -tokenId);
