import { ROLLING_MS } from '../../base/limits/calendar-periods.js';
import type { LimitEntity } from '../../base/limits/limit.entity.js';
import type { LimitUseNow } from '../../base/limits/limit-uses.js';
import { warnPercents } from './limit-rules.js';

/** Shares of the amount that the use of a value has reached. */
export interface DueWarning {
  readonly limit: LimitEntity;
  readonly use: LimitUseNow;
  /** Rising, never empty. */
  readonly percents: readonly number[];
  /** Names the period, milliseconds. */
  readonly periodStartMs: number;
}

/** Warnings that the uses call for, whether or not they were sent. What is set aside for running calls is not used yet. */
export function dueWarnings(
  limits: readonly LimitEntity[],
  uses: readonly LimitUseNow[],
  nowMs: number,
): readonly DueWarning[] {
  const byId = new Map(limits.map((limit) => [limit.id, limit]));
  return uses.flatMap((use) => {
    const limit = byId.get(use.limitId);
    if (limit === undefined || use.used <= 0) return [];
    const percents = warnPercents(limit.warnAt).filter((percent) => use.used >= (use.amount * percent) / 100);
    if (percents.length === 0) return [];
    return [{ limit, use, percents, periodStartMs: warningPeriod(limit, use, nowMs) }];
  });
}

/** A rolling limit has no period that starts: it warns once in the length of one. */
function warningPeriod({ period, rolling }: LimitEntity, { startsAtMs }: LimitUseNow, nowMs: number): number {
  if (!rolling || period === '' || period === 'ever') return startsAtMs ?? 0;
  return nowMs - (nowMs % ROLLING_MS[period]);
}
