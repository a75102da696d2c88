import { type Moment, momentOf } from '../../common/moment.js';
import { Clock } from '../../common/clock.js';

/**
 * The time of the database, which all instances share: the clock of this machine less what it was last found to be ahead. What an instance
 * writes and what it judges by, such as the expiry of keys and logins, means the same to all of them. Durations are the machine's own.
 */
export class CorrectedClock extends Clock {
  private aheadMs = 0;
  private shutdowns = 0;

  constructor(private readonly machine: Clock) {
    super();
  }

  override nowMs(): Moment {
    return momentOf(this.machine.nowMs() - this.aheadMs);
  }

  override monotonicMs(): number {
    return this.machine.monotonicMs();
  }

  override after(delayMs: number, action: () => void): () => void {
    const { shutdowns } = this;
    return this.machine.after(delayMs, () => {
      if (shutdowns === this.shutdowns) action();
    });
  }

  /** Cancels pending actions. Later ones still run: other parts that close have deadlines of their own. */
  onApplicationShutdown(): void {
    this.shutdowns += 1;
  }

  /** Time of this machine's clock. */
  machineMs(): Moment {
    return this.machine.nowMs();
  }

  /** Whole milliseconds that are subtracted. */
  get correctionMs(): number {
    return this.aheadMs;
  }

  /** @param aheadMs  how far the machine's clock is ahead of the database's; below 0 = behind */
  correct(aheadMs: number): void {
    this.aheadMs = Math.round(aheadMs);
  }
}
