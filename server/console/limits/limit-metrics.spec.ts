import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { MetricsRegistry } from '../../infra/observability/metrics-registry.js';
import type { LimitEntity } from '../../base/limits/limit.entity.js';
import type { LimitUseNow, LimitUses } from '../../base/limits/limit-uses.js';
import { LimitMetrics } from './limit-metrics.js';
import type { LimitsRepository } from './limits.repository.js';

const limit = (id: number, parts: Partial<LimitEntity> = {}) =>
  ({ id, scope: 'token', measure: 'quota', warnAt: '', enabled: true, ...parts }) as LimitEntity;
const use = (limitId: number, used: number) => ({ limitId, used, held: 0, amount: 100 }) as LimitUseNow;

function figuresOf(limits: readonly LimitEntity[], uses: readonly LimitUseNow[]): MetricsRegistry {
  const figures = new MetricsRegistry();
  new LimitMetrics(
    figures,
    new FakeClock(),
    { all: async () => limits } as unknown as LimitsRepository,
    { usesOf: async () => uses } as unknown as LimitUses,
  );
  return figures;
}

describe('LimitMetrics', () => {
  it('counts limits, those that are near and those that are full, by scope and measure', async () => {
    const figures = figuresOf(
      [
        limit(1),
        limit(2),
        limit(3, { scope: 'everyone', measure: 'requests' }),
        limit(4, { enabled: false }),
        limit(5, { scope: 'account', warnAt: '[50,100]' }),
        limit(6, { scope: 'account', warnAt: '[95]' }),
      ],
      [use(1, 100), use(2, 80), use(3, 79), use(5, 50), use(6, 94)],
    );
    const values = async (name: string) =>
      (await figures.samples(name)).map(({ labels, value }) => [labels['scope'], labels['measure'], value]);
    expect(await values('tollgate_limit_count')).toEqual([
      ['token', 'quota', 2],
      ['account', 'quota', 2],
      ['everyone', 'requests', 1],
    ]);
    expect(await values('tollgate_limit_near')).toEqual([
      ['token', 'quota', 2],
      ['account', 'quota', 1],
    ]);
    expect(await values('tollgate_limit_full')).toEqual([['token', 'quota', 1]]);
  });

  it('names at most 50 limits, those that are used up furthest', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => index + 1);
    const figures = figuresOf(
      ids.map((id) => limit(id)),
      [...ids.map((id) => use(id, id)), use(7, 99)],
    );
    const samples = await figures.samples('tollgate_limit_use_ratio');
    expect(samples).toHaveLength(50);
    expect(samples[0]).toMatchObject({ labels: { limit: '7' }, value: 0.99 });
  });
});
