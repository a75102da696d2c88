import type { UsageTotal } from '../../base/billing/ledger/usage-totals.js';

/** Spend and calls of one model within a week. */
export interface ModelFigures {
  /** Empty = models that are too small to be listed. */
  readonly name: string;
  readonly quota: number;
  readonly calls: number;
}

const TOP_MODELS = 5;

export const sumOf = (rows: readonly UsageTotal[]): { readonly quota: number; readonly calls: number } => ({
  quota: rows.reduce((sum, { quota }) => sum + quota, 0),
  calls: rows.reduce((sum, { calls }) => sum + calls, 0),
});

/** The models that cost most, the dearest first. */
export function topModels(rows: readonly UsageTotal[]): readonly ModelFigures[] {
  const byModel = Map.groupBy(rows, ({ modelName }) => modelName);
  return [...byModel]
    .map(([name, ofModel]) => ({ name, ...sumOf(ofModel) }))
    .filter(({ calls }) => calls > 0)
    .toSorted((a, b) => b.quota - a.quota || b.calls - a.calls || a.name.localeCompare(b.name, 'en'))
    .slice(0, TOP_MODELS);
}

/** Whole percent by which a figure differs from the one before; null = there is nothing to compare with. */
export const changePercent = (now: number, before: number): number | null =>
  before === 0 ? null : Math.round(((now - before) / before) * 100);
