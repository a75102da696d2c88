import { UTC, ZonedTime } from '../../common/time-zone.js';
import type { LimitPeriod } from './limit-definition.js';

/** The period a moment is in, milliseconds. */
export interface Period {
  readonly startsAtMs: number;
  /** Null = never. Of a rolling limit the end of the current bucket. */
  readonly resetsAtMs: number | null;
}

/** A time zone from a moment on. */
export interface ZoneChange {
  readonly zone: string;
  readonly fromMs: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const HOUR_SECONDS = 3_600;

/** Length of a rolling period, milliseconds: a month is 30 days, a quarter 91. */
export const ROLLING_MS: Readonly<Record<Exclude<LimitPeriod, 'ever'>, number>> = {
  minute: MINUTE,
  hour: HOUR,
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  quarter: 91 * DAY,
};

/** Buckets of a rolling period. */
export const BUCKETS = 60;

/** Length of a bucket of a rolling period, milliseconds. */
export const bucketMs = (period: Exclude<LimitPeriod, 'ever'>): number => ROLLING_MS[period] / BUCKETS;

/** The bucket of a rolling period at a moment. */
export function bucketAt(period: LimitPeriod, nowMs: number): Period {
  if (period === 'ever') return EVER;
  const length = bucketMs(period);
  const startsAtMs = nowMs - (nowMs % length);
  return { startsAtMs, resetsAtMs: startsAtMs + length };
}

/** Start of the oldest bucket that counts at a moment: a bucket that the window cuts counts whole. */
export function oldestBucketAt(period: LimitPeriod, nowMs: number): number {
  if (period === 'ever') return 0;
  return bucketAt(period, nowMs).startsAtMs - ROLLING_MS[period];
}

const EVER: Period = { startsAtMs: 0, resetsAtMs: null };

/**
 * The calendar period of a moment. A changed zone holds from the end of the period in which it was changed, so that no moment is in two periods.
 * @param zones  oldest first, not empty; the first holds before its moment as well
 */
export function periodAt(period: LimitPeriod, nowMs: number, zones: readonly ZoneChange[]): Period {
  if (period === 'ever') return EVER;
  const last = zones.findLastIndex(({ fromMs }, index) => index === 0 || fromMs <= nowMs);
  const now = zones[last];
  if (now === undefined) return zonePeriodAt(period, nowMs, UTC);
  if (last === 0) return zonePeriodAt(period, nowMs, now.zone);
  const earlier = zones.slice(0, last);
  const endMs = periodAt(period, now.fromMs, earlier).resetsAtMs ?? 0;
  if (nowMs < endMs) return periodAt(period, nowMs, earlier);
  const { startsAtMs, resetsAtMs } = zonePeriodAt(period, nowMs, now.zone);
  return { startsAtMs: Math.max(startsAtMs, endMs), resetsAtMs };
}

function zonePeriodAt(period: Exclude<LimitPeriod, 'ever'>, nowMs: number, name: string): Period {
  if (period === 'minute') {
    const startsAtMs = nowMs - (nowMs % MINUTE);
    return { startsAtMs, resetsAtMs: startsAtMs + MINUTE };
  }
  const zone = ZonedTime.of(name);
  const seconds = Math.floor(nowMs / SECOND);
  if (period === 'hour') return hourAt(seconds, zone);
  const midnight = (date: number): number => zone.startOfDay(date / SECOND);
  const local = new Date((seconds + zone.offsetAt(seconds)) * SECOND);
  // If clocks are put back over midnight, the hour before it comes twice: the day that began goes on.
  for (const shift of [1, 0, -1]) {
    const [from, to] = datesOf(period, local, shift);
    const [start, end] = [midnight(from), midnight(to)];
    if (start <= seconds && seconds < end) return { startsAtMs: start * SECOND, resetsAtMs: end * SECOND };
  }
  throw new RangeError(`no ${period} of ${name} at ${nowMs}`);
}

/** An hour of the clock. When clocks are put back, the repeated hour is an hour of its own. */
function hourAt(seconds: number, zone: ZonedTime): Period {
  const offset = zone.offsetAt(seconds);
  const whole = Math.floor((seconds + offset) / HOUR_SECONDS) * HOUR_SECONDS - offset;
  const start = zone.offsetAt(whole) === offset ? whole : zone.changeBetween(whole, seconds);
  const next = whole + HOUR_SECONDS;
  const end = zone.offsetAt(next - 1) === offset ? next : zone.changeBetween(seconds, next - 1);
  return { startsAtMs: start * SECOND, resetsAtMs: end * SECOND };
}

/** First days of the period of a local date and of the next one, as if local time were UTC. */
function datesOf(
  period: 'day' | 'week' | 'month' | 'quarter',
  local: Date,
  shift: number,
): readonly [number, number] {
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
  switch (period) {
    case 'day':
      return [Date.UTC(year, month, day + shift), Date.UTC(year, month, day + shift + 1)];
    case 'week': {
      const monday = day - ((local.getUTCDay() + 6) % 7) + 7 * shift;
      return [Date.UTC(year, month, monday), Date.UTC(year, month, monday + 7)];
    }
    case 'month':
      return [Date.UTC(year, month + shift, 1), Date.UTC(year, month + shift + 1, 1)];
    case 'quarter': {
      const first = month - (month % 3) + 3 * shift;
      return [Date.UTC(year, first, 1), Date.UTC(year, first + 3, 1)];
    }
  }
}
