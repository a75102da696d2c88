import { type Moment, momentOf } from '../../server/common/moment.js';
import { SystemClock } from '../../server/infra/clock/system-clock.js';

/** The real clock, and leaps that a test makes: timers run as they do, everything that compares moments sees the leap. */
export class ShiftedClock extends SystemClock {
  private leaptMs = 0;

  override nowMs(): Moment {
    return momentOf(super.nowMs() + this.leaptMs);
  }

  override monotonicMs(): number {
    return super.monotonicMs() + this.leaptMs;
  }

  advance(ms: number): void {
    this.leaptMs += ms;
  }
}
