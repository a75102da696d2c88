/** Time of the first query for an order without a notification. */
export const FIRST_QUERY_SECONDS = 600;
/** An unpaid order expires after a day. */
export const LIFE_SECONDS = 24 * 3_600;
/** Late payments are looked for this long. */
const ASKED_FOR_SECONDS = 48 * 3_600;
const MAX_PAUSE_SECONDS = 6 * 3_600;

/** 10, 20, 40 … minutes after the last time, at most six hours; 0 when the order is too old. */
export function nextQueryTime(createTime: number, queries: number, nowSeconds: number): number {
  const pause = Math.min(FIRST_QUERY_SECONDS * 2 ** Math.min(queries, 10), MAX_PAUSE_SECONDS);
  const next = nowSeconds + pause;
  return next > createTime + ASKED_FOR_SECONDS ? 0 : next;
}
