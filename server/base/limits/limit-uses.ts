import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Between, DataSource, type FindOptionsWhere, In } from 'typeorm';
import {
  bucketMs,
  type Period,
  periodAt,
  oldestBucketAt,
  ROLLING_MS,
  type ZoneChange,
} from './calendar-periods.js';
import { dialectOf } from '../../infra/database/dialect-of.js';
import { renderSql } from '../../infra/database/sql-store.js';
import { amountAt, isOfChannel, type LimitDefinition } from './limit-definition.js';
import { LimitUseEntity } from './limit-use.entity.js';
import { LimitStore } from './limit-store.js';
import { LimitZones } from './limit-zones.js';
import { fieldOfBooked } from './window-moments.js';

/** Use of a limit in its running period; of a limit for each value, of one value. */
export interface LimitUseNow {
  readonly limitId: number;
  /** Empty, or the id or value where the limit applies to each. */
  readonly value: string;
  /** Settled, in the unit of the measure; never below 0. */
  readonly used: number;
  /** Set aside for running calls, and settled but not booked yet. */
  readonly held: number;
  /** In force: that of the override while it lasts. */
  readonly amount: number;
  /** Start of the period; of a rolling limit of its oldest bucket that counts. Null = in flight. */
  readonly startsAtMs: number | null;
  /** Null = never, or in flight. Of a rolling limit when the oldest use leaves it, or nothing was used. */
  readonly resetsAtMs: number | null;
}

/** Most values of one limit in an answer, those with the largest use first. */
const MOST_VALUES = 1_000;

/** SQLite nests conditions at most 1,000 deep. */
const LIMITS_PER_STATEMENT = 200;

/** Windows read from the shared store for one answer; further uses are without holds. */
const MOST_HELD = 200;

