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
 * Sums the stored quarters of an hour to hours and days of one time zone. The database does it; a day with a clock change keeps its
 * real length.
 */
export class UsageBuckets {
  private readonly zone: ZonedTime;

  constructor(
    readonly grain: UsageGrain = 'quarter',
    zone = UTC,
  ) {
    this.zone = ZonedTime.of(zone);
  }

  /** Grouping expression. `startOf` returns the start of its values. */
  sqlFor(span: UsageSpan): string {
    if (this.grain === 'quarter') return MOMENT;
    const offset = offsetSql(this.zone.offsetsBetween(span.from, span.to));
    // A day has one name on both sides of a clock change; hours are distinguished by their position on the time line.
    if (this.grain === 'day') return `${MOMENT} + ${offset} - (${MOMENT} + ${offset}) % ${DAY_SECONDS}`;
    return `${MOMENT} - (${MOMENT} + ${offset}) % ${HOUR_SECONDS}`;
  }

  /** Start of the bucket a value of `sqlFor` stands for, seconds. */
  startOf(value: number): number {
    if (this.grain === 'day') return this.zone.startOfDay(value);
    const isOnTheHour = this.grain === 'quarter' || (value + this.zone.offsetAt(value)) % HOUR_SECONDS === 0;
    // When clocks go back by half an hour, the repeated hour begins with the change.
    return isOnTheHour ? value : this.zone.changeBetween(value, value + HOUR_SECONDS);
  }

  /** Number of models or accounts that fit into `limit` rows, one row per bucket each, beside one for all others. */
  linesWithin(limit: number, { from, to }: UsageSpan): number {
    return Math.max(1, Math.floor(limit / (Math.floor((to - from) / LENGTH_SECONDS[this.grain]) + 2)) - 1);
  }

  /** The same with hours instead of quarters: used when quarters would be too many rows. */
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
