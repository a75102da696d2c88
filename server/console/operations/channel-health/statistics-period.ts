import type { ChannelStatisticsQuery } from '../dto/channel-health.dto.js';

const DAY_SECONDS = 86_400;
/** Longest period of one answer. */
const MAX_DAYS = 366;
/** Lengths of a bucket in seconds, and the longest period in days that each is used for. */
const BUCKETS: readonly (readonly [bucketSeconds: number, days: number])[] = [
  [900, 1],
  [3_600, 7],
  [21_600, 31],
];

/**
 * Period of an answer in seconds, at most 366 days; the last 24 hours where the query names none. It begins with a whole bucket: a part of
 * one would look like a fall.
 */
export function periodOf(
  query: ChannelStatisticsQuery,
  nowSeconds: number,
): { readonly from: number; readonly to: number; readonly bucketSeconds: number } {
  const to = Math.min(query.end_timestamp ?? nowSeconds, nowSeconds);
  const wanted = Math.min(query.start_timestamp ?? to - DAY_SECONDS, to);
  const start = Math.max(wanted, to - MAX_DAYS * DAY_SECONDS);
  const days = (to - start) / DAY_SECONDS;
  const bucketSeconds = BUCKETS.find(([, longest]) => days <= longest)?.[0] ?? DAY_SECONDS;
  return { from: start - (start % bucketSeconds), to, bucketSeconds };
}
