import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { nowExpression } from '../../infra/database/database-clock.js';
import { dialectOf } from '../../infra/database/dialect-of.js';
import { type PreparedPart, type RevisedPart, Revisions } from '../../infra/events/revisions.js';
import { Interval } from '../../infra/schedule/interval.js';
import { OptionsService } from '../options/options.service.js';
import type { CallLimits } from './call-limits.js';
import type { CallFigures } from './limit-marks.js';
import type { LimitSource } from './limit-source.js';
import { LimitEntity } from './limit.entity.js';
import { LimitZones } from './limit-zones.js';
import type { LimitedCaller } from './match-limits.js';
import { LimitPeriods } from './call-limits.js';
import type { ZoneChange } from './calendar-periods.js';
import type { LimitDefinition } from './limit-definition.js';
import { LimitMatcher } from './match-limits.js';

/** One state of the limits. */
export class LimitBook implements LimitSource {
  private readonly matcher: LimitMatcher;
  private readonly periods: LimitPeriods;

  /** @param limits  enabled ones. @param nowMs  by the database's clock */
  constructor(
    readonly limits: readonly LimitDefinition[],
    readonly zones: readonly ZoneChange[],
    readonly nowMs: () => number,
  ) {
    this.matcher = new LimitMatcher(limits);
    this.periods = new LimitPeriods(zones);
  }

  get isEmpty(): boolean {
    return this.matcher.isEmpty;
  }

  limitsOf(caller: LimitedCaller, model: string, needed: CallFigures): CallLimits | undefined {
    const matched = this.matcher.of(caller, model);
    return matched.length === 0 ? undefined : this.periods.limitsOf(matched, needed, this.nowMs());
  }
}

const CLOCK_EVERY_MS = 30_000;

/** Enabled limits as every worker keeps them in memory. Changes are pushed to all workers, as those of options are. */
@Injectable()
export class LimitCache implements LimitSource, RevisedPart, OnModuleInit {
  readonly name = 'limits';
  private readonly logger = new Logger('Limits');
  private book = new LimitBook([], [], () => this.nowMs());
  private readonly listeners: (() => void)[] = [];
  /** The database's clock minus ours, milliseconds. */
  private aheadMs = 0;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly revisions: Revisions,
    private readonly options: OptionsService,
    private readonly zones: LimitZones,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.readClock();
    await this.revisions.follow(this);
    this.options.onChange(() => void this.readZones());
  }

  /** Enabled limits and time zones in force. */
  get state(): Pick<LimitBook, 'limits' | 'zones'> {
    return this.book;
  }

  /** Calls a listener after every change. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** True when no call is limited. */
  get isEmpty(): boolean {
    return this.book.isEmpty;
  }

  /** Time by the database's clock, milliseconds. */
  nowMs(): number {
    return this.clock.nowMs() + this.aheadMs;
  }

  /** Limits of a call; undefined = none. @param needed  its worst case */
  limitsOf(caller: LimitedCaller, model: string, needed: CallFigures): CallLimits | undefined {
    return this.book.limitsOf(caller, model, needed);
  }

  async prepare(manager: EntityManager): Promise<PreparedPart> {
    const limits = await manager
      .getRepository(LimitEntity)
      .find({ where: { enabled: true }, order: { id: 'ASC' } });
    const book = new LimitBook(limits, await this.zones.changes(manager), () => this.nowMs());
    return {
      complaint: null,
      apply: () => this.apply(book),
    };
  }

  /** Limits are written by the console alone, which counts each change. */
  hasDrifted(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** Never fails: the difference of before stays. */
  @Interval('limits-clock', CLOCK_EVERY_MS)
  async followClock(): Promise<void> {
    if (this.book.limits.length === 0) return;
    await this.readClock().catch((error: unknown) =>
      this.logger.warn(`the database's clock could not be read: ${String(error)}`),
    );
  }

  private apply(book: LimitBook): void {
    this.book = book;
    for (const listener of this.listeners) listener();
  }

  private async readClock(): Promise<void> {
    const sentMs = this.clock.nowMs();
    const rows: { now: unknown }[] = await this.dataSource.query(
      `SELECT ${nowExpression(dialectOf(this.dataSource))} AS now`,
    );
    const receivedMs = this.clock.nowMs();
    this.aheadMs = Math.round(Number(rows[0]?.now) - (sentMs + receivedMs) / 2);
  }

  private async readZones(): Promise<void> {
    try {
      const zones = await this.zones.changes();
      this.apply(new LimitBook(this.book.limits, zones, () => this.nowMs()));
    } catch (error) {
      this.logger.warn(`the time zone of limits could not be read: ${String(error)}`);
    }
  }
}
