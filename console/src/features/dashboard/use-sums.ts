import { startOfDay, weekdayOf } from '../../shared/format/timestamp';
import { offsetAt } from '../../shared/format/zone';

export const GRAINS = ['hour', 'day', 'week'] as const;
export type Grain = (typeof GRAINS)[number];
/** Length of a period; tags and end users are summed by whole days in UTC. */
export type Step = Grain | 'utcDay';
export const MEASURES = ['quota', 'count', 'token_used'] as const;
export type Measure = (typeof MEASURES)[number];

/** Sums of a quarter of an hour, an hour or a day. */
export interface Use {
  readonly created_at: number;
  readonly count: number;
  readonly quota: number;
  readonly token_used: number;
  readonly filters?: Readonly<Record<string, string>>;
}

export type Sums = Readonly<Record<Measure, number>>;

/** One name over the whole span. */
export interface UseLine extends Sums {
  readonly name: string;
  /** Filters of the usage log for these calls; undefined = several names together. */
  readonly filters?: Readonly<Record<string, string>> | undefined;
  /** One entry per period, in the order of `periods`. */
  readonly periods: readonly Sums[];
}

export interface UseTable {
  /** Starts of the periods, local, seconds. */
  readonly periods: readonly number[];
  /** Largest first by the measure asked for. */
  readonly lines: readonly UseLine[];
  readonly total: Sums;
}

const NOTHING: Sums = { quota: 0, count: 0, token_used: 0 };
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const WEEK_DAYS = 7;

/** Sums by period and name, from `start` to before `end`. Hours, days and weeks are those of the shown time zone, weeks begin on Monday. */
export function sumUse<Row extends Use>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  grain: Step,
  span: { readonly start: number; readonly end: number },
  measure: Measure,
): UseTable {
  const periods = periodsOf(span.start, span.end, grain);
  const places = new Map(periods.map((period, index) => [period, index]));
  const lines = new Map<string, { sums: Sums; periods: Sums[]; filters: Row['filters'] }>();
  let total = NOTHING;
  for (const row of rows) {
    const place = places.get(periodStart(row.created_at, grain));
    if (place === undefined) continue;
    const name = nameOf(row);
    const line = lines.get(name) ?? {
      sums: NOTHING,
      periods: periods.map(() => NOTHING),
      filters: row.filters,
    };
    line.sums = add(line.sums, row);
    line.periods[place] = add(line.periods[place] ?? NOTHING, row);
    lines.set(name, line);
    total = add(total, row);
  }
  const sorted = [...lines]
    .map(([name, line]) => ({ name, ...line.sums, filters: line.filters, periods: line.periods }))
    .toSorted((left, right) => right[measure] - left[measure] || (left.name < right.name ? -1 : 1));
  return { periods, lines: sorted, total };
}

/** The largest lines, the rest as one: with what the server summed up under that name already. */
export function foldLines(lines: readonly UseLine[], shown: number, otherName: string): readonly UseLine[] {
  const named = lines.filter(({ name }) => name !== otherName);
  const rest = [...named.slice(shown), ...lines.filter(({ name }) => name === otherName)];
  if (rest.length === 0) return lines;
  const periods = rest[0]?.periods.map((_sums, index) =>
    rest.reduce((sum, line) => add(sum, line.periods[index] ?? NOTHING), NOTHING),
  );
  const sums = rest.reduce<Sums>((sum, line) => add(sum, line), NOTHING);
  return [...named.slice(0, shown), { name: otherName, ...sums, periods: periods ?? [] }];
}

function add(left: Sums, right: Sums): Sums {
  return {
    quota: left.quota + right.quota,
    count: left.count + right.count,
    token_used: left.token_used + right.token_used,
  };
}

export function periodStart(seconds: number, grain: Step): number {
  if (grain === 'utcDay') return seconds - (seconds % DAY_SECONDS);
  if (grain === 'hour') return seconds - ((seconds + offsetAt(seconds)) % HOUR_SECONDS);
  const day = startOfDay(seconds);
  if (grain === 'day') return day;
  const sinceMonday = (weekdayOf(day) + WEEK_DAYS - 1) % WEEK_DAYS;
  // Noon is taken first, so that clock changes shift no day.
  return startOfDay(day + DAY_SECONDS / 2 - sinceMonday * DAY_SECONDS);
}

export function periodsOf(start: number, end: number, grain: Step): number[] {
  const length = {
    hour: HOUR_SECONDS,
    day: DAY_SECONDS,
    week: WEEK_DAYS * DAY_SECONDS,
    utcDay: DAY_SECONDS,
  }[grain];
  const periods: number[] = [];
  let period = periodStart(start, grain);
  while (period < end) {
    periods.push(period);
    const middle = grain === 'hour' ? 0 : DAY_SECONDS / 2;
    period = periodStart(period + length + middle, grain);
  }
  return periods;
}
