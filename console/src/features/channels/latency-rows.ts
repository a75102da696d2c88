import type { ChannelLatency } from './api';

export type LatencyRow = ChannelLatency['rows'][number];

/** Columns that the table sorts by. */
export const LATENCY_SORTS = [
  'model',
  'channel_name',
  'attempts',
  'first_token_p50_ms',
  'first_token_p95_ms',
  'duration_p50_ms',
  'duration_p95_ms',
  'tokens_per_second',
  'price_input',
  'price_output',
] as const;
export type LatencySort = (typeof LATENCY_SORTS)[number];

export interface LatencyOrder {
  readonly by: LatencySort;
  readonly direction: 'asc' | 'desc';
}

export const FIRST_ORDER: LatencyOrder = { by: 'attempts', direction: 'desc' };

/** Columns that begin with their largest value. */
const LARGEST_FIRST: ReadonlySet<LatencySort> = new Set(['attempts', 'tokens_per_second']);

/** Order after a press of a heading: a second press turns it round. */
export function nextOrder(order: LatencyOrder, by: LatencySort): LatencyOrder {
  if (order.by === by) return { by, direction: order.direction === 'asc' ? 'desc' : 'asc' };
  return { by, direction: LARGEST_FIRST.has(by) ? 'desc' : 'asc' };
}

/** Rows whose model or channel has the keyword in its name, in any case, in order; rows without the figure come last. */
export function latencyRows(
  rows: readonly LatencyRow[],
  keyword: string,
  { by, direction }: LatencyOrder,
): LatencyRow[] {
  const wanted = keyword.trim().toLowerCase();
  const sign = direction === 'asc' ? 1 : -1;
  return rows
    .filter(({ model, channel_name: name }) => `${model}\n${name}`.toLowerCase().includes(wanted))
    .toSorted((a, b) => {
      const [left, right] = [a[by], b[by]];
      if (left === null || right === null) return Number(left === null) - Number(right === null);
      return sign * compare(left, right);
    });
}

const compare = (left: string | number, right: string | number): number =>
  typeof left === 'number' && typeof right === 'number'
    ? left - right
    : String(left).localeCompare(String(right));
