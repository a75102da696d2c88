import { DOLLARS_AT_RATIO_ONE } from './price-ratios.js';
import type { PriceTable } from './price-table.js';

/** Price of a model before the factor of a group, in US dollars; null = the model has no price of that kind. */
export interface DollarPrice {
  /** Per million input tokens. */
  readonly input: number | null;
  /** Per million output tokens. */
  readonly output: number | null;
  readonly perCall: number | null;
}

const NO_PRICE: DollarPrice = { input: null, output: null, perCall: null };

/** The group whose snapshot is read; its factor is not applied. */
const ANY_GROUP = 'default';

/** Products of two ratios with at most nine decimals each; further digits come from floating point. */
const tidy = (dollars: number): number => Number(dollars.toFixed(9));

/** Price that the operator or the built-in table named; a guessed one counts as none. */
export function dollarPriceOf(table: PriceTable, model: string): DollarPrice {
  const snapshot = table.isPriced(model) ? table.snapshot(model, ANY_GROUP, true, { tools: [] }) : undefined;
  if (snapshot === undefined) return NO_PRICE;
  if (snapshot.mode === 'call') return { ...NO_PRICE, perCall: Number(snapshot.price) };
  const input = Number(snapshot.modelRatio) * DOLLARS_AT_RATIO_ONE;
  return { input: tidy(input), output: tidy(input * Number(snapshot.completionRatio)), perCall: null };
}
