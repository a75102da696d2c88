import { reportBug } from '../../common/contain-faults.js';
import { type Moment, momentOf } from '../../common/moment.js';
import { CoarseTimers } from './coarse-timers.js';
import { Clock } from '../../common/clock.js';

/** From here on a quarter of a second does not matter. */
const COARSE_FROM_MS = 5_000;

export class SystemClock extends Clock {
  private readonly coarse = new CoarseTimers(() => performance.now());

  nowMs(): Moment {
    return momentOf(Date.now());
  }

  monotonicMs(): number {
    return performance.now();
  }

  after(delayMs: number, action: () => void): () => void {
    if (delayMs >= COARSE_FROM_MS) return this.coarse.after(delayMs, action);
    const timer = setTimeout(() => {
      try {
        action();
      } catch (fault) {
        reportBug(fault);
      }
    }, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  }
}
