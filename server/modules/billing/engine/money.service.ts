import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Env } from '../../../config/env.js';
import { LOG_DATA_SOURCE } from '../../../infra/database/database.module.js';
import { writeLockOf } from '../../../infra/database/gated-sqlite-runner.js';
import { LastingFaults } from '../../../infra/observability/lasting-faults.js';
import { LimitShares } from '../../../infra/rate-limit/limit-shares.js';
import { Interval } from '../../../infra/schedule/interval.js';
import { SharedStore } from '../../../infra/shared-store/shared-store.js';
import { Clock } from '../../../relay-core/ports/clock.js';
import { Ids } from '../../../relay-core/ports/ids.js';
import { OptionsService } from '../../options/options.service.js';
import { BOOT_ID } from '../ledger/billing.tokens.js';
import { MoneyEngine } from './money-engine.js';
import type { BookingPlace } from '../booking/thread-flusher.js';

const SWEEP_EVERY_MS = 60_000;

/** The money engine as part of the application: recovery before traffic, everything booked before the end. */
@Injectable()
export class MoneyService extends MoneyEngine implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly drainTimeoutMs: number;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    @InjectDataSource(LOG_DATA_SOURCE) logDataSource: DataSource,
    @Inject(SharedStore) store: SharedStore,
    @Inject(OptionsService) options: OptionsService,
    @Inject(Env) env: Env,
    @Inject(Clock) clock: Clock,
    @Inject(Ids) ids: Ids,
    @Inject(BOOT_ID) bootId: string,
    @Inject(LimitShares) shares: LimitShares,
  ) {
    const logger = new Logger('Money');
    const faults = new LastingFaults(clock, (line) => logger.error(line));
    super({
      dataSource,
      logDataSource,
      store,
      clock,
      ids,
      bootId,
      shares,
      dataDir: env.dataDir,
      port: env.port,
      options: () => {
        const { LogConsumeEnabled, DataExportEnabled } = options.values();
        return { logConsumption: LogConsumeEnabled, useFigures: DataExportEnabled };
      },
      booking: bookingPlace(env, dataSource, logDataSource),
      hotCalls: env.takesSlices ? undefined : Infinity,
      // What has no error is an event, not a state: each is said.
      onFault: (message, error) =>
        error === undefined ? logger.error(message) : faults.seen(message, String(error)),
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

/** Where a thread of its own books; undefined = this one does. A database in memory belongs to one connection. */
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
