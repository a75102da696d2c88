import { describe, expect, it } from '@jest/globals';
import type { LimitEntity } from '../../base/limits/limit.entity.js';
import type { LimitUseNow } from '../../base/limits/limit-uses.js';
import { dueWarnings } from './due-warnings.js';

const NOW = Date.parse('2026-05-14T10:20:30Z');
const MIDNIGHT = Date.parse('2026-05-14T00:00:00Z');
const limit = (parts: Partial<LimitEntity> = {}) =>
  ({ id: 1, period: 'day', rolling: false, warnAt: '[50,80,100]', ...parts }) as LimitEntity;
const aUse = (parts: Partial<LimitUseNow> = {}): LimitUseNow => ({
  limitId: 1,
  value: '',
  used: 0,
  held: 0,
  amount: 100,
  startsAtMs: MIDNIGHT,
  resetsAtMs: MIDNIGHT + 86_400_000,
  ...parts,
});
const percentsAt = (used: number, held = 0) =>
  dueWarnings([limit()], [aUse({ used, held })], NOW).flatMap(({ percents }) => percents);

describe('dueWarnings', () => {
  it('names the shares that were reached, and none before', () => {
    expect(percentsAt(49)).toEqual([]);
    expect(percentsAt(50)).toEqual([50]);
    expect(percentsAt(99)).toEqual([50, 80]);
    expect(percentsAt(250)).toEqual([50, 80, 100]);
  });

  it('counts settled use and no holds of running calls', () => {
    expect(percentsAt(3, 97)).toEqual([]);
  });

  it('compares use with the amount of an override', () => {
    expect(dueWarnings([limit()], [aUse({ used: 90, amount: 1_000 })], NOW)).toEqual([]);
  });

  it('names the period by its start, and a rolling one by its length', () => {
    const periodOf = (parts: Partial<LimitEntity>) =>
      dueWarnings([limit(parts)], [aUse({ used: 60, startsAtMs: MIDNIGHT })], NOW)[0]?.periodStartMs;
    expect(periodOf({})).toBe(MIDNIGHT);
    expect(periodOf({ rolling: true, period: 'hour' })).toBe(Date.parse('2026-05-14T10:00:00Z'));
  });

  it('warns of nothing without shares, use, or a limit', () => {
    expect(dueWarnings([limit({ warnAt: '' })], [aUse({ used: 100 })], NOW)).toEqual([]);
    expect(dueWarnings([limit()], [aUse({ amount: 0 })], NOW)).toEqual([]);
    expect(dueWarnings([], [aUse({ used: 100 })], NOW)).toEqual([]);
  });
});
