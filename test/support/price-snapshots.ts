import type { PriceSnapshot } from '../../server/relay-core/model/price-snapshot.js';
import type { Usage } from '../../server/relay-core/model/usage.js';

export type RatioSnapshot = PriceSnapshot & { mode: 'ratio' };

/** A price by ratios, all of them 1 but for writing the cache. */
export const aPrice = (changes: Partial<RatioSnapshot> = {}): RatioSnapshot => ({
  mode: 'ratio',
  model: 'm',
  group: 'default',
  modelRatio: '1',
  completionRatio: '1',
  cacheRatio: '1',
  cacheWriteRatio: '1.25',
  imageRatio: '1',
  audioRatio: '1',
  audioCompletionRatio: '1',
  groupRatio: '1',
  quotaPerUnit: 500_000,
  revision: 1,
  ...changes,
});
/** A price of each call. */
export const aFixedPrice = (price: string, groupRatio = '1'): PriceSnapshot => ({
  mode: 'call',
  model: 'm',
  group: 'default',
  price,
  groupRatio,
  quotaPerUnit: 500_000,
  revision: 1,
});
export const used = (input: number, output: number): Usage => ({
  input: { total: input },
  output: { total: output },
});
