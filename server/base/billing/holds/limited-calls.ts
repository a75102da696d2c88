import type { LimitedCall, LimitEnd } from '../../../infra/shared-store/shared-limits.js';
import type { CallLimits } from '../../limits/call-limits.js';

/**
 * Marks a call that was admitted without the store: in the store it has a name of its own, so that giving back a hold whose placing was not confirmed
 * does not end it.
 */
const OUTSIDE = '-outside';

/** Name in the store of a call that was admitted without it. */
export const outsideIdOf = (callId: string): string => `${callId}${OUTSIDE}`;

/** The call behind a name in the store's registry of limits. */
export const callIdOf = (storeId: string): string =>
  storeId.endsWith(OUTSIDE) ? storeId.slice(0, -OUTSIDE.length) : storeId;

/** A limited call of this worker, until its end is booked and in the store. */
interface TrackedCall {
  readonly userId: number;
  /** Its name in the store. */
  readonly storeId: string;
  readonly limits: CallLimits;
  /** Held amounts by part. */
  readonly needs: number[];
  /** Run of the store that counts it; undefined = it was admitted without the store. */
  enteredIn: string | undefined;
  /** Use by part; undefined = it runs. */
  used: LimitEnd['parts'] | undefined;
  isBooked: boolean;
}

/** The limited calls of this worker. A store that lost its data, or was away, gets them again. */
export class LimitedCalls {
  private readonly calls = new Map<string, TrackedCall>();
  /** Window → start of period or bucket → use and holds of this worker: its share is measured by them while the store is away. */
  private readonly own = new Map<string, Map<number, number>>();
  /** Calls admitted without the store that it does not count yet. */
  private outside = 0;
  /** True while calls are entered: none is forgotten meanwhile, since the store may get it a moment later. */
  isEntering = false;

  constructor(private readonly owner: string) {}

  get hasOutside(): boolean {
    return this.outside > 0;
  }

  begin(callId: string, userId: number, limits: CallLimits, enteredIn: string | undefined): void {
    const needs = limits.parts.map(({ need }) => need);
    const storeId = enteredIn === undefined ? outsideIdOf(callId) : callId;
    this.calls.set(callId, { userId, storeId, limits, needs, enteredIn, used: undefined, isBooked: false });
    if (enteredIn === undefined) this.outside += 1;
    limits.parts.forEach(({ key, field, need }) => this.note(key, field, need));
  }

  /** Its name in the store. */
  storeIdOf(callId: string): string {
    return this.calls.get(callId)?.storeId ?? callId;
  }

  grow(callId: string, by: readonly number[]): void {
    const call = this.calls.get(callId);
    if (call === undefined) return;
    call.limits.parts.forEach(({ key, field }, index) => {
      const more = by[index] ?? 0;
      call.needs[index] = (call.needs[index] ?? 0) + more;
      this.note(key, field, more);
    });
  }

  end(callId: string, used: LimitEnd['parts'], isBooked: boolean): void {
    const call = this.calls.get(callId);
    if (call === undefined || call.used !== undefined) return;
    call.used = used;
    call.isBooked = isBooked;
    call.limits.parts.forEach(({ key, field }, index) =>
      this.note(key, field, (used[index]?.used ?? 0) - (call.needs[index] ?? 0)),
    );
    this.forgetIfDone(callId, call);
  }

  /** Its end is in the database. */
  markBooked(callId: string): void {
    const call = this.calls.get(callId);
    if (call === undefined) return;
    call.isBooked = true;
    this.forgetIfDone(callId, call);
  }

  private forgetIfDone(callId: string, call: TrackedCall): void {
    if (this.isEntering || !call.isBooked || call.used === undefined || call.enteredIn === undefined) return;
    this.calls.delete(callId);
  }

  /** Calls that a run of the store does not count yet. */
  toEnter(epoch: string): readonly LimitedCall[] {
    return [...this.calls.values()].flatMap(({ storeId, userId, limits, needs, enteredIn }) =>
      enteredIn === epoch
        ? []
        : [
            {
              callId: storeId,
              userId,
              owner: this.owner,
              parts: limits.parts.map((part, index) => ({ ...part, need: needs[index] ?? 0 })),
            },
          ],
    );
  }

  /** @returns those of the calls that are over, which the store must settle */
  markEntered(calls: readonly LimitedCall[], epoch: string): readonly LimitEnd[] {
    const ends: LimitEnd[] = [];
    for (const { callId, userId } of calls) {
      const call = this.calls.get(callIdOf(callId));
      if (call === undefined) continue;
      if (call.enteredIn === undefined) this.outside -= 1;
      call.enteredIn = epoch;
      if (call.used !== undefined) ends.push({ callId, userId, parts: call.used });
    }
    return ends;
  }

  /** Forgets what was kept while calls were entered. */
  sweep(): void {
    for (const [callId, call] of this.calls) this.forgetIfDone(callId, call);
  }

  /** Use and holds of this worker in a window, from a start on. */
  ownSum(key: string, from: number): number {
    const sums = this.own.get(key);
    if (sums === undefined) return 0;
    let sum = 0;
    for (const [field, used] of sums) {
      if (field >= from) sum += used;
      else sums.delete(field);
    }
    return sum;
  }

  private note(key: string, field: number, by: number): void {
    let sums = this.own.get(key);
    if (sums === undefined) {
      if (this.own.size >= MAX_WINDOWS) this.own.clear();
      this.own.set(key, (sums = new Map()));
    }
    sums.set(field, (sums.get(field) ?? 0) + by);
    if (sums.size <= MAX_PERIODS) return;
    const [oldest] = sums.keys();
    if (oldest !== undefined) sums.delete(oldest);
  }
}

/** Windows whose use by this worker is remembered. */
const MAX_WINDOWS = 100_000;
/** Periods or buckets of a window that are remembered: more than a rolling window has. */
const MAX_PERIODS = 128;
