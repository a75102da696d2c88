import { dayBefore, startOfDay, startOfMonth } from '../../shared/format/timestamp';
import { GRAINS, MEASURES, periodStart, type Grain, type Measure, type Step } from './use-sums';

/** Figures of attempts, for administrators. */
export const ATTEMPT_FIGURES = ['failures', 'first_token', 'duration'] as const;
export type AttemptFigure = (typeof ATTEMPT_FIGURES)[number];

const DAY = 86_400;
const SPANS = {
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  quarter: 90 * DAY,
  year: 365 * DAY,
} as const;
type Length = keyof typeof SPANS;
export type SpanName = Length | 'today' | 'yesterday' | 'thisMonth';

/** Spans open to ordinary users: the server's limit is a month. */
export const OWN_SPANS: readonly SpanName[] = ['today', 'yesterday', 'day', 'week', 'month', 'thisMonth'];
export const ALL_SPANS: readonly SpanName[] = [...OWN_SPANS, 'quarter', 'year'];

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

const USUAL_SPAN: Readonly<Record<Grain, Length>> = { hour: 'day', day: 'week', week: 'month' };

export interface UseView {
  readonly span: SpanName | 'custom';
  readonly grain: Step;
  readonly measure: Measure;
  /** Figure of attempts that is shown instead of a measure; undefined = none. */
  readonly figure: AttemptFigure | undefined;
  /** Seconds. */
  readonly start: number;
  readonly end: number;
}

/**
 * View that the filters select.
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
  const figure = ATTEMPT_FIGURES.find((known) => known === filters.measure);
  const measure = MEASURES.find((known) => known === filters.measure) ?? 'quota';
  const end = periodStart(nowSeconds, 'hour') + 3_600;
  const typed = { start: Number(filters.start), end: filters.end === '' ? end : Number(filters.end) };
  if (filters.start !== '' && typed.start < typed.end) {
    const grain = GRAINS.find((known) => known === filters.grain) ?? grainOf(typed.end - typed.start);
    return { span: 'custom', grain, measure, figure, ...typed };
  }
  if (asked === 'yesterday') {
    const midnight = startOfDay(nowSeconds);
    const grain = GRAINS.find((known) => known === filters.grain) ?? 'hour';
    return { span: asked, grain, measure, figure, start: dayBefore(midnight), end: midnight };
  }
  if (asked === 'today' || asked === 'thisMonth') {
    const start = asked === 'today' ? startOfDay(nowSeconds) : startOfMonth(nowSeconds);
    const grain = GRAINS.find((known) => known === filters.grain) ?? grainOf(end - start);
    return { span: asked, grain, measure, figure, start, end };
  }
  const span = asked ?? USUAL_SPAN[settings];
  const grain =
    GRAINS.find((known) => known === filters.grain) ??
    (asked === undefined ? settings : grainOf(SPANS[asked]));
  const start = end - SPANS[span];
  // A day that began before the span would be shown as less than it was.
  return { span, grain, measure, figure, start: grain === 'hour' ? start : startOfDay(start), end };
}

/** Names that use is split by beside models. */
export function partsOf(isOwn: boolean, { figure }: Pick<UseView, 'figure'>): readonly UsePart[] {
  if (figure !== undefined) return ['channel'];
  return isOwn ? ['token', ...MARKS] : ['account', 'channel', 'token', ...MARKS];
}
/** Names that callers give their calls. */
const MARKS = ['tag', 'end_user'] as const;
export type Mark = (typeof MARKS)[number];
export type UsePart = 'account' | 'channel' | 'token' | Mark;
export const isMark = (part: UsePart | 'model'): part is Mark => MARKS.some((mark) => mark === part);

/** The whole days in UTC that a view touches. */
export const inUtcDays = (view: UseView): UseView => ({
  ...view,
  grain: 'utcDay',
  start: periodStart(view.start, 'utcDay'),
  end: periodStart(view.end - 1, 'utcDay') + DAY,
});

/** Finest grain with a readable number of bars. */
function grainOf(seconds: number): Grain {
  if (seconds <= 2 * DAY) return 'hour';
  return seconds <= 60 * DAY ? 'day' : 'week';
}
