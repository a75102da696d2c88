import { getOrAdd } from '../../common/get-or-add.js';
import type { Clock } from '../../common/clock.js';
import { TimestampList } from './timestamp-list.js';
import type { SharedWindows, WindowVerdict } from './shared-store.js';

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

  /** Whether there is room, without taking it. */
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
