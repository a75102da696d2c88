import type { DataSource } from 'typeorm';
import type { Clock } from '../../../common/clock.js';
import { bucketAt, type Period, periodAt, type ZoneChange } from '../../limits/calendar-periods.js';
import type { LimitDefinition } from '../../limits/limit-definition.js';
import { makeTrip, type TripResult } from './part-trip.js';
import { deleteSettledParts } from './reap-parts.js';
import { PartWindow, type PartVerdict, type WaitingNeed } from './part-window.js';

/** Time after which a limit that settled use fills is read again: its amount may have changed, or a reset was booked. */
const FULL_KNOWN_MS = 5_000;
/** Parts with running attempts are written anew this often: a worker that counted as dead for a while may have lost them. */
const CONFIRM_EVERY_MS = 15_000;
/** Attempts decided in one trip. */
const MAX_NEEDS = 500;
/** Periods that ended this long ago are forgotten. */
const FORGET_AFTER_MS = 600_000;
/** Periods an attempt tries when one ends before it is admitted. */
const MAX_MOVES = 3;

/** Parts of the limits of channels that this worker has leased from the database. Grants within a part cost no trip. */
export class LimitParts {
  private readonly windows = new Map<string, PartWindow>();
  /** The database's clock minus the monotonic one. */
  private offsetMs: number;

  constructor(
    private readonly ports: {
      readonly dataSource: DataSource;
      readonly clock: Clock;
      readonly owner: string;
      readonly zones: () => readonly ZoneChange[];
      readonly onFault: (message: string, error: unknown) => void;
    },
  ) {
    this.offsetMs = ports.clock.nowMs() - ports.clock.monotonicMs();
  }

  /** Time by the database's clock, as of the last trip. */
  get nowMs(): number {
    return Math.floor(this.ports.clock.monotonicMs() + this.offsetMs);
  }

  /** The window a limit is in now. */
  windowOf(limit: LimitDefinition): PartWindow {
    const { startsAtMs, resetsAtMs } = this.periodOf(limit);
    const key = `${limit.id}:${startsAtMs}`;
    let window = this.windows.get(key);
    if (window === undefined) this.windows.set(key, (window = new PartWindow(limit, startsAtMs, resetsAtMs)));
    else window.limit = limit;
    return window;
  }

  /** Set while settled use fills the limit, as far as is known. */
  findFull(limit: LimitDefinition): { readonly opensAtMs: number | null } | undefined {
    const window = this.windowOf(limit);
    return window.fullUntilMs > this.ports.clock.monotonicMs() ? window : undefined;
  }

  /**
   * Takes the need of one attempt.
   * @returns the window it was taken from, or why it was not. Never rejects
   */
  async take(
    limit: LimitDefinition,
    need: number,
  ): Promise<PartWindow | Exclude<PartVerdict, { type: 'taken' }>> {
    for (let move = 0; move < MAX_MOVES; move += 1) {
      const window = this.windowOf(limit);
      const verdict = await this.ask(window, need);
      if (verdict.type === 'taken') return window;
      if (verdict.type !== 'moved') return verdict;
    }
    return { type: 'unknown' };
  }

  /** Takes at once from the part this worker has. @returns undefined when that needs a trip */
  takeNow(limit: LimitDefinition, need: number): PartWindow | undefined {
    const window = this.windowOf(limit);
    if (!window.take(need, this.ports.clock.monotonicMs())) return undefined;
    window.holders += 1;
    return window;
  }

  /** Takes more for an attempt that holds something, of the period it was admitted in. Never rejects. */
  grow(window: PartWindow, by: number): boolean | Promise<boolean> {
    if (window.take(by, this.ports.clock.monotonicMs())) return true;
    return new Promise((resolve) =>
      this.enqueue(window, {
        need: by,
        isGrowth: true,
        decide: ({ type }) => {
          const isUnasked = type === 'unknown' && window.limit.admitUnknown;
          if (isUnasked) window.room -= by;
          resolve(isUnasked || type === 'taken');
        },
      }),
    );
  }

  /** Takes without asking, while the database is away and the limit admits unknown use. */
  takeUnasked(limit: LimitDefinition, need: number): PartWindow {
    const window = this.windowOf(limit);
    window.room -= need;
    window.holders += 1;
    return window;
  }

  /** An attempt is over. @param unused  part of what it took that goes back; below 0 = it used more */
  end(window: PartWindow, unused: number): void {
    window.holders -= 1;
    window.room += unused;
    if (window.room > window.keeps || window.room < 0) this.tripSoon(window);
  }

  /** Use that no settlement books. */
  spend(window: PartWindow, used: number, calls: number): void {
    window.spent += used;
    window.spentCalls += calls;
  }

  /** Books what no settlement does, gives idle parts back, confirms the others, forgets periods that are over. Never rejects. */
  async sweep(isFinal = false): Promise<void> {
    for (const [key, window] of this.windows) {
      const { isBusy } = window;
      window.isBusy = false;
      await window.trip;
      if (this.needsTrip(window, isFinal || !isBusy)) await this.trip(window, isFinal || !isBusy);
      const isOld = window.endsAtMs !== null && this.nowMs > window.endsAtMs + FORGET_AFTER_MS;
      if (isOld && window.isEmpty && (await this.forget(window))) this.windows.delete(key);
    }
  }

