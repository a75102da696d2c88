import { Injectable, Logger } from '@nestjs/common';
import { DegradedModes } from '../../../infra/observability/degraded-modes.js';
import { Clock } from '../../../common/clock.js';
import { OptionsService } from '../../../base/options/options.service.js';
import { groupFleet } from '../model/fleet.js';
import { WorkerReports } from './worker-reports.js';
import type { Observation, Thresholds } from '../model/observation.js';
import type { ReceivedReport } from '../model/worker-report.js';
import { promiseProps } from '../../../common/promise-props.js';
import { FactsReader } from './facts-reader.js';
import { JobRunner } from '../../../infra/schedule/job-runner.js';
import { listJobs } from './job-states.js';
import { FleetHistory } from './fleet-history.js';
import { ReportStore } from './report-store.js';
import { RESTART_WINDOW_MS } from '../rules/fleet-rules.js';
import { SourceReadings } from './source-readings.js';

/** Everything the rules and the status page read from the database. */
@Injectable()
export class FleetSources {
  constructor(
    private readonly reports: ReportStore,
    private readonly minutes: FleetHistory,
    private readonly jobs: JobRunner,
    private readonly facts: FactsReader,
  ) {}

  /** Fails: when nothing can be read; otherwise unreadable parts are missing, and marked so. */
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

/** Cache time of observations, whatever the number of readers. */
const FRESH_MS = 2_000;

const NOTHING: StoredObservation = { stored: null, starts: [], minutes: [], jobs: [] };

/** Collects everything the rules and the status page need. */
@Injectable()
export class FleetObserver {
  private readonly logger = new Logger('Operations');
  private awaySinceMs: number | null = null;
  private last: { readonly atMs: number; readonly made: Promise<Observation> } | undefined;

  constructor(
    private readonly board: WorkerReports,
    private readonly sources: FleetSources,
    private readonly options: OptionsService,
    private readonly clock: Clock,
    private readonly modes: DegradedModes,
  ) {}

  /** At most two seconds old. Never fails: unreadable parts are missing, and marked so. */
  observe(): Promise<Observation> {
    const atMs = this.clock.monotonicMs();
    if (this.last === undefined || atMs - this.last.atMs >= FRESH_MS)
      this.last = { atMs, made: this.observeNow() };
    return this.last.made;
  }

  /** The same, of this moment. */
  async observeNow(): Promise<Observation> {
    const thresholds = this.thresholds();
    const reports = await this.board.list();
    const fromDatabase = await this.readDatabase(thresholds, reports);
    const nowMs = this.clock.nowMs();
    return {
      nowMs,
      fleet: groupFleet(reports, nowMs),
      ...fromDatabase,
      databaseAwaySinceMs: this.awaySinceMs,
      thresholds,
    };
  }

  private async readDatabase(
    thresholds: Thresholds,
    reports: readonly ReceivedReport[],
  ): Promise<StoredObservation> {
    if (this.modes.has('database-away')) {
      this.awaySinceMs ??= this.clock.nowMs();
      return NOTHING;
    }
    try {
      const stored = await this.sources.read(thresholds, reports);
      this.awaySinceMs = null;
      return stored;
    } catch (error) {
      if (this.awaySinceMs === null)
        this.logger.warn(`the status page cannot read the database: ${String(error)}`);
      this.awaySinceMs ??= this.clock.nowMs();
      return NOTHING;
    }
  }

  private thresholds(): Thresholds {
    const options = this.options.values();
    return {
      spoolAgeSeconds: options.AlertSpoolAgeSeconds,
      settlementLagSeconds: options.AlertSettlementLagSeconds,
      eventLoopMs: options.AlertEventLoopMs,
      errorRatePercent: options.AlertErrorRatePercent,
      channelFailurePercent: options.AlertChannelFailurePercent,
      channelBalance: options.AlertChannelBalance,
      writeoffQuota: options.AlertWriteoffQuota,
    };
  }
}

/** The part of an observation that comes from the database. */
export type StoredObservation = Pick<Observation, 'stored' | 'starts' | 'minutes' | 'jobs' | 'unread'>;
