import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { StartRefusal } from '../../start-checks/start-refusal.js';
import { nowExpression } from '../database/database-clock.js';
import { dialectOf } from '../database/dialect-of.js';
import { SharedStore, StoreUnavailableError } from '../shared-store/shared-store.js';
import { DegradedModes } from './degraded-modes.js';
import { Figures } from './figures.js';

/** How far two hosts' clocks may differ (2.12). */
export const TOLERATED_SKEW_MS = 120_000;
const LOOK_EVERY_MS = 60_000;
/** An answer that took this long says too little about when it was given. */
const SLOW_ANSWER_MS = 5_000;

/**
 * Compares the clock of this machine with the database's: the database decides what leases and orders depend on, this machine
 * writes moments into logs and judges the expiry of keys. At the start a difference is refused, later it is a degraded mode. Redis
 * is asked too: its windows follow its own clock alone, so that a difference there is told and refuses nothing.
 */
@Injectable()
export class ClockWatch implements OnModuleInit, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private skewMs = 0;
  private storeSkewMs = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: SharedStore,
    private readonly modes: DegradedModes,
    figures: Figures,
  ) {
    figures.gauge(
      'tollgate_clock_skew_seconds',
      "This machine's clock less the database's.",
      () => this.skewMs / 1_000,
    );
  }

  /** Fails: StartRefusal when the clocks differ by more than is tolerated. */
  async onModuleInit(): Promise<void> {
    await this.look();
    if (isTooMuch(this.skewMs)) {
      throw new StartRefusal(
        `The clock of this machine is ${describe(this.skewMs)} the database's. ` +
          'Keys would expire and prices change at the wrong time: let both keep time by NTP, then start again.',
      );
    }
    this.timer = setInterval(() => void this.look().catch(() => undefined), LOOK_EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Fails: when the database is away. */
  async look(): Promise<void> {
    this.skewMs = (await skewFrom(() => this.askDatabase())) ?? this.skewMs;
    this.storeSkewMs = (await skewFrom(() => this.askStore())) ?? this.storeSkewMs;
    const causes = [
      ...(isTooMuch(this.skewMs) ? [`it is ${describe(this.skewMs)} the database's`] : []),
      ...(isTooMuch(this.storeSkewMs) ? [`it is ${describe(this.storeSkewMs)} Redis's`] : []),
    ];
    this.modes.set('clock-skewed', causes.length === 0 ? null : causes.join('; '));
  }

  private async askDatabase(): Promise<number | null> {
    const dialect = dialectOf(this.dataSource);
    // A file has no clock of its own.
    if (dialect === 'sqlite') return null;
    const rows = (await this.dataSource.query(`SELECT ${nowExpression(dialect)} AS moment`)) as {
      moment: string | number;
    }[];
    return Number(rows[0]?.moment);
  }

  private askStore(): Promise<number | null> {
    return this.store.clockMs().catch((error: unknown) => {
      // Whoever watches the store tells that it is away.
      if (error instanceof StoreUnavailableError) return null;
      throw error;
    });
  }
}

/** Our clock less another one; null = it has none, or answered too late to tell. */
async function skewFrom(ask: () => Promise<number | null>): Promise<number | null> {
  const sentMs = Date.now();
  const started = performance.now();
  const theirsMs = await ask();
  const tookMs = performance.now() - started;
  return theirsMs === null || tookMs > SLOW_ANSWER_MS ? null : Math.round(sentMs + tookMs / 2 - theirsMs);
}

const isTooMuch = (skewMs: number): boolean => Math.abs(skewMs) > TOLERATED_SKEW_MS;

const describe = (skewMs: number): string =>
  `${Math.round(Math.abs(skewMs) / 1_000)} s ${skewMs < 0 ? 'behind' : 'ahead of'}`;
