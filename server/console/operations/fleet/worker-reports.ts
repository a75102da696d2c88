import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { SharedStore } from '../../../infra/shared-store/shared-store.js';
import { Clock } from '../../../common/clock.js';
import { ReportStore } from './report-store.js';
import { type ReceivedReport, readWorkerReport, type WorkerReport } from '../model/worker-report.js';

const SIGNAL_TOPIC = 'worker-report';
/** Time a silent worker stays in the list. */
const REMEMBERED_MS = 24 * 3_600_000;
const MAX_HEARD = 2_000;
/** Minimum interval of SQL reads, whatever the number of readers. */
const READ_EVERY_MS = 2_000;

/**
 * Reports of all workers. They travel two ways, through the shared store and through the database, so that either may be away; of
 * each worker the newest one counts.
 */
@Injectable()
export class WorkerReports implements OnApplicationShutdown {
  private readonly logger = new Logger('Operations');
  private readonly heard = new Map<string, ReceivedReport>();
  private readonly unsubscribe: () => void;
  private isWarned = false;
  private readAtMs = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | undefined;

  constructor(
    private readonly shared: SharedStore,
    private readonly stored: ReportStore,
    private readonly clock: Clock,
  ) {
    this.unsubscribe = shared.signals.subscribe(SIGNAL_TOPIC, (payload) => {
      const report = readWorkerReport(payload);
      if (report !== null) this.note(report, 0);
    });
  }

  /** Publishes this worker's state. Never fails: readers see the age of the state. */
  async publish(report: WorkerReport): Promise<void> {
    this.note(report, 0);
    const ways = await Promise.allSettled([
      this.shared.signals.publish(SIGNAL_TOPIC, JSON.stringify(report)),
      this.stored.write(report),
    ]);
    const isUnheard = ways.every(({ status }) => status === 'rejected');
    if (isUnheard && !this.isWarned)
      this.logger.warn('nobody hears how this worker is: neither the shared store nor the database takes it');
    this.isWarned = isUnheard;
  }

  /** The newest report of every worker within a day, this one's included. Never fails; see `publish`. */
  async list(): Promise<readonly ReceivedReport[]> {
    await this.readStored();
    const nowMs = this.clock.nowMs();
    for (const [bootId, { heardAtMs }] of this.heard)
      if (nowMs - heardAtMs > REMEMBERED_MS) this.heard.delete(bootId);
    return [...this.heard.values()];
  }

  /** Forgets the silent workers of an instance, here and in the database. */
  async forgetInstance(instance: string, silentForMs: number): Promise<void> {
    await this.stored.forgetInstance(instance, silentForMs);
    const nowMs = this.clock.nowMs();
    for (const [bootId, { report, heardAtMs }] of this.heard)
      if (report.instance === instance && nowMs - heardAtMs > silentForMs) this.heard.delete(bootId);
  }

  onApplicationShutdown(): void {
    this.unsubscribe();
  }

  private readStored(): Promise<void> {
    if (this.reading !== undefined) return this.reading;
    if (this.clock.monotonicMs() - this.readAtMs < READ_EVERY_MS) return Promise.resolve();
    this.reading = this.stored
      .list(REMEMBERED_MS)
      .then(
        (reports) => {
          this.readAtMs = this.clock.monotonicMs();
          for (const { report, ageMs } of reports) this.note(report, ageMs);
        },
        (error: unknown) => {
          this.readAtMs = this.clock.monotonicMs();
          this.logger.debug(`reports in the database could not be read: ${String(error)}`);
        },
      )
      .finally(() => (this.reading = undefined));
    return this.reading;
  }

  private note(report: WorkerReport, ageMs: number): void {
    const known = this.heard.get(report.bootId);
    if (known !== undefined && known.report.atMs > report.atMs) return;
    const heardAtMs = this.clock.nowMs() - ageMs;
    if (known !== undefined && known.report.atMs === report.atMs && known.heardAtMs >= heardAtMs) return;
    if (known === undefined && this.heard.size >= MAX_HEARD) return;
    this.heard.set(report.bootId, { report, heardAtMs });
  }
}
