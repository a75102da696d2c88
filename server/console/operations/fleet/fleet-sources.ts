import { Injectable } from '@nestjs/common';
import { promiseProps } from '../../../common/promise-props.js';
import { FactsReader } from './facts-reader.js';
import { JobRunner } from '../../../infra/schedule/job-runner.js';
import { listJobs } from './job-states.js';
import { FleetHistory } from './fleet-history.js';
import { ReportStore } from './report-store.js';
import { RESTART_WINDOW_MS } from '../rules/fleet-rules.js';
import type { Observation, Thresholds } from '../model/observation.js';
import { SourceReadings } from './source-readings.js';
import type { ReceivedReport } from '../model/worker-report.js';

/** What of an observation stands in the database. */
export type StoredObservation = Pick<Observation, 'stored' | 'starts' | 'minutes' | 'jobs' | 'unread'>;

/** Everything the rules and the status page read from the database. */
@Injectable()
export class FleetSources {
  constructor(
    private readonly reports: ReportStore,
    private readonly minutes: FleetHistory,
    private readonly jobs: JobRunner,
    private readonly facts: FactsReader,
  ) {}

  /** Fails: when nothing can be read; what else cannot is missing, and said to be. */
  async read(thresholds: Thresholds, reports: readonly ReceivedReport[]): Promise<StoredObservation> {
    const sources = new SourceReadings();
    const read = await promiseProps({
      starts: sources.read(['worker-restarting'], () => this.reports.listStarts(RESTART_WINDOW_MS), []),
      minutes: sources.read(['error-rate', 'writeoffs', 'overruns'], () => this.minutes.list(), []),
      jobs: sources.read(['job-failed'], () => listJobs(this.jobs), []),
      stored: this.facts.read(sources, thresholds, reports),
    });
    sources.throwIfAllFailed();
    return { ...read, unread: sources.unread };
  }
}
