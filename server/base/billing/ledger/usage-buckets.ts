import { type OffsetSpan, UTC, ZonedTime } from '../../../common/time-zone.js';

export const USAGE_GRAINS = ['quarter', 'hour', 'day'] as const;
export type UsageGrain = (typeof USAGE_GRAINS)[number];

export interface UsageSpan {
  /** Seconds, inclusive. */
  readonly from: number;
  readonly to: number;
}

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const LENGTH_SECONDS: Readonly<Record<UsageGrain, number>> = {
  quarter: 900,
  hour: HOUR_SECONDS,
  day: DAY_SECONDS,
};
const MOMENT = '"q"."created_at"';

/**
 * How the quarters of an hour that are stored are summed up: hours and days of one time zone. The database does it; a day of its clocks'
 * change is as long as it is.
 */
export class UsageBuckets {
  private readonly zone: ZonedTime;

  constructor(
    readonly grain: UsageGrain = 'quarter',
    zone = UTC,
  ) {
    this.zone = ZonedTime.of(zone);
  }

  /** What is grouped by. Its values are named by `startOf`. */
  sqlFor(span: UsageSpan): string {
    if (this.grain === 'quarter') return MOMENT;
    const offset = offsetSql(this.zone.offsetsBetween(span.from, span.to));
    // A day has one name on both sides of a change of clocks; an hour is told by its place on the line of time.
    if (this.grain === 'day') return `${MOMENT} + ${offset} - (${MOMENT} + ${offset}) % ${DAY_SECONDS}`;
    return `${MOMENT} - (${MOMENT} + ${offset}) % ${HOUR_SECONDS}`;
  }

  /** Start of the bucket a value of `sqlFor` stands for, seconds. */
  startOf(value: number): number {
    if (this.grain === 'day') return this.zone.startOfDay(value);
    const isOnTheHour = this.grain === 'quarter' || (value + this.zone.offsetAt(value)) % HOUR_SECONDS === 0;
    // Where clocks change by half an hour, the hour they are put back into begins with the change.
    return isOnTheHour ? value : this.zone.changeBetween(value, value + HOUR_SECONDS);
  }

  /** How many models or accounts fit into so many rows, one row a bucket each, beside one for all others. */
  linesWithin(limit: number, { from, to }: UsageSpan): number {
    return Math.max(1, Math.floor(limit / (Math.floor((to - from) / LENGTH_SECONDS[this.grain]) + 2)) - 1);
  }

  /** The same with hours instead of quarters: what is asked for where quarters would be too many rows. */
  coarser(): UsageBuckets | undefined {
    return this.grain === 'quarter' ? new UsageBuckets('hour', this.zone.name) : undefined;
  }
}

function offsetSql(spans: readonly OffsetSpan[]): string {
  const last = spans.at(-1)?.offset ?? 0;
  if (spans.length <= 1) return String(last);
  const cases = spans
    .slice(0, -1)
    .map(({ offset }, index) => `WHEN ${MOMENT} < ${spans[index + 1]?.from ?? 0} THEN ${offset}`);
  return `(CASE ${cases.join(' ')} ELSE ${last} END)`;
}
