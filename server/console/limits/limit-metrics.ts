import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { cachedReading } from '../../infra/clock/cached-reading.js';
import { MetricsRegistry, type Sample } from '../../infra/observability/metrics-registry.js';
import { LIMIT_MEASURES, LIMIT_SCOPES } from '../../base/limits/limit-definition.js';
import type { LimitEntity } from '../../base/limits/limit.entity.js';
import { LimitUses, type LimitUseNow } from '../../base/limits/limit-uses.js';
import { isNear } from './limit-nearness.js';
import { LimitsRepository } from './limits.repository.js';

/** Most limits that a metric names by their id: those used up furthest. */
const MAX_NAMED = 50;

interface Reading {
  readonly limits: readonly LimitEntity[];
  readonly uses: readonly LimitUseNow[];
}

/** Limits as metrics. They are read from the database and the same on every worker: take the largest, not the sum. */
@Injectable()
export class LimitMetrics {
  constructor(figures: MetricsRegistry, clock: Clock, limits: LimitsRepository, uses: LimitUses) {
    const read = cachedReading(clock, async (): Promise<Reading> => {
      const enabled = (await limits.all()).filter((limit) => limit.enabled);
      return { limits: enabled, uses: enabled.length === 0 ? [] : await uses.usesOf(enabled, clock.nowMs()) };
    });
    figures.gauge(
      'tollgate_limit_count',
      'Enabled limits by scope and measure.',
      async () => countBy((await read()).limits),
      ['scope', 'measure'],
    );
    figures.gauge(
      'tollgate_limit_near',
      'Enabled limits of which a value is used to the first percent it warns at, 80 % where it warns at none, by scope and measure.',
      async () => countBy(limitsWith(await read(), isNear)),
      ['scope', 'measure'],
    );
    figures.gauge(
      'tollgate_limit_full',
      'Enabled limits of which a value is used up, by scope and measure.',
      async () => countBy(limitsWith(await read(), (_limit, { used, amount }) => used > 0 && used >= amount)),
      ['scope', 'measure'],
    );
    figures.gauge(
      'tollgate_limit_use_ratio',
      'Share of its amount that a limit is used to, by its id: of the 50 that are used up furthest; of a limit for each its largest value.',
      async () => ratios((await read()).uses),
      ['limit'],
    );
  }
}

function limitsWith(
  { limits, uses }: Reading,
  matches: (limit: LimitEntity, use: LimitUseNow) => boolean,
): readonly LimitEntity[] {
  const byId = Map.groupBy(uses, ({ limitId }) => limitId);
  return limits.filter((limit) => byId.get(limit.id)?.some((use) => matches(limit, use)) === true);
}

/** Every scope and measure that some limit has. */
function countBy(limits: readonly Pick<LimitEntity, 'scope' | 'measure'>[]): readonly Sample[] {
  return LIMIT_SCOPES.flatMap((scope) =>
    LIMIT_MEASURES.map((measure) => ({
      labels: { scope, measure },
      value: limits.filter((limit) => limit.scope === scope && limit.measure === measure).length,
    })).filter(({ value }) => value > 0),
  );
}

function ratios(uses: readonly LimitUseNow[]): readonly Sample[] {
  const largest = new Map<number, number>();
  for (const { limitId, used, amount } of uses)
    if (amount > 0) largest.set(limitId, Math.max(largest.get(limitId) ?? 0, used / amount));
  return [...largest]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_NAMED)
    .map(([limitId, value]) => ({ labels: { limit: String(limitId) }, value }));
}