  private needsTrip(
    { spent, spentCalls, room, holders, confirmedAtMs }: PartWindow,
    isIdle: boolean,
  ): boolean {
    const isUnconfirmed = this.ports.clock.monotonicMs() - confirmedAtMs > CONFIRM_EVERY_MS;
    return spent > 0 || spentCalls > 0 || (isIdle && room !== 0) || (holders > 0 && isUnconfirmed);
  }

  /** @returns false while something of it is to be booked, or the database is away */
  private async forget({ limit, startsAtMs }: PartWindow): Promise<boolean> {
    const { dataSource, owner, onFault } = this.ports;
    try {
      return await deleteSettledParts(dataSource, { limitId: limit.id, startsAtMs, owner });
    } catch (error) {
      onFault('parts of limits of channels could not be deleted', error);
      return false;
    }
  }

  private periodOf({ period, rolling }: LimitDefinition): Period {
    if (period === '') return { startsAtMs: 0, resetsAtMs: null };
    return rolling ? bucketAt(period, this.nowMs) : periodAt(period, this.nowMs, this.ports.zones());
  }

  private ask(window: PartWindow, need: number): PartVerdict | Promise<PartVerdict> {
    if (window.take(need, this.ports.clock.monotonicMs())) {
      window.holders += 1;
      return { type: 'taken' };
    }
    return new Promise((resolve) =>
      this.enqueue(window, {
        need,
        isGrowth: false,
        decide: (verdict) => {
          if (verdict.type === 'taken') window.holders += 1;
          resolve(verdict);
        },
      }),
    );
  }

  private enqueue(window: PartWindow, waiting: WaitingNeed): void {
    window.waiting.push(waiting);
    window.isBusy = true;
    void this.trip(window, false);
  }

  private tripSoon(window: PartWindow): void {
    if (window.trip !== undefined) return;
    // Other attempts that end in this turn give back with it.
    queueMicrotask(() => void this.trip(window, false));
  }

  /** Never rejects. @returns the running trip, if there is one */
  private trip(window: PartWindow, isIdle: boolean): Promise<void> {
    return (window.trip ??= this.makeTrips(window, isIdle));
  }

  /** Trips until nothing waits: attempts that ended during one may have freed more than may be kept. */
  private async makeTrips(window: PartWindow, isIdle: boolean): Promise<void> {
    try {
      let isDone = await this.tripOnce(window, isIdle);
      while (window.waiting.length > 0 || (isDone && window.room > window.keeps))
        isDone = await this.tripOnce(window, false);
    } finally {
      // At once: an attempt that waits from here on starts a trip of its own.
      window.trip = undefined;
    }
  }

  /** @returns false when the database is away */
  private async tripOnce(window: PartWindow, isIdle: boolean): Promise<boolean> {
    const { dataSource, clock, owner, onFault } = this.ports;
    const asked = window.waiting.splice(0, MAX_NEEDS);
    const { spent, spentCalls } = window;
    let result: TripResult;
    try {
      result = await makeTrip(dataSource, {
        limit: window.limit,
        startsAtMs: window.startsAtMs,
        endsAtMs: window.endsAtMs,
        owner,
        part: window.part,
        room: window.room,
        spent,
        spentCalls,
        needs: asked,
        isIdle: isIdle && asked.length === 0,
      });
    } catch (error) {
      onFault('a limit of a channel could not be looked at', error);
      for (const { decide } of asked) decide({ type: 'unknown' });
      return false;
    }
    const monotonicMs = clock.monotonicMs();
    this.offsetMs = result.nowMs - monotonicMs;
    window.confirmedAtMs = monotonicMs;
    window.keeps = result.keeps;
    window.part += result.change - spent;
    window.spent -= spent;
    window.spentCalls -= spentCalls;
    window.room += result.change;
    for (const index of result.admitted) window.room -= asked[index]?.need ?? 0;
    window.opensAtMs = result.opensAtMs;
    const isFull = result.settled >= result.amount && window.limit.measure !== 'in_flight' && !result.isOver;
    window.fullUntilMs = isFull ? monotonicMs + FULL_KNOWN_MS : Number.NEGATIVE_INFINITY;
    for (const [index, { need, isGrowth, decide }] of asked.entries()) {
      if (result.admitted.has(index)) decide({ type: 'taken' });
      else if (result.isOver && !isGrowth) decide({ type: 'moved' });
      else if (this.takeFreed(window, need)) decide({ type: 'taken' });
      else decide({ type: 'full', opensAtMs: result.opensAtMs });
    }
    return true;
  }

  /** Takes what attempts gave back during the trip. */
  private takeFreed(window: PartWindow, need: number): boolean {
    if (need > window.room) return false;
    window.room -= need;
    return true;
  }
}
