import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { Env } from '../../../config/env.js';
import { writeLockOf } from '../../../infra/database/gated-sqlite-runner.js';
import { RateLimitedFaults } from '../../../infra/observability/rate-limited-faults.js';
import { RollbackWatch } from '../../../infra/rollback-detection/rollback-watch.js';
import { Interval } from '../../../infra/schedule/interval.js';
import { OptionsService } from '../../options/options.service.js';
import { MoneyEngine } from './money-engine.js';
import { MoneyStores, MoneyWorker } from './money-parts.js';
import type { BookingPlace } from '../booking/thread-flusher.js';

const SWEEP_EVERY_MS = 60_000;

/** The money engine as part of the application: recovery before traffic, everything booked before the end. */
@Injectable()
export class MoneyService extends MoneyEngine implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly drainTimeoutMs: number;

  constructor(
    stores: MoneyStores,
    worker: MoneyWorker,
    options: OptionsService,
    env: Env,
    history: RollbackWatch,
  ) {
    const logger = new Logger('Money');
    const faults = new RateLimitedFaults(worker.clock, (line) => logger.error(line));
    super({
      ...stores,
      ...worker,
      dataDir: env.dataDir,
      port: env.port,
      options: () => {
        const { LogConsumeEnabled, DataExportEnabled, TagValuesPerDay } = options.values();
        return {
          logConsumption: LogConsumeEnabled,
          useFigures: DataExportEnabled,
          tagValuesPerDay: TagValuesPerDay,
        };
      },
      booking: bookingPlace(env, stores.dataSource, stores.logDataSource),
      sliceCallRate: env.takesSlices ? undefined : Infinity,
      whenChecked: () => history.whenChecked(),
      // A fault without an error is an event, not a state: each is logged.
      onFault: (message, error) =>
        error === undefined ? logger.error(message) : faults.record(message, String(error)),
    });
    this.drainTimeoutMs = env.drainTimeoutMs;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.start();
    void this.sweepFinishedSpools();
  }

  /** Never fails. */
  @Interval('finished-spools', SWEEP_EVERY_MS)
  sweepFinishedSpools(): Promise<void> {
    return this.finishedSpools.sweep();
  }

  /** Waits for calls that still run, then books everything, before the database and the store are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.holds.whenIdle(this.drainTimeoutMs);
    await this.stop();
  }
}

/** Place of the booking thread; undefined = this thread books. A database in memory belongs to one connection. */
function bookingPlace(env: Env, main: DataSource, logs: DataSource): BookingPlace | undefined {
  const urls = [env.databaseUrl, env.logDatabaseUrl ?? env.databaseUrl];
  if (!env.usesBookingThread || urls.some((url) => url.includes(':memory:'))) return undefined;
  return {
    databaseUrl: env.databaseUrl,
    logDatabaseUrl: logs === main ? undefined : env.logDatabaseUrl,
    lock: writeLockOf(main),
    logLock: writeLockOf(logs),
  };
}
