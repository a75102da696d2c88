import type { DataSource } from 'typeorm';
import type { SharedStore } from '../../../infra/shared-store/shared-store.js';
import {
  type CallLimit,
  type CallLimits,
  hasEndlessValues,
  OTHER_VALUES,
  withOtherValues,
} from '../../limits/call-limits.js';
import { read } from '../ledger/money-sql.js';

/** New values a day that get a window of their own, of each limit and account. */
export const MOST_VALUES_PER_DAY = 10_000;
/** Values without a window that a worker remembers; it asks again for the others. */
const MOST_REMEMBERED = 100_000;
const DAY_MS = 86_400_000;

/**
 * Bounds the windows of limits for each tag or end user, whose values callers choose. Above the bound, new values of a limit and account share one
 * window, with the amount of one value, until the day in UTC ends.
 */
export class LimitValues {
  private readonly others = new Set<string>();
  private dayMs = 0;

  constructor(
    private readonly ports: {
      readonly dataSource: DataSource;
      readonly store: SharedStore;
      readonly nowMs: () => number;
      readonly most?: number | undefined;
    },
  ) {}

  /** Limits of a call, with the shared window for values of which this worker knows that they have none. */
  known(limits: CallLimits, userId: number): CallLimits {
    if (this.others.size === 0) return limits;
    if (dayOf(this.ports.nowMs()) !== this.dayMs) {
      this.others.clear();
      return limits;
    }
    return withOtherValues(
      limits,
      ({ limit, value }) => hasEndlessValues(limit) && this.others.has(nameOf(limit.id, userId, value)),
    );
  }

  /**
   * Limits of a call, of which some windows are unknown: values that are new get windows of their own while there is room. Fails:
   * StoreUnavailableError; with the database's error.
   */
  async bounded(limits: CallLimits, unknown: readonly CallLimit[], userId: number): Promise<CallLimits> {
    const fresh = unknown.filter(({ limit, value }) => hasEndlessValues(limit) && value !== OTHER_VALUES);
    if (fresh.length === 0) return limits;
    const dayMs = dayOf(this.ports.nowMs());
    const over = new Set<CallLimit>();
    for (const limit of fresh) if (!(await this.hasRoom(limit, userId, dayMs))) over.add(limit);
    if (over.size === 0) return limits;
    if (this.others.size >= MOST_REMEMBERED || dayMs !== this.dayMs) this.others.clear();
    this.dayMs = dayMs;
    for (const { limit, value } of over) this.others.add(nameOf(limit.id, userId, value));
    return withOtherValues(limits, (limit) => over.has(limit));
  }

  private async hasRoom(
    { limit, value, bookedFromMs }: CallLimit,
    userId: number,
    dayMs: number,
  ): Promise<boolean> {
    const { dataSource, store, most = MOST_VALUES_PER_DAY } = this.ports;
    if (await store.limits.enterValue({ limitId: limit.id, userId, dayMs, value }, most)) return true;
    // A value that was counted in this period keeps its window, also after the store lost its data.
    const rows = await read(
      dataSource,
      `SELECT 1 AS "found" FROM "limit_use" WHERE "limit_id" = ? AND "value" = ? AND "period_start_ms" >= ? LIMIT 1`,
      [limit.id, value, bookedFromMs],
    );
    return rows.length > 0;
  }
}

const dayOf = (nowMs: number): number => nowMs - (nowMs % DAY_MS);

const nameOf = (limitId: number, userId: number, value: string): string => `${limitId}:${userId}:${value}`;
