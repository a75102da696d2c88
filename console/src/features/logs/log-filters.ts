import type { LogFilters } from './api';

/** Named ranges, so that "the last hour" stays the last hour when the page is opened tomorrow. */
export const RANGES = { hour: 3_600, day: 86_400, week: 604_800, month: 2_592_000 } as const;
export type RangeName = keyof typeof RANGES;

/** Filters in the address, each with the text that means "not filtered". */
export const LOG_FILTERS = {
  type: '',
  model_name: '',
  token_name: '',
  username: '',
  channel: '',
  group: '',
  request_id: '',
  range: '',
  start: '',
  end: '',
} as const;
export type LogFilterName = keyof typeof LOG_FILTERS;

export function isRange(text: string): text is RangeName {
  return Object.hasOwn(RANGES, text);
}

/**
 * Filters for the server. A named range ends now, on a whole minute, so that a refetch within the minute asks the same.
 * @param nowSeconds  seconds since 1970
 */
export function serverFilters(
  filters: Readonly<Record<LogFilterName, string>>,
  nowSeconds: number,
): LogFilters {
  const { range, start, end, ...plain } = filters;
  const minute = Math.floor(nowSeconds / 60) * 60;
  return {
    ...plain,
    start_timestamp: isRange(range) ? String(minute - RANGES[range]) : start,
    end_timestamp: isRange(range) ? '' : end,
  };
}