/** Reads the use of limits. */
@Injectable()
export class LimitUses {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly zones: LimitZones,
    private readonly store: LimitStore,
  ) {}

  /**
   * Use of the running periods, in the order of the limits; a limit for each value has one entry for each value with use, at most 1,000.
   * @param value  only of this value. Fails: with the database's error.
   */
  async usesOf(
    limits: readonly LimitDefinition[],
    nowMs: number,
    value?: string,
  ): Promise<readonly LimitUseNow[]> {
    const counted = limits.filter(({ measure }) => measure !== 'in_flight');
    const zones = await this.zones.changes();
    const rows = await this.rowsOf(counted, nowMs, zones, value);
    return this.withHeld(
      limits,
      nowMs,
      zones,
      limits.flatMap((limit) => this.useOf(limit, rows.get(limit.id) ?? [], nowMs, zones, value)),
    );
  }

  /** Adds holds, and charges that are not booked yet: what the windows have beyond the books. Windows that cannot be read have none. */
  private async withHeld(
    limits: readonly LimitDefinition[],
    nowMs: number,
    zones: readonly ZoneChange[],
    uses: readonly LimitUseNow[],
  ): Promise<readonly LimitUseNow[]> {
    const byId = new Map(limits.map((limit) => [limit.id, limit]));
    return Promise.all(
      uses.map(async (use, index) => {
        const limit = byId.get(use.limitId);
        if (limit === undefined || index >= MOST_HELD) return use;
        if (isOfChannel(limit)) return { ...use, held: await this.leased(limit, nowMs, zones) };
        const sums = await this.store.sums(limit, use.value).catch(() => undefined);
        if (sums === undefined) return use;
        const { fromMs } = countedSpan(limit, nowMs, zones);
        const toMs = fieldOfBooked(limit, countedSpan(limit, nowMs, zones).toMs);
        let taken = 0;
        for (const [start, sum] of sums) if (start >= fromMs && start <= toMs) taken += sum;
        return limit.measure === 'in_flight'
          ? { ...use, held: taken }
          : { ...use, held: Math.max(0, taken - use.used) };
      }),
    );
  }

  /** Parts of a channel's limit that workers have leased: for running attempts, for charges that are not booked, and a rest. */
  private async leased(limit: LimitDefinition, nowMs: number, zones: readonly ZoneChange[]): Promise<number> {
    const { fromMs, toMs } = countedSpan(limit, nowMs, zones);
    const rows: { readonly leased: unknown }[] = await this.dataSource.query(
      renderSql(
        dialectOf(this.dataSource),
        `SELECT COALESCE(SUM("amount"), 0) AS "leased" FROM "limit_parts" WHERE "limit_id" = ? AND "period_start_ms" BETWEEN ? AND ?`,
      ),
      [limit.id, fromMs, toMs],
    );
    return Math.max(0, Number(rows[0]?.leased ?? 0));
  }

  /** Use of the running periods of named values of limits for each; one entry for each limit and value. Fails: with the database's error. */
  async usesOfValues(
    limits: readonly LimitDefinition[],
    nowMs: number,
    values: readonly string[],
  ): Promise<readonly LimitUseNow[]> {
    if (limits.length === 0 || values.length === 0) return [];
    const zones = await this.zones.changes();
    const rows = await this.rowsOf(limits, nowMs, zones, values);
    const uses = limits.flatMap((limit) =>
      values.flatMap((value) => this.useOf(limit, rows.get(limit.id) ?? [], nowMs, zones, value)),
    );
    return this.withHeld(limits, nowMs, zones, uses);
  }

  private async rowsOf(
    limits: readonly LimitDefinition[],
    nowMs: number,
    zones: readonly ZoneChange[],
    value: string | readonly string[] | undefined,
  ): Promise<ReadonlyMap<number, readonly LimitUseEntity[]>> {
    if (limits.length === 0) return new Map();
    const where = limits.map((limit): FindOptionsWhere<LimitUseEntity> => {
      const { fromMs, toMs } = countedSpan(limit, nowMs, zones);
      const ofValue =
        value === undefined || !limit.each
          ? {}
          : { value: typeof value === 'string' ? value : In([...value]) };
      return { limitId: limit.id, periodStartMs: Between(fromMs, toMs), ...ofValue };
    });
    const rows: LimitUseEntity[] = [];
    for (let from = 0; from < where.length; from += LIMITS_PER_STATEMENT) {
      const portion = where.slice(from, from + LIMITS_PER_STATEMENT);
      rows.push(...(await this.dataSource.getRepository(LimitUseEntity).find({ where: portion })));
    }
    return Map.groupBy(rows, ({ limitId }) => limitId);
  }

  private useOf(
    limit: LimitDefinition,
    rows: readonly LimitUseEntity[],
    nowMs: number,
    zones: readonly ZoneChange[],
    value: string | undefined,
  ): readonly LimitUseNow[] {
    const amount = amountAt(limit, nowMs);
    const values = limit.each
      ? value === undefined
        ? [...new Set(rows.map((row) => row.value))]
        : [value]
      : [''];
    const uses = values.map((of) => {
      const own = rows.filter((row) => row.value === of);
      const used = Math.max(
        0,
        own.reduce((sum, row) => sum + row.used, 0),
      );
      return {
        limitId: limit.id,
        value: of,
        used,
        held: 0,
        amount,
        ...shownPeriod(limit, own, nowMs, zones),
      };
    });
    return uses.toSorted((left, right) => right.used - left.used).slice(0, MOST_VALUES);
  }
}

/** Starts of the periods or buckets that count at a moment, milliseconds, both included. */
export function countedSpan(
  { period, rolling }: Pick<LimitDefinition, 'period' | 'rolling'>,
  nowMs: number,
  zones: readonly ZoneChange[],
): { readonly fromMs: number; readonly toMs: number } {
  if (period === '') return { fromMs: 0, toMs: 0 };
  if (rolling) return { fromMs: oldestBucketAt(period, nowMs), toMs: nowMs };
  const { startsAtMs } = periodAt(period, nowMs, zones);
  return { fromMs: startsAtMs, toMs: startsAtMs };
}

function shownPeriod(
  { period, rolling }: LimitDefinition,
  rows: readonly LimitUseEntity[],
  nowMs: number,
  zones: readonly ZoneChange[],
): Pick<LimitUseNow, 'startsAtMs' | 'resetsAtMs'> {
  if (period === '') return { startsAtMs: null, resetsAtMs: null };
  const { startsAtMs, resetsAtMs }: Period = periodAt(period, nowMs, zones);
  if (!rolling || period === 'ever') return { startsAtMs, resetsAtMs };
  const used = rows.filter((row) => row.used > 0).map((row) => row.periodStartMs);
  const oldest = oldestBucketAt(period, nowMs);
  if (used.length === 0) return { startsAtMs: oldest, resetsAtMs: null };
  return { startsAtMs: oldest, resetsAtMs: Math.min(...used) + ROLLING_MS[period] + bucketMs(period) };
}
