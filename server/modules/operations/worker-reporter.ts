import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Readiness } from '../../infra/observability/readiness.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { ReportBoard } from './report-board.js';
import { WorkerHealth } from './worker-health.js';
import { WorkerIdentity } from './worker-identity.js';
import type { WorkerReport } from './worker-report.js';

/** How often a worker says how it is. */
export const REPORT_EVERY_MS = 5_000;

/** Says every few seconds how this worker is, from its start until its orderly end. */
@Injectable()
export class WorkerReporter implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private cancel: () => void = () => undefined;
  private isStopped = false;
  private saying: Promise<void> = Promise.resolve();

  constructor(
    private readonly identity: WorkerIdentity,
    private readonly health: WorkerHealth,
    private readonly readiness: Readiness,
    private readonly board: ReportBoard,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    void this.say();
    this.plan();
  }

  /** The last word: that this end was wanted. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    this.cancel();
    await this.say();
  }

  /** Says it now. Never fails. */
  say(): Promise<void> {
    this.saying = this.saying.then(async () => this.board.publish(await this.write()));
    return this.saying;
  }

  private plan(): void {
    if (this.isStopped) return;
    this.cancel = this.clock.after(REPORT_EVERY_MS, () => void this.say().finally(() => this.plan()));
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
