import { ZonedTime } from '../../common/time-zone.js';

const DAY_SECONDS = 86_400;
const WEEK_DAYS = 7;
/** 1970-01-01 was a Thursday. */
const DAYS_FROM_MONDAY_TO_1970 = 3;
/** Hour of Monday a summary is due at, local time. */
const SENDING_HOUR_SECONDS = 8 * 3_600;

/** The last week that is over, in one time zone. */
export interface Week {
  /** Days from 1970-01-01 to its Monday: the same week has the same number in every zone. */
  readonly number: number;
  /** Seconds: start of the week before, of this week, and its end. */
  readonly previousFrom: number;
  readonly from: number;
  readonly to: number;
}

/** The last whole week, Monday to Sunday, before a moment. */
export function weekAt(zone: string, nowSeconds: number): Week {
  const local = ZonedTime.of(zone);
  const monday = mondayAt(local, nowSeconds);
  const startOf = (day: number): number => local.startOfDay(day * DAY_SECONDS);
  return {
    number: monday - WEEK_DAYS,
    previousFrom: startOf(monday - 2 * WEEK_DAYS),
    from: startOf(monday - WEEK_DAYS),
    to: startOf(monday),
  };
}

/** The next Monday, 8:00 local time, after a moment; milliseconds. */
export function nextDueMs(zone: string, nowSeconds: number): number {
  const local = ZonedTime.of(zone);
  const monday = mondayAt(local, nowSeconds);
  const dueOf = (day: number): number => local.startOfDay(day * DAY_SECONDS) + SENDING_HOUR_SECONDS;
  const due = dueOf(monday);
  return (due > nowSeconds ? due : dueOf(monday + WEEK_DAYS)) * 1_000;
}

/** The Monday of the running week as days from 1970-01-01. */
function mondayAt(local: ZonedTime, nowSeconds: number): number {
  const day = Math.floor((nowSeconds + local.offsetAt(nowSeconds)) / DAY_SECONDS);
  return day - ((day + DAYS_FROM_MONDAY_TO_1970) % WEEK_DAYS);
}
