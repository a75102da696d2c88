import type { LengthTierEntry } from '../billing/length-tiers.js';
import type { ListedPrice } from './listed-price.js';

/** Options a published price is spread over. */
export const SYNCED_KEYS = [
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'CreateCache1hRatio',
  'ImageRatio',
  'ImageCompletionRatio',
  'ReasoningRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'ModelPrice',
  'LongContextRatio',
] as const;
export type SyncedKey = (typeof SYNCED_KEYS)[number];

/** A model's entry in each option; keys the price says nothing about are absent. */
export type PriceEntries = {
  readonly [Key in SyncedKey]?: Key extends 'LongContextRatio' ? readonly LengthTierEntry[] : number;
};

/** Dollars per million input tokens at ratio 1. */
const DOLLARS_AT_RATIO_ONE = 2;
const TOKENS_PER_AUDIO_MINUTE = 1_000;
const USUAL_HOUR_FACTOR = 1.6;

/** Quotients that do not end are kept to 12 significant digits, as the built-in prices are. */
const quotient = (dividend: number, divisor: number): number => Number((dividend / divisor).toPrecision(12));

/** What the options must say for a model to cost what the list says. */
export function optionsOfPrice(price: ListedPrice): PriceEntries {
  if (price.perCall !== undefined) return { ModelPrice: price.perCall };
  const input =
    price.input ??
    (price.perAudioMinute === undefined
      ? undefined
      : (price.perAudioMinute * 1_000_000) / TOKENS_PER_AUDIO_MINUTE);
  if (input === undefined) return {};
  const entries: Record<string, number | readonly LengthTierEntry[]> = {
    ModelRatio: quotient(input, DOLLARS_AT_RATIO_ONE),
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
  const tiers = (price.tiers ?? []).map((tier) => toFactors(tier, price));
  if (tiers.length > 0 && (price.input ?? 0) > 0) entries['LongContextRatio'] = tiers;
  return entries;
}

/** Where the hour costs what it usually does, the option can stay empty. */
function unusualHourWrite({ cacheWrite, cacheWrite1h }: ListedPrice): number | undefined {
  if (cacheWrite1h === undefined || cacheWrite === undefined) return cacheWrite1h;
  return Math.abs(cacheWrite1h - cacheWrite * USUAL_HOUR_FACTOR) < 1e-9 ? undefined : cacheWrite1h;
}

function toFactors(tier: NonNullable<ListedPrice['tiers']>[number], usual: ListedPrice): LengthTierEntry {
  const factor = (price: number | undefined, base: number | undefined): number | undefined =>
    price === undefined || base === undefined || base === 0 ? undefined : quotient(price, base);
  const input = factor(tier.input, usual.input) ?? 1;
  const read = factor(tier.cacheRead, usual.cacheRead);
  const write = factor(tier.cacheWrite, usual.cacheWrite);
  return {
    above: tier.above,
    input,
    output: factor(tier.output, usual.output) ?? 1,
    ...(read === undefined || read === input ? {} : { cache_read: read }),
    ...(write === undefined || write === input ? {} : { cache_write: write }),
  };
}
