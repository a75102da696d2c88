import { FACTOR_KEYS, type FactorKey } from './price-documents';
import { dollarsOfRatio } from './prices';

/** A figure per factor; NaN = not set. */
export type FactorFigures = Record<FactorKey, number>;

/** Digits kept of a figure; more would be noise of floating point. */
const DIGITS = 9;
const tidy = (value: number): number => Number(value.toFixed(DIGITS));

export const NO_FIGURES = Object.fromEntries(FACTOR_KEYS.map((key) => [key, Number.NaN])) as FactorFigures;

/** Dollars per million tokens that a factor of 1 stands for. Sound that is made counts from the price of sound that is read. */
const unitOf = (key: FactorKey, input: number, audio: number): number =>
  key === 'AudioCompletionRatio' && !Number.isNaN(audio) ? input * audio : input;

const mapped = (figures: FactorFigures, change: (key: FactorKey, figure: number) => number): FactorFigures =>
  Object.fromEntries(FACTOR_KEYS.map((key) => [key, change(key, figures[key])])) as FactorFigures;

/** Factors in dollars per million tokens. @param input  dollars per million input tokens; NaN makes all figures NaN */
export const moneyOfFactors = (factors: FactorFigures, input: number): FactorFigures =>
  mapped(factors, (key, factor) => tidy(unitOf(key, input, factors.AudioRatio) * factor));

/** Dollars per million tokens as factors; NaN where no factor of this input price can come to them. */
export function factorsOfMoney(money: FactorFigures, input: number): FactorFigures {
  const audio = money.AudioRatio / input;
  return mapped(money, (key, dollars) => {
    const unit = unitOf(key, input, audio);
    if (unit === 0) return dollars === 0 ? 0 : Number.NaN;
    return tidy(dollars / unit);
  });
}

/** Dollars per million tokens of each factor, for a model ratio. */
export const moneyAtRatio = (factors: FactorFigures, ratio: number): FactorFigures =>
  moneyOfFactors(factors, dollarsOfRatio(ratio));
