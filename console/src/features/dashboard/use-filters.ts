import { startOfDay } from '../../shared/format/timestamp';
import { GRAINS, MEASURES, periodStart, type Grain, type Measure } from './use-sums';

const DAY = 86_400;
const SPANS = {
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  quarter: 90 * DAY,
  year: 365 * DAY,
} as const;
export type SpanName = keyof typeof SPANS;

/** How far back ordinary users may look, in the server's words a month. */
export const OWN_SPANS: readonly SpanName[] = ['day', 'week', 'month'];
export const ALL_SPANS = Object.keys(SPANS) as SpanName[];

/** In the address; empty = what is usual. */
export const USE_FILTERS = {
  span: '',
  grain: '',
  measure: '',
  who: '',
  by: '',
  username: '',
  start: '',
  end: '',
} as const;
export type UseFilterName = keyof typeof USE_FILTERS;

const USUAL_SPAN: Readonly<Record<Grain, SpanName>> = { hour: 'day', day: 'week', week: 'month' };

export interface UseView {
  readonly span: SpanName | 'custom';
  readonly grain: Grain;
  readonly measure: Measure;
  /** Seconds. */
  readonly start: number;
  readonly end: number;
}

/**
 * What the filters say.
 * @param usualGrain  of the settings
 * @param nowSeconds  the end of a named span, rounded up to the hour, so that a refetch asks the same
 */
export function viewOf(
  filters: Readonly<Record<UseFilterName, string>>,
  usualGrain: string,
  nowSeconds: number,
): UseView {
  const settings = GRAINS.find((known) => known === usualGrain) ?? 'hour';
  const asked = ALL_SPANS.find((known) => known === filters.span);
  const measure = MEASURES.find((known) => known === filters.measure) ?? 'quota';
  const end = periodStart(nowSeconds, 'hour') + 3_600;
  const typed = { start: Number(filters.start), end: filters.end === '' ? end : Number(filters.end) };
  if (filters.start !== '' && typed.start < typed.end) {
    const grain = GRAINS.find((known) => known === filters.grain) ?? grainOf(typed.end - typed.start);
    return { span: 'custom', grain, measure, ...typed };
  }
  const span = asked ?? USUAL_SPAN[settings];
  const grain =
    GRAINS.find((known) => known === filters.grain) ??
    (asked === undefined ? settings : grainOf(SPANS[asked]));
  const start = end - SPANS[span];
  // A day that began before the span would be shown as less than it was.
  return { span, grain, measure, start: grain === 'hour' ? start : startOfDay(start), end };
}

/** As fine as still can be read. */
function grainOf(seconds: number): Grain {
  if (seconds <= 2 * DAY) return 'hour';
  return seconds <= 60 * DAY ? 'day' : 'week';
}
