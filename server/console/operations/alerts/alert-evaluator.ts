import { Injectable } from '@nestjs/common';
import { LeasedInterval } from '../../../infra/schedule/leased-interval.js';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import { AlertAnnouncer } from './alert-announcer.js';
import { AlertRecorder } from './alert-recorder.js';
import { JobParts } from '../../../infra/schedule/job-parts.js';
import { FleetObserver } from '../fleet/fleet-observer.js';
import { FleetHistory } from '../fleet/fleet-history.js';
import { ReportStore } from '../fleet/report-store.js';
import { evaluateEach } from '../rules/evaluate-rules.js';
import { ALERTS_JOB } from '../rules/worker-rules.js';

/** How often one instance looks for all. */
const EVALUATE_EVERY_MS = 10_000;

/** Looks at the installation every few seconds, on one instance, and remembers and tells what lasts longer than it may. */
@Injectable()
export class AlertEvaluator {
  constructor(
    private readonly observer: FleetObserver,
    private readonly minutes: FleetHistory,
    private readonly reports: ReportStore,
    private readonly recorder: AlertRecorder,
    private readonly announcer: AlertAnnouncer,
  ) {}

  /**
   * One look.
   * @param run  asked before anything is written or told; left out by who knows that nobody else looks
   * Fails: JobOvertakenError; else at the end, with everything that could not be done: no part keeps the others from being done. The next
   * look begins from what is written down.
   */
  @LeasedInterval(ALERTS_JOB, EVALUATE_EVERY_MS)
  async run(run?: Pick<JobRun, 'confirm'>): Promise<void> {
    const attempts = new JobParts();
    await attempts.make('minutes', () => this.minutes.keep());
    const observation = await this.observer.observe();
    // An observation without the database would end what it cannot see.
    if (observation.stored === null) throw new Error('nothing could be read from the database');
    const { findings, blind } = evaluateEach(observation);
    for (const [rule, fault] of blind) attempts.note(`rule ${rule}`, fault);
    await run?.confirm();
    await this.recorder.write(attempts, { findings, blind }, observation.nowMs);
    await run?.confirm();
    await attempts.make('telling', () => this.announcer.announceFiring());
    await run?.confirm();
    await attempts.make('telling the end', () => this.announcer.announceResolved());
    await attempts.make('past alerts', () => this.recorder.prune());
    await attempts.make('past reports', () => this.reports.prune(observation.nowMs));
    attempts.throwIfAnyFailed();
  }
}
