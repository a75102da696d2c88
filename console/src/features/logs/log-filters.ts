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
  tag: '',
  end_user: '',
  failed_attempt: '',
  range: '',
  start: '',
  end: '',
  sort: '',
} as const;
export type LogFilterName = keyof typeof LOG_FILTERS;

/** Order is no filter: it leaves no line out. */
export const NARROWING = [
  'type',
  'model_name',
  'token_name',
  'username',
  'channel',
  'group',
  'request_id',
  'tag',
  'end_user',
  'failed_attempt',
  'range',
  'start',
  'end',
] as const satisfies readonly LogFilterName[];
export type NarrowingName = (typeof NARROWING)[number];

/** Type in the address that shows every line; without one, answered and failed calls are shown. */
export const EVERY_LINE = 'all';

/** Columns the server sorts by. */
export const LOG_SORTS = ['quota', 'use_time'] as const;

/**
 * Filters for the server. A named range ends now.
 * @param nowSeconds  seconds since 1970
 * @param accountId  lines of this account alone; 0 = of every one
 */
export function serverFilters(
  filters: Readonly<Record<LogFilterName, string>>,
  nowSeconds: number,
  accountId = 0,
): LogFilters {
  const { range, start, end, type, ...plain } = filters;
  return {
    ...plain,
    user_id: accountId === 0 ? '' : String(accountId),
    type: type === EVERY_LINE ? '' : type,
    kind: type === '' ? 'calls' : '',
    start_timestamp: isRange(range) ? rangeStart(range, nowSeconds) : start,
    end_timestamp: isRange(range) ? '' : end,
  };
}
