import type { Clock } from '../../relay-core/ports/clock.js';
import type { SharedWindows, WindowVerdict } from './shared-store.js';

/** Keys kept before those without a recent entry are dropped. */
const SWEEP_EVERY = 10_000;

interface Window {
  /** Moments of the entries, oldest first. */
  readonly entries: number[];
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

  async record(key: string, windowMs: number): Promise<void> {
    this.add(key, windowMs);
  }

  async count(key: string, windowMs: number): Promise<number> {
    return this.fresh(key, windowMs).length;
  }

  async reset(key: string): Promise<void> {
    this.windows.delete(key);
  }

  /** Whether there is room, without taking it. */
  look(key: string, limit: number, windowMs: number): WindowVerdict {
    const entries = this.fresh(key, windowMs);
    if (entries.length < limit) return { admitted: true };
    // The place that must become free first: with a lowered limit it is not the oldest entry.
    const blocking = entries[entries.length - limit];
    const retryAfterMs = blocking === undefined ? windowMs : blocking + windowMs - this.clock.nowMs();
    return { admitted: false, retryAfterMs: Math.max(1, retryAfterMs) };
  }

  add(key: string, windowMs: number): void {
    const window = this.windows.get(key);
    if (window === undefined) this.windows.set(key, { entries: [this.clock.nowMs()], windowMs });
    else {
      window.entries.push(this.clock.nowMs());
      window.windowMs = Math.max(window.windowMs, windowMs);
    }
    this.writes += 1;
    if (this.writes % SWEEP_EVERY === 0) this.sweep();
  }

  private fresh(key: string, windowMs: number): readonly number[] {
    const window = this.windows.get(key);
    if (window === undefined) return [];
    const nowMs = this.clock.nowMs();
    dropUntil(window.entries, nowMs - Math.max(window.windowMs, windowMs));
    const bound = nowMs - windowMs;
    return (window.entries[0] ?? Infinity) > bound
      ? window.entries
      : window.entries.filter((moment) => moment > bound);
  }

  private sweep(): void {
    const nowMs = this.clock.nowMs();
    for (const [key, window] of this.windows) {
      const last = window.entries[window.entries.length - 1] ?? 0;
      if (last <= nowMs - window.windowMs) this.windows.delete(key);
    }
  }
}

function dropUntil(entries: number[], bound: number): void {
  let stale = 0;
  while (stale < entries.length && (entries[stale] as number) <= bound) stale += 1;
  if (stale > 0) entries.splice(0, stale);
}
