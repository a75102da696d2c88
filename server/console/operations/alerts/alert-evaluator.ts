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

/** Interval of evaluations, by one instance for all. */
const EVALUATE_EVERY_MS = 10_000;

/** Evaluates the rules every few seconds, on one instance, and records and sends what lasts longer than its rule tolerates. */
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
   * One evaluation.
   * @param run  checked before anything is written or sent; left out by callers that are known to be alone
   * Fails: JobOvertakenError; else at the end, with everything that could not be done: no part keeps the others from being done.
   * The next evaluation begins from the stored state.
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
