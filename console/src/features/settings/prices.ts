import { numberMap, type OptionChange, type OptionTexts } from './api';
import { FACTOR_KEYS, type FactorKey } from './price-documents';

/** Dollars per million input tokens at ratio 1. */
const DOLLARS_PER_RATIO = 2;
/** Digits kept when dollars become a ratio; more would be noise of floating point. */
const RATIO_DIGITS = 9;

/** Price of one model, in both views. */
export interface ModelPrice {
  readonly model: string;
  readonly mode: 'token' | 'call';
  /** Dollars per call; in mode `call`. */
  readonly call?: number;
  readonly ratio?: number;
  /** Undefined = what the gateway knows of the model's name. */
  readonly completion?: number;
  /** Those that are set; others are what is usual. */
  readonly factors?: Readonly<Partial<Record<FactorKey, number>>>;
}

/** Every model with a price. A price per call beats ratios, so it decides the mode. */
export function pricesOf(texts: OptionTexts): ModelPrice[] {
  const calls = numberMap(texts['ModelPrice']);
  const ratios = numberMap(texts['ModelRatio']);
  const completions = numberMap(texts['CompletionRatio']);
  const factors = FACTOR_KEYS.map((key) => [key, numberMap(texts[key])] as const);
  const models = [...new Set([...calls.keys(), ...ratios.keys()])].toSorted();
  return models.map((model) => {
    const call = calls.get(model);
    const own = factors.flatMap(([key, map]) => {
      const factor = map.get(model);
      return factor === undefined ? [] : [[key, factor] as const];
    });
    const shared = { model, factors: Object.fromEntries(own) };
    if (call !== undefined) return { ...shared, mode: 'call', call };
    return { ...shared, mode: 'token', ratio: ratios.get(model), completion: completions.get(model) };
  });
}

export function dollarsOfRatio(ratio: number): number {
  return tidy(ratio * DOLLARS_PER_RATIO);
}

export function ratioOfDollars(dollars: number): number {
  return tidy(dollars / DOLLARS_PER_RATIO);
}

/** Output dollars per million tokens. */
export function outputDollars(ratio: number, completion: number): number {
  return tidy(ratio * DOLLARS_PER_RATIO * completion);
}

export function completionOfDollars(input: number, output: number): number {
  return input === 0 ? 1 : tidy(output / input);
}

function tidy(value: number): number {
  return Number(value.toFixed(RATIO_DIGITS));
}

/** A new price of a model; `undefined` takes its price away. */
export type PriceEntry = readonly [model: string, price: ModelPrice | undefined];

/** The changed option texts that give models these prices. Other models keep theirs. */
export function priceChanges(texts: OptionTexts, entries: readonly PriceEntry[]): OptionChange[] {
  const wanted: Record<string, (price: ModelPrice | undefined) => number | undefined> = {
    ModelPrice: (price) => (price?.mode === 'call' ? price.call : undefined),
    ModelRatio: (price) => (price?.mode === 'token' ? price.ratio : undefined),
    CompletionRatio: (price) => (price?.mode === 'token' ? price.completion : undefined),
  };
  for (const key of FACTOR_KEYS) wanted[key] = (price) => price?.factors?.[key];
  return Object.entries(wanted).flatMap(([key, valueOf]): OptionChange[] => {
    const map = numberMap(texts[key]);
    let changed = false;
    for (const [model, price] of entries) {
      const value = valueOf(price);
      if (map.get(model) === value) continue;
      changed = true;
      if (value === undefined) map.delete(model);
      else map.set(model, value);
    }
    return changed ? [{ key, value: JSON.stringify(Object.fromEntries(map)) }] : [];
  });
}

/** The same price for each model; in a batch, factors that were not typed stay as each model has them. */
export function entriesFor(
  texts: OptionTexts,
  models: readonly string[],
  price: ModelPrice,
  isBatch: boolean,
): PriceEntry[] {
  const current = isBatch ? new Map(pricesOf(texts).map((each) => [each.model, each.factors])) : undefined;
  return models.map((model) => [
    model,
    { ...price, model, factors: { ...current?.get(model), ...price.factors } },
  ]);
}
