import type { LengthTierEntry } from '../../base/pricing/length-tiers.js';
import { inputRatio, quotient, tierFactors } from '../../base/pricing/price-ratios.js';
import { MODEL_FIGURE_KEYS } from '../../base/pricing/price-table.js';
import type { ListedPrice } from './listed-price.js';

/** Options a published price is spread over. */
export const SYNCED_KEYS = [...MODEL_FIGURE_KEYS, 'LongContextRatio', 'ServiceTierRatio'] as const;
export type SyncedKey = (typeof SYNCED_KEYS)[number];

/** A model's entry in each option; keys without a price are absent. */
export type PriceEntries = {
  readonly [Key in SyncedKey]?: Key extends 'LongContextRatio'
    ? readonly LengthTierEntry[]
    : Key extends 'ServiceTierRatio'
      ? ServiceTierEntries
      : number;
};

/** Class of service to factor: all entries `tier:model` of a model. */
export type ServiceTierEntries = Readonly<Record<string, number>>;

const USUAL_HOUR_FACTOR = 1.6;

/** Option entries that make a model cost its listed price. */
export function optionsOfPrice(price: ListedPrice): PriceEntries {
  if (price.perCall !== undefined) return { ModelPrice: price.perCall };
  const ratio = inputRatio(price);
  if (ratio === undefined) return {};
  const entries: Record<string, number | readonly LengthTierEntry[] | ServiceTierEntries> = {
    ModelRatio: ratio,
  };
  const put = (key: SyncedKey, value: number | undefined, base = price.input): void => {
    if (value !== undefined && base !== undefined && base > 0) entries[key] = quotient(value, base);
  };
  put('CompletionRatio', price.output ?? price.imageOutput);
  put('CacheRatio', price.cacheRead);
  put('CreateCacheRatio', price.cacheWrite);
  put('CreateCache1hRatio', unusualHourWrite(price));
  put('ImageRatio', price.imageInput);
  if (price.imageOutput !== price.output) put('ImageCompletionRatio', price.imageOutput);
  if (price.reasoning !== price.output) put('ReasoningRatio', price.reasoning);
  const audioInput = price.audioInput ?? (price.audioOutput === undefined ? undefined : price.input);
  put('AudioRatio', audioInput);
  put('AudioCompletionRatio', price.audioOutput, audioInput);
  const tiers = (price.tiers ?? []).map((tier) => tierFactors(tier, price));
  if (tiers.length > 0 && (price.input ?? 0) > 0) entries['LongContextRatio'] = tiers;
  if (price.serviceTiers !== undefined) entries['ServiceTierRatio'] = price.serviceTiers;
  return entries;
}

/** At the usual price of the hour the option can stay empty. */
function unusualHourWrite({ cacheWrite, cacheWrite1h }: ListedPrice): number | undefined {
  if (cacheWrite1h === undefined || cacheWrite === undefined) return cacheWrite1h;
  return Math.abs(cacheWrite1h - cacheWrite * USUAL_HOUR_FACTOR) < 1e-9 ? undefined : cacheWrite1h;
}
