import { Injectable } from '@nestjs/common';
import { FactsReader } from './facts-reader.js';
import { JobStates } from './job-states.js';
import { MinuteKeeper } from './minute-keeper.js';
import { ReportStore } from './report-store.js';
import { RESTART_WINDOW_MS } from './rules/fleet-rules.js';
import type { Observation, Thresholds } from './rules/observation.js';
import type { HeardReport } from './worker-report.js';

/** What of an observation stands in the database. */
export type StoredObservation = Pick<Observation, 'stored' | 'starts' | 'minutes' | 'jobs'>;

/** Everything the rules and the status page read from the database. */
@Injectable()
export class FleetSources {
  constructor(
    private readonly reports: ReportStore,
    private readonly minutes: MinuteKeeper,
    private readonly jobs: JobStates,
    private readonly facts: FactsReader,
  ) {}

  /** Fails: when the database is away. */
  async read(thresholds: Thresholds, reports: readonly HeardReport[]): Promise<StoredObservation> {
    const [starts, minutes, jobs, stored] = await Promise.all([
      this.reports.listStarts(RESTART_WINDOW_MS),
      this.minutes.list(),
      this.jobs.list(),
      this.facts.read(thresholds, reports),
    ]);
    return { starts, minutes, jobs, stored };
  }
}
