import { exactMoney } from '../../shared/format/money';
import { numberMap, type OptionTexts } from './api';
import { dollarsOfRatio, outputDollars } from './prices';

/** Documents whose entries are factors of the input price of their model. */
const FACTORS_OF_INPUT = [
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'CreateCache1hRatio',
  'ImageRatio',
  'ImageCompletionRatio',
  'ReasoningRatio',
  'AudioRatio',
] as const;

type MoneyKey = (typeof FACTORS_OF_INPUT)[number] | 'ModelRatio' | 'ModelPrice';

/** True for documents whose entries can be shown as money. */
export const isInMoney = (key: string): key is MoneyKey =>
  key === 'ModelRatio' || key === 'ModelPrice' || FACTORS_OF_INPUT.some((known) => known === key);

/**
 * An entry of a price document in money: dollars of a million tokens, or of a call. Undefined where it has no such form: groups, tiers,
 * and factors of a model whose input price is not known.
 * @param value  number of the entry
 * @param ratio  model ratio that holds beside it
 */
export function moneyOfEntry(key: string, value: number, ratio: number | undefined): string | undefined {
  if (key === 'ModelRatio') return exactMoney(dollarsOfRatio(value));
  if (key === 'ModelPrice') return exactMoney(value);
  if (!isInMoney(key) || ratio === undefined) return undefined;
  return exactMoney(outputDollars(ratio, value));
}

/** Model ratios before and after a change. */
export interface RatiosBeside {
  readonly before: ReadonlyMap<string, number>;
  readonly after: ReadonlyMap<string, number>;
}

export function ratiosBeside(
  stored: OptionTexts,
  changes: readonly { readonly key: string; readonly value: string }[],
): RatiosBeside {
  const before = numberMap(stored['ModelRatio']);
  const change = changes.find(({ key }) => key === 'ModelRatio');
  return { before, after: change === undefined ? before : numberMap(change.value) };
}
