import { Injectable, Logger, type OnModuleInit, Optional } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CorrectedClock, SystemClock } from '../clock/system-clock.js';
import { Interval } from '../schedule/interval.js';
import { DegradedModes } from '../observability/degraded-modes.js';
import { MetricsRegistry } from '../observability/metrics-registry.js';
import { Readiness } from './readiness.js';
import { nowExpression } from '../database/database-clock.js';
import { dialectOf } from '../database/dialect-of.js';
import { SharedStore, StoreUnavailableError } from '../shared-store/shared-store.js';

/** The clocks of the stores, milliseconds since 1970. */
@Injectable()
export class ReferenceClocks {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly store: SharedStore,
  ) {}

  /** Null = it is a file, which has no clock of its own. Fails: with the database's error. */
  async database(): Promise<number | null> {
    const dialect = dialectOf(this.dataSource);
    if (dialect === 'sqlite') return null;
    const rows = (await this.dataSource.query(`SELECT ${nowExpression(dialect)} AS moment`)) as {
      moment: string | number;
    }[];
    return Number(rows[0]?.moment);
  }

  /** Null = it has none, or is away. */
  sharedStore(): Promise<number | null> {
    return this.store.clockMs().catch((error: unknown) => {
      // The store's own watch reports that it is away.
      if (error instanceof StoreUnavailableError) return null;
      throw error;
    });
  }
}

/** An instance whose clock is further off the database's receives no traffic, although it judges by the database's. */
export const TOLERATED_SKEW_MS = 30_000;
/** Redis' windows follow its own clock alone: a difference is reported, and changes nothing. */
const TOLERATED_STORE_SKEW_MS = 120_000;
/** Names of its intervals. */
export const CLOCK_INTERVALS = ['clock', 'clock-steps'] as const;
const CHECK_INTERVAL_MS = 60_000;
/** Longest time until a change of this machine's clock is noticed. */
const NOTICE_STEP_MS = 1_000;
/** An answer that took this long has no exact time. */
const SLOW_ANSWER_MS = 5_000;
/** A slower answer is repeated a few times: the quickest one is the most precise. */
const PRECISE_ANSWER_MS = 100;
const TRIES = 3;
/** Clocks are not measured better than this, and what is written must not jump to and fro. */
const STEADY_MS = 250;

/**
 * Compares the clock of this machine with the database's, and keeps what it is off: the application's clock is corrected by it. While the
 * database is away the last difference stays. Too large a one is a degraded mode.
 */
@Injectable()
export class ClockWatch implements OnModuleInit {
  private readonly logger = new Logger('ClockWatch');
  private skewMs = 0;
  private storeSkewMs = 0;
  private wallLessMonotonicMs = wallLessMonotonic();

  constructor(
    private readonly references: ReferenceClocks,
    private readonly modes: DegradedModes,
    figures: MetricsRegistry,
    @Optional() private readonly clock: CorrectedClock = new CorrectedClock(new SystemClock()),
    @Optional() readiness?: Readiness,
  ) {
    figures.gauge(
      'tollgate_clock_skew_seconds',
      "This machine's clock less the database's.",
      () => this.skewMs / 1_000,
    );
    readiness?.require(() => Math.abs(this.skewMs) <= TOLERATED_SKEW_MS, 'clock-skewed');
  }

  /** Before anything is judged by it. Fails: when the database is away. */
  async onModuleInit(): Promise<void> {
    await this.look();
  }

  /** This machine's clock less the database's, milliseconds, as last measured. */
  get lastSkewMs(): number {
    return this.skewMs;
  }

  /** Never fails: while the database is away the last difference stays. */
  @Interval(CLOCK_INTERVALS[0], CHECK_INTERVAL_MS)
  async lookAgain(): Promise<void> {
    await this.look().catch(() => undefined);
  }

  @Interval(CLOCK_INTERVALS[1], NOTICE_STEP_MS)
  async noticeStep(): Promise<void> {
    if (this.wasSet()) await this.lookAgain();
  }

  /** Fails: when the database is away; what is known stays. */
  async look(): Promise<void> {
    this.wallLessMonotonicMs = wallLessMonotonic();
    this.applySkew((await this.skewFrom(() => this.references.database())) ?? this.skewMs);
    this.storeSkewMs = (await this.skewFrom(() => this.references.sharedStore())) ?? this.storeSkewMs;
    const isOff = Math.abs(this.skewMs) > TOLERATED_SKEW_MS;
    const isStoreOff = Math.abs(this.storeSkewMs) > TOLERATED_STORE_SKEW_MS;
    const causes = [
      ...(isOff ? [`it is ${describeSkew(this.skewMs)} the database's`] : []),
      ...(isStoreOff ? [`it is ${describeSkew(this.storeSkewMs)} Redis's`] : []),
    ];
    this.modes.set('clock-skewed', causes.length === 0 ? null : causes.join('; '));
  }

  private applySkew(skewMs: number): void {
    this.skewMs = skewMs;
    if (Math.abs(skewMs - this.clock.correctionMs) <= STEADY_MS) return;
    this.clock.correct(skewMs);
    this.logger.warn(`this machine's clock is ${describeSkew(skewMs)} the database's, whose time counts`);
  }

  private wasSet(): boolean {
    return Math.abs(wallLessMonotonic() - this.wallLessMonotonicMs) > NOTICE_STEP_MS;
  }

  /** This machine's clock less another one; null = it has none, or answered too late. */
  private async skewFrom(ask: () => Promise<number | null>): Promise<number | null> {
    let best: { readonly skewMs: number; readonly tookMs: number } | undefined;
    for (let tried = 0; tried < TRIES; tried += 1) {
      const sentMs = this.clock.machineMs();
      const started = performance.now();
      const theirsMs = await ask();
      if (theirsMs === null) return null;
      const tookMs = performance.now() - started;
      if (best === undefined || tookMs < best.tookMs)
        best = { skewMs: Math.round(sentMs + tookMs / 2 - theirsMs), tookMs };
      if (tookMs <= PRECISE_ANSWER_MS) break;
    }
    return best === undefined || best.tookMs > SLOW_ANSWER_MS ? null : best.skewMs;
  }
}

/** Changes only when the clock of this machine is set. */
const wallLessMonotonic = (): number => Date.now() - performance.now();

/** "31 s behind", to be followed by whose clock. */
export const describeSkew = (skewMs: number): string =>
  `${Math.round(Math.abs(skewMs) / 1_000)} s ${skewMs < 0 ? 'behind' : 'ahead of'}`;
