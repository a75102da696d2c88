import type { QuotaSettings } from './quota';

/** Digits that are kept of a figure a person may want to copy; more would be noise of floating point. */
const EXACT_DIGITS = 12;

/** Dollars with the same number of decimals in a whole column. What would be shown as 0 and is not reads `<$0.0001`. */
export function fixedMoney(dollars: number, digits: number): string {
  const size = Math.abs(dollars);
  const least = 10 ** -digits;
  const isHidden = size > 0 && size < least / 2;
  const shown = (isHidden ? least : size).toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${isHidden ? '<' : ''}${dollars < 0 ? '−' : ''}$${shown}`;
}

/** Dollars with every decimal they have, two at least. */
export function exactMoney(dollars: number): string {
  const size = Number(Math.abs(dollars).toPrecision(EXACT_DIGITS));
  const shown = size.toLocaleString('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: EXACT_DIGITS,
  });
  return `${dollars < 0 ? '−' : ''}$${shown}`;
}

/** Decimals that all figures of a column need, so that they stand under each other. */
export function digitsFor(dollars: readonly number[], least: number, most: number): number {
  const needed = dollars.map((each) => {
    const [, decimals = ''] = Math.abs(each).toFixed(most).split('.');
    return decimals.replace(/0+$/, '').length;
  });
  return Math.min(most, Math.max(least, ...needed));
}

/** A ratio of 1 is this many dollars per million tokens: what one quota a token comes to. */
export const DOLLARS_PER_RATIO = 2;

/** Dollars of an amount of quota. */
export const dollarsOfQuota = (quota: number, { quotaPerUnit }: QuotaSettings): number =>
  quota / quotaPerUnit;
