import { getOrAdd } from '../../common/get-or-add.js';
import type { Clock } from '../../common/clock.js';
import type { SharedWindows, WindowVerdict } from './shared-store.js';

/** Room for as many at first. */
const FIRST_ROOM = 16;

/** Keys kept before those without a recent entry are dropped. */
const SWEEP_EVERY = 10_000;

interface Window {
  readonly entries: TimestampList;
  windowMs: number;
}

/** Sliding windows in this process. */
export class MemoryWindows implements SharedWindows {
  private readonly windows = new Map<string, Window>();
  private writes = 0;

  constructor(private readonly clock: Clock) {}

  async admit(key: string, limit: number, windowMs: number): Promise<WindowVerdict> {
    const verdict = this.look(key, limit, windowMs);
    if (verdict.admitted) this.add(key, windowMs);
    return verdict;
  }

  record(key: string, windowMs: number): Promise<void> {
    this.add(key, windowMs);
    return RECORDED;
  }

  async count(key: string, windowMs: number): Promise<number> {
    const window = this.windows.get(key);
    return window === undefined ? 0 : this.fresh(window, windowMs, this.clock.nowMs());
  }

  async reset(key: string): Promise<void> {
    this.windows.delete(key);
  }

  /** True when there is room, without taking it. */
  look(key: string, limit: number, windowMs: number): WindowVerdict {
    const window = this.windows.get(key);
    if (window === undefined) return limit > 0 ? ADMITTED : { admitted: false, retryAfterMs: windowMs };
    const nowMs = this.clock.nowMs();
    if (this.fresh(window, windowMs, nowMs) < limit) return ADMITTED;
    // The place that must become free first: with a lowered limit it is not the oldest entry.
    const blocking = window.entries.fromLatest(limit);
    const retryAfterMs = blocking === undefined ? windowMs : blocking + windowMs - nowMs;
    return { admitted: false, retryAfterMs: Math.max(1, retryAfterMs) };
  }

  add(key: string, windowMs: number): void {
    const window = getOrAdd(this.windows, key, () => ({ entries: new TimestampList(), windowMs }));
    if (window.windowMs < windowMs) window.windowMs = windowMs;
    window.entries.add(this.clock.nowMs());
    this.writes += 1;
    if (this.writes % SWEEP_EVERY === 0) this.sweep();
  }

  /** Entries of the last `windowMs`. What no window of this key reaches any more is forgotten. */
  private fresh(window: Window, windowMs: number, nowMs: number): number {
    window.entries.dropUntil(nowMs - Math.max(window.windowMs, windowMs));
    return window.entries.countAfter(nowMs - windowMs);
  }

  private sweep(): void {
    const nowMs = this.clock.nowMs();
    for (const [key, window] of this.windows) {
      const last = window.entries.fromLatest(1) ?? 0;
      if (last <= nowMs - window.windowMs) this.windows.delete(key);
    }
  }
}

const RECORDED = Promise.resolve();
const ADMITTED: WindowVerdict = Object.freeze({ admitted: true });

/**
 * Timestamps in the order they came: added at one end, dropped at the other, counted from any point. A ring, because a busy window
 * holds a hundred thousand of them and drops one with each that comes.
 */
export class TimestampList {
  private ring = new Float64Array(FIRST_ROOM);
  private start = 0;
  private size = 0;

  /** @param momentMs  not before the one added last; an earlier one (the clock was set back) counts as of then */
  add(momentMs: number): void {
    if (this.size === this.ring.length) this.grow();
    const last = this.size === 0 ? momentMs : this.at(this.size - 1);
    this.ring[(this.start + this.size) & (this.ring.length - 1)] = Math.max(momentMs, last);
    this.size += 1;
  }

  /** Forgets what is not after `boundMs`. */
  dropUntil(boundMs: number): void {
    while (this.size > 0 && this.at(0) <= boundMs) {
      this.start = (this.start + 1) & (this.ring.length - 1);
      this.size -= 1;
    }
  }

  countAfter(boundMs: number): number {
    if (this.size === 0 || this.at(0) > boundMs) return this.size;
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(middle) > boundMs) high = middle;
      else low = middle + 1;
    }
    return this.size - low;
  }

  /** @param place  1 = the latest. @returns undefined when there are not so many */
  fromLatest(place: number): number | undefined {
    return place < 1 || place > this.size ? undefined : this.at(this.size - place);
  }

  private at(index: number): number {
    return this.ring[(this.start + index) & (this.ring.length - 1)] as number;
  }

  private grow(): void {
    const larger = new Float64Array(this.ring.length * 2);
    for (let index = 0; index < this.size; index += 1) larger[index] = this.at(index);
    this.ring = larger;
    this.start = 0;
  }
}
