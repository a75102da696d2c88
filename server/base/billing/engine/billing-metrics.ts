import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { toShownSum } from '../../../common/quota.js';
import { cachedReading } from '../../../infra/clock/cached-reading.js';
import { MetricsRegistry, type Sample } from '../../../infra/observability/metrics-registry.js';
import { SharedStore } from '../../../infra/shared-store/shared-store.js';
import { Clock } from '../../../common/clock.js';
import { MONEY_DATA_SOURCE } from '../ledger/billing.tokens.js';
import { MoneyService } from './money.service.js';
import { read, toInteger } from '../ledger/money-sql.js';

/** From the record of a charge to its row; a second is the objective. */
const LAG_SECONDS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 2, 5, 10, 30, 60, 300];
/** "Recent" is between one and two of these. */
const RECENT_MS = 15_000;

interface OpenReservations {
  readonly kind: string;
  readonly scope: string;
  readonly count: number;
  readonly quota: number;
  /** Null = none has quota left: an empty pool waits for the next call, and no money with it. */
  readonly oldestMs: number | null;
}

/**
 * Metrics about money: age of what waits for booking, holds, write-offs. Every worker reads the same figures from the database, so
 * dashboards take the largest, not the sum.
 */
@Injectable()
export class BillingMetrics {
  private lag = { sinceMs: 0, largestMs: 0, beforeMs: 0 };
  private readonly openReservations: () => Promise<readonly OpenReservations[]>;
  private epoch: string | undefined;
  private epochChanges = 0;

  constructor(
    figures: MetricsRegistry,
    private readonly money: MoneyService,
    private readonly clock: Clock,
    private readonly store: SharedStore,
    @Inject(MONEY_DATA_SOURCE) private readonly dataSource: DataSource,
  ) {
    this.openReservations = cachedReading(clock, () => this.readReservations());
    this.registerSpool(figures);
    this.registerLag(figures);
    this.registerReservations(figures);
  }

  private registerSpool(figures: MetricsRegistry): void {
    const { holds, finishedSpools, flusher, slices, spool } = this.money;
    figures.gauge('tollgate_holds', 'Calls that hold quota now.', () => holds.held.calls);
    figures.gauge('tollgate_held_quota', 'Quota held by calls.', () => holds.held.quota);
    figures.gauge(
      'tollgate_slices',
      'Slices of hot accounts this process hands holds out of.',
      () => slices.count,
    );
    figures.gauge(
      'tollgate_slice_free_quota',
      'Quota in slices of hot accounts that no call holds.',
      () => slices.freeAmount,
    );
    figures.gauge(
      'tollgate_spool_open_calls',
      'Calls that are written down and not booked.',
      () => spool.openCalls,
    );
    figures.gauge(
      'tollgate_spool_unbooked_records',
      'Ended calls whose charge is on the spool and not in the database yet.',
      () => flusher.backlog,
    );
    figures.gauge(
      'tollgate_spool_oldest_seconds',
      'Age of the oldest charge that waits for the database; 0 = none waits.',
      () => {
        const { oldestSettledAtMs } = flusher;
        return oldestSettledAtMs === undefined ? 0 : this.ageSeconds(oldestSettledAtMs);
      },
    );
    figures.gauge(
      'tollgate_spool_finished_bytes',
      'Booked charges this instance keeps on its disk, to book them again after a restore.',
      () => finishedSpools.bytes,
    );
    figures.gauge(
      'tollgate_spool_finished_oldest_seconds',
      'Age of the oldest booked charge this instance keeps on its disk: a younger backup loses no charge.',
      () => {
        const { oldestMs } = finishedSpools;
        return oldestMs === undefined ? 0 : this.ageSeconds(oldestMs);
      },
    );
    figures.gauge(
      'tollgate_spool_accepting',
      '1 = paid work is taken, 0 = the disk is full or failing.',
      () => Number(spool.isAccepting),
    );
    figures.sum(
      'tollgate_recovered_calls_total',
      'Calls of dead workers that recovery put in order.',
      () => flusher.recoveredCalls,
    );
    figures.sum(
      'tollgate_writeoff_quota_total',
      'Quota used that no balance covered.',
      () => flusher.writtenOffQuota,
    );
    figures.sum(
      'tollgate_limit_other_calls_total',
      'Calls that a limit for each tag or end user counted under other: the account had too many new values on the day.',
      () => this.money.otherValueCalls,
    );
    figures.sum(
      'tollgate_overrun_calls_total',
      'Calls charged more than was set aside for them.',
      () => holds.overruns.calls,
    );
    figures.sum(
      'tollgate_overrun_quota_total',
      'Quota charged to calls above what was set aside for them.',
      () => holds.overruns.quota,
    );
  }

