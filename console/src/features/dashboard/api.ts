import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import { dayAfter, dayBefore } from '../../shared/format/timestamp';

export interface Spending {
  readonly quota: number;
  readonly rpm: number;
  readonly tpm: number;
}

/** A span of the log: own lines, or for administrators everybody's. */
function spending(everybody: boolean, start: number, end: number, signal: AbortSignal): Promise<Spending> {
  const query = { start_timestamp: start, end_timestamp: end };
  return dataOf(api.GET(everybody ? '/api/log/stat' : '/api/log/self/stat', { params: { query }, signal }));
}

export interface DaySpending {
  /** Midnight in the shown time zone, seconds. */
  readonly day: number;
  readonly quota: number;
}

/** What yesterday and today cost: exact sums, asked of the log. */
export function twoDaysQuery(everybody: boolean, today: number) {
  return queryOptions({
    queryKey: ['dashboard', 'days', { everybody, today }],
    queryFn: async ({ signal }): Promise<{ days: DaySpending[]; now: Spending }> => {
      const starts = [dayBefore(today), today];
      const sums = await Promise.all(
        starts.map((start) => spending(everybody, start, dayAfter(start) - 1, signal)),
      );
      const days = starts.map((day, index) => ({ day, quota: sums[index]?.quota ?? 0 }));
      return { days, now: sums[sums.length - 1] ?? { quota: 0, rpm: 0, tpm: 0 } };
    },
    refetchInterval: 30_000,
  });
}

export interface RecentCall {
  readonly id: number;
  readonly created_at: number;
  readonly model_name: string;
  readonly token_name: string;
  readonly quota: number;
  readonly use_time: number;
  readonly is_stream: boolean;
  readonly request_id: string | null;
}

const CONSUMPTION = 2;
const RECENT = 6;

/** The status pages of the operator; the server reads them once a minute. */
export const statusPagesQuery = queryOptions({
  queryKey: ['dashboard', 'status-pages'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/uptime/status', { signal })),
  refetchInterval: 60_000,
});

/** The account's own latest calls. */
export const recentCallsQuery = queryOptions({
  queryKey: ['dashboard', 'recent'],
  queryFn: ({ signal }) =>
    dataOf(
      api.GET('/api/log/self', { params: { query: { type: CONSUMPTION, p: 1, page_size: RECENT } }, signal }),
    ),
  refetchInterval: 10_000,
});

export interface FirstChannels {
  readonly count: number;
  readonly tested: boolean;
  readonly names: ReadonlyMap<number, string>;
}

/** Whether there are channels and whether one was tested. Administrators only. */
export const firstChannelsQuery = queryOptions({
  queryKey: ['dashboard', 'channels'],
  queryFn: async ({ signal }): Promise<FirstChannels> => {
    const channels = await dataOf(
      api.GET('/api/channel', { params: { query: { p: 0, page_size: 100 } }, signal }),
    );
    return {
      count: channels.length,
      tested: channels.some((channel) => channel.test_time > 0),
      names: new Map(channels.map(({ id, name }) => [id, name])),
    };
  },
});

export interface FirstToken {
  readonly key: string;
  readonly status: number;
}

/** The newest usable token, for the code of a first call. */
export const firstTokenQuery = queryOptions({
  queryKey: ['dashboard', 'tokens'],
  queryFn: async ({ signal }): Promise<FirstToken | null> => {
    const tokens = await dataOf(api.GET('/api/token', { params: { query: { p: 0, size: 20 } }, signal }));
    return tokens.find((token) => token.status === 1) ?? null;
  },
});
