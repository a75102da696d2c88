import { Clock } from '../../server/relay-core/ports/clock.js';

/** Time that passes only when a test says so. */
export class FakeClock extends Clock {
  private timers: { readonly dueMs: number; readonly action: () => void }[] = [];

  constructor(private currentMs = 1_700_000_000_000) {
    super();
  }

  nowMs(): number {
    return this.currentMs;
  }

  monotonicMs(): number {
    return this.currentMs;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = { dueMs: this.currentMs + delayMs, action };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  /** Lets time pass and runs what became due, in order. */
  advance(ms: number): void {
    const untilMs = this.currentMs + ms;
    for (;;) {
      const due = this.timers.filter((timer) => timer.dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0];
      if (due === undefined) break;
      this.timers = this.timers.filter((other) => other !== due);
      this.currentMs = Math.max(this.currentMs, due.dueMs);
      due.action();
    }
    this.currentMs = untilMs;
  }
}
