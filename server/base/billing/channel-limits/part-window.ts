import type { LimitDefinition } from '../../limits/limit-definition.js';

/** Need of one attempt that waits for a trip to the database. */
export interface WaitingNeed {
  readonly need: number;
  /** The attempt runs: it counts in the period it was admitted in, also after the end of that. */
  readonly isGrowth: boolean;
  readonly decide: (verdict: PartVerdict) => void;
}

/** `moved`: the period is over; ask the window of the next one. `unknown`: the database is away. */
export type PartVerdict =
  | { readonly type: 'taken' | 'moved' | 'unknown' }
  | { readonly type: 'full'; readonly opensAtMs: number | null };

/** Result of a trip: what to add to the part of this worker. */
export interface TripPlan {
  /** Added to the part; below 0 = given back. */
  readonly change: number;
  /** Waiting attempts that fit, by their position. */
  readonly admitted: ReadonlySet<number>;
  /** Room that a worker may keep: what is above it goes back as soon as it is free. */
  readonly keeps: number;
}

/** Share of what is free that a worker leases beyond its need: 1/128, so that idle parts of ten workers stay below 8 %. */
const PART_SHARE = 128;

/**
 * Decides a trip. Pure.
 * @param amount  amount of the limit
 * @param used    settled use and the parts of all workers, this one's included
 * @param room    what this worker's part has left
 * @param needs   of waiting attempts, in order
 */
export function planTrip({
  amount,
  used,
  room,
  needs,
  isIdle,
}: {
  readonly amount: number;
  readonly used: number;
  readonly room: number;
  readonly needs: readonly number[];
  /** Nothing was taken since the last look: nothing is kept. */
  readonly isIdle?: boolean;
}): TripPlan {
  const free = Math.max(0, amount - used);
  const admitted = new Set<number>();
  let sum = 0;
  for (const [index, need] of needs.entries()) {
    if (sum + need > room + free) continue;
    sum += need;
    admitted.add(index);
  }
  const rest = room + free - sum;
  const keeps = isIdle === true ? 0 : Math.max(0, Math.floor(rest / PART_SHARE));
  // A part below 0 is a charge above what was admitted: it has to be covered before anything is kept.
  const target = rest >= 0 ? keeps : rest;
  return { change: sum + target - room, admitted, keeps };
}

/** This worker's part of one limit in one period. */
export class PartWindow {
  /** Leased, not taken by an attempt. Below 0 = attempts used more than was admitted. */
  room = 0;
  /** The part as it stands in the database, but for what booking has moved. */
  part = 0;
  /** Used outside settlements, to be moved from the part to the use. */
  spent = 0;
  /** Attempts behind `spent`. */
  spentCalls = 0;
  /** Attempts that hold something. */
  holders = 0;
  /** Room above it goes back at once. */
  keeps = 0;
  /** Taken from since the last sweep. */
  isBusy = false;
  /** Monotonic; the part is trusted for a while after it was seen in the database. */
  confirmedAtMs = Number.NEGATIVE_INFINITY;
  /** Settled use fills the limit, as far as is known; monotonic end of that knowledge. */
  fullUntilMs = Number.NEGATIVE_INFINITY;
  opensAtMs: number | null = null;
  /** Running trip. */
  trip: Promise<void> | undefined;
  waiting: WaitingNeed[] = [];

  constructor(
    public limit: LimitDefinition,
    readonly startsAtMs: number,
    /** End of the period by the database's clock; null = never. */
    readonly endsAtMs: number | null,
  ) {}

  /** Takes from the part at once. @returns false when that needs a trip */
  take(need: number, nowMs: number): boolean {
    if (this.trip !== undefined || this.waiting.length > 0 || need > this.room) return false;
    if (nowMs - this.confirmedAtMs > TRUSTED_MS) return false;
    this.room -= need;
    this.isBusy = true;
    return true;
  }

  /** Nothing of it is held, leased or unbooked. */
  get isEmpty(): boolean {
    return this.holders === 0 && this.spent === 0 && this.waiting.length === 0 && this.trip === undefined;
  }
}

/** A worker that was away for longer may count as dead, and its part may be gone. */
const TRUSTED_MS = 45_000;