  private registerLag(figures: MetricsRegistry): void {
    const lag = figures
      .histogram(
        'tollgate_settlement_lag_seconds',
        'Time from the record of a charge to its row in the database.',
        LAG_SECONDS,
      )
      .series();
    this.money.flusher.onLag = (lagMs) => {
      lag.observe(lagMs / 1_000);
      this.noteLag(lagMs);
    };
    figures.gauge(
      'tollgate_settlement_lag_recent_seconds',
      'The longest time from the record of a charge to its row in the database, of the last quarter of a minute, what still waits included.',
      () => {
        this.noteLag(0);
        const { oldestSettledAtMs } = this.money.flusher;
        const waiting = oldestSettledAtMs === undefined ? 0 : this.ageSeconds(oldestSettledAtMs);
        return Math.max(this.lag.largestMs / 1_000, this.lag.beforeMs / 1_000, waiting);
      },
    );
  }

  private registerReservations(figures: MetricsRegistry): void {
    const perKind = (value: (row: OpenReservations) => number) => async (): Promise<readonly Sample[]> =>
      (await this.openReservations()).map((row) => ({
        labels: { kind: row.kind, scope: row.scope },
        value: value(row),
      }));
    const labelNames = ['kind', 'scope'];
    figures.gauge(
      'tollgate_reservations',
      'Open reservations in the database: pools of accounts and keys, and single calls while the shared store is away.',
      perKind(({ count }) => count),
      labelNames,
    );
    figures.gauge(
      'tollgate_reserved_quota',
      'Quota set aside in open reservations and not spent yet.',
      perKind(({ quota }) => quota),
      labelNames,
    );
    figures.gauge(
      'tollgate_reservation_oldest_seconds',
      'Age of the oldest open reservation that has quota left; 0 = none has.',
      perKind(({ oldestMs }) => (oldestMs === null ? 0 : this.ageSeconds(oldestMs))),
      labelNames,
    );
    figures.sum(
      'tollgate_store_epoch_changes_total',
      'Times the shared store was found to have restarted, been flushed or failed over: its pools began anew.',
      () => this.countEpochs(),
    );
  }

  private noteLag(lagMs: number): void {
    const nowMs = this.clock.monotonicMs();
    const ageMs = nowMs - this.lag.sinceMs;
    if (ageMs >= RECENT_MS) {
      const beforeMs = ageMs >= 2 * RECENT_MS ? 0 : this.lag.largestMs;
      this.lag = { sinceMs: nowMs, largestMs: lagMs, beforeMs };
    } else if (lagMs > this.lag.largestMs) this.lag.largestMs = lagMs;
  }

  private ageSeconds(sinceMs: number): number {
    return Math.max(0, this.clock.nowMs() - sinceMs) / 1_000;
  }

  private async countEpochs(): Promise<number> {
    if (this.store.isAvailable) {
      const epoch = await this.store.pools.epoch();
      if (this.epoch !== undefined && epoch !== this.epoch) this.epochChanges += 1;
      this.epoch = epoch;
    }
    return this.epochChanges;
  }

  /** Uses the index on the state: few reservations are open, whatever the size of the table. */
  private async readReservations(): Promise<readonly OpenReservations[]> {
    const rows = await read(
      this.dataSource,
      `SELECT "kind" AS "kind", "scope" AS "scope", COUNT(*) AS "count", SUM("amount") AS "quota",
         MIN(CASE WHEN "amount" > 0 THEN "created_at_ms" END) AS "oldest" FROM "reservations" WHERE "state" = 'open' GROUP BY "kind", "scope"`,
      [],
    );
    return rows.map((row) => ({
      kind: String(row['kind']),
      scope: String(row['scope']),
      count: toInteger(row['count']),
      quota: toShownSum(row['quota']),
      oldestMs: row['oldest'] === null ? null : toInteger(row['oldest']),
    }));
  }
}
