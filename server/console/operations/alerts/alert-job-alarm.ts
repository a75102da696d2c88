import { Injectable, Logger } from '@nestjs/common';
import { type Moment, momentOf } from '../../../common/moment.js';
import { JobRunner } from '../../../infra/schedule/job-runner.js';
import { Interval } from '../../../infra/schedule/interval.js';
import { Clock } from '../../../common/clock.js';
import { DirectNotifier, NotifiedOutages } from './direct-notifier.js';
import type { Finding } from '../model/finding.js';
import { ALERTS_JOB } from '../rules/worker-rules.js';

const CHECK_INTERVAL_MS = 10_000;
const NOTIFY_AFTER_MS = 60_000;
/** The job begins every ten seconds: one that has not for this long stands still. */
const STILL_AFTER_MS = 300_000;

/** Alerts on a failed or stalled alert job: that job watches every other job, and this one watches it. */
@Injectable()
export class AlertJobAlarm {
  private readonly logger = new Logger('Operations');
  private readonly notified: NotifiedOutages;
  private trouble: { readonly fault: string; readonly sinceMs: Moment } | null = null;

  constructor(
    private readonly jobs: JobRunner,
    private readonly clock: Clock,
    telling: DirectNotifier,
  ) {
    this.notified = new NotifiedOutages(telling);
  }

  /** Checks the job once. Never fails. */
  @Interval('alert-job-alarm', CHECK_INTERVAL_MS)
  async look(): Promise<void> {
    try {
      await this.learn();
      await this.notified.update(this.findings());
    } catch (error) {
      // The database is away, which has an alarm of its own: the known state of the job stays as it was.
      this.logger.debug(`could not look after the alert job: ${String(error)}`);
    }
  }

  private async learn(): Promise<void> {
    const state = await this.jobs.state(ALERTS_JOB);
    if (state === null) return;
    const { outcome, message, sinceStartMs } = state;
    if (sinceStartMs >= STILL_AFTER_MS)
      this.note(`it has not run for ${Math.floor(sinceStartMs / 60_000)} min`);
    else if (outcome === 'failed') this.note(message);
    else if (outcome === 'done') this.trouble = null;
  }

  private note(fault: string): void {
    this.trouble = { fault, sinceMs: this.trouble?.sinceMs ?? momentOf(this.clock.nowMs()) };
  }

  private findings(): Finding[] {
    if (this.trouble === null) return [];
    const { fault, sinceMs } = this.trouble;
    const facts = { job: ALERTS_JOB, fault: fault.slice(0, 300) };
    const about = { rule: 'job-failed', subject: ALERTS_JOB, severity: 'fault', facts } as const;
    return [{ ...about, sinceMs, notifyAfterMs: NOTIFY_AFTER_MS }];
  }
}
