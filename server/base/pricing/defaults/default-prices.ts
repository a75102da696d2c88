import type { LengthTierDocument } from '../length-tiers.js';
import { LIST_PRICES, type ListPrice } from './list-prices.js';
import { LONG_CONTEXT_PRICES } from './long-context-prices.js';
import { inputRatio, quotient, tierFactors } from '../price-ratios.js';

/**
 * Defaults of the price options, derived from the providers' list prices: ratio 1 = 2 US dollars per million input tokens,
 * every other ratio is relative to the input price.
 */
export type PriceTable = Readonly<Record<string, number>>;

/** Builds one option document; models for which `read` knows nothing are left out. */
function table(read: (price: ListPrice) => number | undefined): Record<string, number> {
  const rows = Object.entries(LIST_PRICES).map(([model, price]) => [model, read(price)] as const);
  return Object.fromEntries(rows.filter((row): row is readonly [string, number] => row[1] !== undefined));
}

/** A ratio to the input price; unknown for models without one, and meaningless for free ones. */
const toInput =
  (read: (price: ListPrice) => number | undefined) =>
  (price: ListPrice): number | undefined => {
    const part = read(price);
    return part === undefined || price.input === undefined || price.input === 0
      ? undefined
      : quotient(part, price.input);
  };

/** Custom assistants are addressed as gpt-4-gizmo-ID; all of them share the price of their base model. */
const GIZMO = {
  ratio: { 'gpt-4-gizmo-*': 15, 'gpt-4o-gizmo-*': 2.5 },
  completion: { 'gpt-4-gizmo-*': 2, 'gpt-4o-gizmo-*': 3 },
} as const;

export const DEFAULT_MODEL_RATIO: PriceTable = { ...table(inputRatio), ...GIZMO.ratio };

/** Output price ÷ input price. Models for images alone have no other output. */
export const DEFAULT_COMPLETION_RATIO: PriceTable = {
  ...table(toInput((price) => price.output ?? price.imageOutput)),
  ...GIZMO.completion,
};

/** Price of image output tokens ÷ input price, where it differs from that of text. */
export const DEFAULT_IMAGE_COMPLETION_RATIO: PriceTable = table(
  toInput((price) => (price.imageOutput === price.output ? undefined : price.imageOutput)),
);

/** Price of output tokens the model only thought ÷ input price, where it differs from that of the answer. */
export const DEFAULT_REASONING_RATIO: PriceTable = table(toInput((price) => price.reasoning));

export const DEFAULT_CACHE_RATIO: PriceTable = table(toInput((price) => price.cacheRead));
export const DEFAULT_CREATE_CACHE_RATIO: PriceTable = table(toInput((price) => price.cacheWrite));
/** Writes kept for an hour ÷ input price, where that is not 1.6 times the price of the shorter ones. */
export const DEFAULT_CREATE_CACHE_1H_RATIO: PriceTable = { 'claude-3-haiku-20240307': 2 };
export const DEFAULT_IMAGE_RATIO: PriceTable = table(toInput((price) => price.imageInput));

/** Audio input ÷ text input. A model with audio output only has ratio 1, as the base of its audio output ratio. */
export const DEFAULT_AUDIO_RATIO: PriceTable = table(
  toInput((price) => price.audioInput ?? (price.audioOutput === undefined ? undefined : price.input)),
);

/** Audio output ÷ audio input. */
export const DEFAULT_AUDIO_COMPLETION_RATIO: PriceTable = table((price) => {
  const base = price.audioInput ?? price.input;
  return price.audioOutput === undefined || base === undefined || base === 0
    ? undefined
    : quotient(price.audioOutput, base);
});

/** Dollars per call; beats every ratio. */
export const DEFAULT_MODEL_PRICE: PriceTable = table((price) => price.perCall);

/** Largest output in tokens: bounds the hold of a call that named no cap, or an absurd one. */
export const DEFAULT_MODEL_OUTPUT_CAP: PriceTable = table((price) => price.maxOutput);

export const DEFAULT_GROUP_RATIO: PriceTable = { default: 1, vip: 1, svip: 1 };

/** Factors of the usual prices for long calls. */
export const DEFAULT_LONG_CONTEXT_RATIO: LengthTierDocument = Object.fromEntries(
  Object.entries(LONG_CONTEXT_PRICES).flatMap(([model, tiers]) => {
    const usual = LIST_PRICES[model];
    return usual === undefined ? [] : [[model, tiers.map((tier) => tierFactors(tier, usual))]];
  }),
);
