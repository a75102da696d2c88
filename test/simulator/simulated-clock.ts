import { type Moment, momentOf } from '../../server/common/moment.js';
import { Clock } from '../../server/common/clock.js';

interface Timer {
  readonly dueMs: number;
  readonly action: () => void;
}

/** The time of a simulated world: it passes when the world says so. */
export class SimulatedClock extends Clock {
  private readonly timers = new Set<Timer>();

  constructor(private currentMs: number) {
    super();
  }

  nowMs(): Moment {
    return momentOf(this.currentMs);
  }

  monotonicMs(): number {
    return this.currentMs;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = { dueMs: this.currentMs + delayMs, action };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** Lets time pass, and runs what became due meanwhile, in order. */
  advance(byMs: number): void {
    const untilMs = this.currentMs + byMs;
    for (let next = this.nextTimer(); next !== undefined && next.dueMs <= untilMs; next = this.nextTimer())
      this.run(next);
    this.currentMs = untilMs;
  }

  /** Advances to the next moment with a waiter. */
  advanceToNext(): void {
    const next = this.nextTimer();
    if (next === undefined) throw new Error('nobody waits for anything, and nothing can happen any more');
    this.run(next);
  }

  private run(timer: Timer): void {
    this.timers.delete(timer);
    this.currentMs = Math.max(this.currentMs, timer.dueMs);
    timer.action();
  }

  private nextTimer(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.timers) if (first === undefined || timer.dueMs < first.dueMs) first = timer;
    return first;
  }
}

/** The time as one worker sees it: its timers die with it. */
export class WorkerClock extends Clock {
  constructor(
    private readonly world: SimulatedClock,
    private readonly isDead: () => boolean,
  ) {
    super();
  }

  nowMs(): Moment {
    return this.world.nowMs();
  }

  monotonicMs(): number {
    return this.world.monotonicMs();
  }

  after(delayMs: number, action: () => void): () => void {
    return this.world.after(delayMs, () => {
      if (!this.isDead()) action();
    });
  }
}
