import { numberMap, type OptionChange, type OptionTexts } from './api';

/** Dollars per million input tokens at ratio 1. */
const DOLLARS_PER_RATIO = 2;
/** Digits kept when dollars become a ratio; more would be noise of floating point. */
const RATIO_DIGITS = 9;

/** What one model costs, in both views. */
export interface ModelPrice {
  readonly model: string;
  readonly mode: 'token' | 'call';
  /** Dollars per call; in mode `call`. */
  readonly call?: number;
  readonly ratio?: number;
  readonly completion?: number;
}

export const PRICE_KEYS = ['ModelPrice', 'ModelRatio', 'CompletionRatio', 'CacheRatio'] as const;

/** Every model with a price. A price per call beats ratios, so it decides the mode. */
export function pricesOf(texts: OptionTexts): ModelPrice[] {
  const calls = numberMap(texts['ModelPrice']);
  const ratios = numberMap(texts['ModelRatio']);
  const completions = numberMap(texts['CompletionRatio']);
  const models = [...new Set([...calls.keys(), ...ratios.keys()])].toSorted();
  return models.map((model) => {
    const call = calls.get(model);
    if (call !== undefined) return { model, mode: 'call', call };
    return { model, mode: 'token', ratio: ratios.get(model), completion: completions.get(model) };
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

/** The changed option texts that give a model this price; undefined removes it. Other models keep theirs. */
export function priceChanges(
  texts: OptionTexts,
  model: string,
  price: ModelPrice | undefined,
): OptionChange[] {
  const wanted: Record<'ModelPrice' | 'ModelRatio' | 'CompletionRatio', number | undefined> = {
    ModelPrice: price?.mode === 'call' ? price.call : undefined,
    ModelRatio: price?.mode === 'token' ? price.ratio : undefined,
    CompletionRatio: price?.mode === 'token' ? price.completion : undefined,
  };
  const changes: OptionChange[] = [];
  for (const [key, value] of Object.entries(wanted)) {
    const map = numberMap(texts[key]);
    if (map.get(model) === value) continue;
    if (value === undefined) map.delete(model);
    else map.set(model, value);
    changes.push({ key, value: JSON.stringify(Object.fromEntries(map)) });
  }
  return changes;
}
