import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Readiness } from '../../../infra/health/readiness.js';
import { Interval } from '../../../infra/schedule/interval.js';
import { Clock } from '../../../common/clock.js';
import { WorkerReports } from './worker-reports.js';
import { WorkerHealth } from './worker-health.js';
import { WorkerIdentity } from './worker-identity.js';
import type { WorkerReport } from '../model/worker-report.js';

/** Interval of reports. */
const REPORT_EVERY_MS = 5_000;

/**
 * Publishes the state of this worker every few seconds, from the moment it listens until its orderly end. A refused start publishes
 * nothing, so that the worker is not expected back.
 */
@Injectable()
export class WorkerReporter implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Operations');
  private hasBegun = false;
  private isStopped = false;
  private isFailing = false;
  private publishing: Promise<void> = Promise.resolve();

  constructor(
    private readonly identity: WorkerIdentity,
    private readonly health: WorkerHealth,
    private readonly readiness: Readiness,
    private readonly board: WorkerReports,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.identity.whenListening(() => this.begin());
  }

  /** The last report: this end was intended. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    if (this.hasBegun) await this.say();
  }

  /** Publishes now, after a report in progress. Never fails: the next report makes up for one that could not be written. */
  say(): Promise<void> {
    this.publishing = this.publishing.then(() => this.report());
    return this.publishing;
  }

  @Interval('worker-report', REPORT_EVERY_MS)
  async republish(): Promise<void> {
    if (this.hasBegun && !this.isStopped) await this.say();
  }

  private begin(): void {
    if (this.isStopped) return;
    this.hasBegun = true;
    void this.say();
  }

  private async report(): Promise<void> {
    try {
      await this.board.publish(await this.write());
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.logger.warn(`this worker could not say how it is: ${String(error)}`);
      this.isFailing = true;
    }
  }

  private async write(): Promise<WorkerReport> {
    const [health, isReady] = await Promise.all([this.health.describe(), this.readiness.isReady()]);
    return {
      ...this.identity.describe(),
      atMs: this.clock.nowMs(),
      state: this.isStopped ? 'stopped' : this.readiness.stopping ? 'draining' : 'running',
      isReady,
      ...health,
    };
  }
}
