import type { LengthTierEntry } from './length-tiers.js';
import type { ListPrice } from './defaults/list-prices.js';
import type { LongContextPrice } from './defaults/long-context-prices.js';

/** Dollars per million input tokens at ratio 1. */
export const DOLLARS_AT_RATIO_ONE = 2;

/** A transcribed minute counts as 1,000 prompt tokens, so a price per minute becomes a price per token. */
const TOKENS_PER_AUDIO_MINUTE = 1_000;

/** Quotients that do not end are kept to 12 significant digits. */
export const quotient = (dividend: number, divisor: number): number =>
  Number((dividend / divisor).toPrecision(12));

/** ModelRatio of a price in dollars; unknown for what is not paid by its input. */
export function inputRatio(price: ListPrice): number | undefined {
  if (price.input !== undefined) return quotient(price.input, DOLLARS_AT_RATIO_ONE);
  if (price.perAudioMinute === undefined) return undefined;
  return quotient((price.perAudioMinute * 1_000_000) / TOKENS_PER_AUDIO_MINUTE, DOLLARS_AT_RATIO_ONE);
}

/** Prices for long calls as factors of the model's usual ones; a factor equal to the usual one is left out. */
export function tierFactors(tier: LongContextPrice, usual: ListPrice): LengthTierEntry {
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
