import { isRange, rangeStart } from '../../shared/format/timestamp';
import type { LogFilters } from './api';

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

/**
 * Filters for the server. A named range ends now.
 * @param nowSeconds  seconds since 1970
 */
export function serverFilters(
  filters: Readonly<Record<LogFilterName, string>>,
  nowSeconds: number,
): LogFilters {
  const { range, start, end, ...plain } = filters;
  return {
    ...plain,
    start_timestamp: isRange(range) ? rangeStart(range, nowSeconds) : start,
    end_timestamp: isRange(range) ? '' : end,
  };
}
