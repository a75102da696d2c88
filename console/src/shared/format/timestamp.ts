import { momentOfWall, offsetAt, wallClock } from './zone';

const DAY_SECONDS = 86_400;
/** Dates end here. */
const LAST_SECOND = 8_000_000_000_000;

/** Time in the shown zone, second by second, sortable: 2026-11-21 09:05:03. Empty for what is no moment. */
export function formatSeconds(seconds: number): string {
  if (!(Math.abs(seconds) < LAST_SECOND)) return '';
  return wallClock(seconds).toISOString().slice(0, 19).replace('T', ' ');
}

/** A text with a space between a figure and a Chinese character, as all texts of the console have it: `2 分钟前`. */
export const spacedFigures = (text: string): string => text.replace(/(\d)(?=\p{Script=Han})/gu, '$1 ');

const STEPS: readonly { unit: Intl.RelativeTimeFormatUnit; seconds: number }[] = [
  { unit: 'year', seconds: 31_536_000 },
  { unit: 'month', seconds: 2_592_000 },
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
];

/** "3 minutes ago", "in 2 days"; undefined for less than a minute. */
export function formatRelative(seconds: number, nowSeconds: number, language: string): string | undefined {
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  const difference = seconds - nowSeconds;
  for (const step of STEPS) {
    if (Math.abs(difference) >= step.seconds)
      // 30 days are "in 30 days" a second later, too; past hours count when they are full.
      return spacedFigures(
        words.format((difference > 0 ? Math.round : Math.trunc)(difference / step.seconds), step.unit),
      );
  }
  return undefined;
}

/** A moment as `2026-11-21T09:05` in the shown zone; empty for none. */
export function toInputTime(seconds: number | undefined): string {
  return seconds === undefined ? '' : formatSeconds(seconds).replace(' ', 'T').slice(0, 16);
}

/** Seconds of such a text; undefined when it is no date. */
export function fromInputTime(value: string): number | undefined {
  const milliseconds = Date.parse(`${value}Z`);
  return Number.isNaN(milliseconds) ? undefined : momentOfWall(Math.floor(milliseconds / 1000));
}

/** The form of a moment in fields: 2026-11-21 09:05. Empty for none. */
export const writtenTime = (seconds: number | undefined): string => toInputTime(seconds).replace('T', ' ');

const WRITTEN = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:T| +)(\d{1,2})[:：](\d{2})$/;

/** Seconds of a written moment, also with slashes or dots, or without zeros before; undefined when it is none. */
export function readWrittenTime(text: string): number | undefined {
  const [, year, ...rest] = WRITTEN.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  const [month, day, hour, minute] = rest.map((part) => part.padStart(2, '0'));
  const date = `${year}-${month}-${day}`;
  const seconds = fromInputTime(`${date}T${hour}:${minute}`);
  // A 31 February would be taken for a day in March.
  return seconds !== undefined && new Date(`${date}T00:00Z`).toISOString().startsWith(date)
    ? seconds
    : undefined;
}

/** Midnight of the day that holds the moment, in the shown zone. */
export function startOfDay(seconds: number): number {
  const wall = seconds + offsetAt(seconds);
  return momentOfWall(Math.floor(wall / DAY_SECONDS) * DAY_SECONDS);
}

/** Midnight of the first day of a month in the shown time zone. */
export function startOfMonth(seconds: number): number {
  const day = startOfDay(seconds);
  const date = wallClock(day).getUTCDate();
  // Noon is taken first, so that clock changes shift no day.
  return startOfDay(day + DAY_SECONDS / 2 - (date - 1) * DAY_SECONDS);
}

/** The midnight before, and the one after. Noon is taken first, so that clock changes shift no day. */
export const dayBefore = (midnight: number): number => startOfDay(midnight - DAY_SECONDS / 2);
export const dayAfter = (midnight: number): number => startOfDay(midnight + DAY_SECONDS * 1.5);

/** 0 = Sunday. */
export const weekdayOf = (seconds: number): number => wallClock(seconds).getUTCDay();

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
