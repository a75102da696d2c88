import type { Clock } from '../../common/clock.js';
import type { JobOutcome } from './job.entity.js';

/** Last run of an interval of this worker. Times in milliseconds; 0 = never. */
export interface IntervalState {
  readonly name: string;
  readonly periodMs: number;
  readonly outcome: Exclude<JobOutcome, 'lost'>;
  /** Why it failed; empty otherwise. */
  readonly message: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly nextAtMs: number;
}

/** Remembers the last run of one interval of one instance. */
export class IntervalRuns {
  private outcome: IntervalState['outcome'] = '';
  private message = '';
  private startedAtMs = 0;
  private endedAtMs = 0;
  /** Start of the timer, or of the last run, by the monotonic clock. */
  private beganMs: number;

  constructor(
    private readonly name: string,
    private readonly periodMs: number,
    private readonly clock: Clock,
  ) {
    this.beganMs = clock.monotonicMs();
  }

  /** Does a run, and remembers when and how it ended. Fails: as the run does. */
  note(run: () => void | Promise<void>): void | Promise<void> {
    this.outcome = 'running';
    this.startedAtMs = this.clock.nowMs();
    this.beganMs = this.clock.monotonicMs();
    try {
      const answer = run();
      if (!(answer instanceof Promise)) return this.end();
      return answer.then(
        () => this.end(),
        (error: unknown) => this.fail(error),
      );
    } catch (error) {
      this.fail(error);
    }
  }

  get state(): IntervalState {
    const { name, periodMs, outcome, message, startedAtMs, endedAtMs } = this;
    const leftMs = Math.max(0, this.beganMs + periodMs - this.clock.monotonicMs());
    const nextAtMs = this.clock.nowMs() + leftMs;
    return { name, periodMs, outcome, message, startedAtMs, endedAtMs, nextAtMs };
  }

  private end(): void {
    this.outcome = 'done';
    this.message = '';
    this.endedAtMs = this.clock.nowMs();
  }

  private fail(error: unknown): never {
    this.outcome = 'failed';
    this.message = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    this.endedAtMs = this.clock.nowMs();
    throw error;
  }
}
