import type { LimitPeriod } from '../../../../base/limits/limit-definition.js';

const SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
  mo: 2_592_000,
};

/** Lengths of the periods there are, the longest first, seconds. */
const PERIODS: readonly (readonly [Exclude<LimitPeriod, 'ever'>, number])[] = [
  ['quarter', 7_776_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/**
 * The period of a length such as `30d`, and the part of the amount it gets: a length that is no period here becomes the next shorter
 * one in proportion. Without a length the amount is for ever.
 * @returns null for a length that cannot be read, or is shorter than a minute
 */
export function periodOf(length: string): { readonly period: LimitPeriod; readonly share: number } | null {
  if (length === '') return { period: 'ever', share: 1 };
  const [, count, unit = ''] = /^(\d{1,6})(mo|[smhdw])$/.exec(length) ?? [];
  const seconds = Number(count) * (SECONDS[unit] ?? Number.NaN);
  const found = PERIODS.find(([, period]) => period <= seconds);
  return found === undefined ? null : { period: found[0], share: found[1] / seconds };
}
