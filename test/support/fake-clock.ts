import { type Moment, momentOf } from '../../server/common/moment.js';
import { Clock } from '../../server/common/clock.js';

/** Time that passes only when a test says so. */
export class FakeClock extends Clock {
  private waiting: { readonly dueMs: number; readonly action: () => void }[] = [];

  constructor(private currentMs = 1_700_000_000_000) {
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
    this.waiting.push(timer);
    return () => {
      this.waiting = this.waiting.filter((other) => other !== timer);
    };
  }

  /** Number of waiting timers. */
  get timers(): number {
    return this.waiting.length;
  }

  /** Lets time pass and runs what became due, in order. */
  advance(ms: number): void {
    const untilMs = this.currentMs + ms;
    for (;;) {
      const due = this.waiting.filter((timer) => timer.dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0];
      if (due === undefined) break;
      this.waiting = this.waiting.filter((other) => other !== due);
      this.currentMs = Math.max(this.currentMs, due.dueMs);
      due.action();
    }
    this.currentMs = untilMs;
  }
}

export const STEP_MS = 10;

/** Time that passes in steps with a turn of the event loop between them: while other programs have the processor, it stands still. */
export class SteppedClock extends FakeClock {
  private leaptMs = 0;
  private readonly steps = setInterval(() => this.advance(STEP_MS), STEP_MS).unref();

  override monotonicMs(): number {
    return super.monotonicMs() + this.leaptMs;
  }

  /** Simulates a process without CPU time for a while: timers run late, and once. */
  leap(ms: number): void {
    this.leaptMs += ms;
  }

  stop(): void {
    clearInterval(this.steps);
  }
}
