/** Named ranges, so that "the last day" stays the last day when the page is opened tomorrow; seconds. */
const RANGES = { hour: 3_600, day: 86_400, week: 604_800, month: 2_592_000 } as const;
export type RangeName = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as RangeName[];

export function isRange(text: string): text is RangeName {
  return Object.hasOwn(RANGES, text);
}

/**
 * When a range begins that ends at a moment, in seconds as text: on a whole minute, so that a refetch within the minute asks the same.
 * Empty where there is no such range.
 */
export const rangeStart = (range: string, nowSeconds: number): string =>
  isRange(range) ? String(Math.floor(nowSeconds / 60) * 60 - RANGES[range]) : '';
