import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import { dayAfter, dayBefore } from '../../shared/format/timestamp';

export interface Spending {
  readonly quota: number;
  readonly rpm: number;
  readonly tpm: number;
}

const MINUTE = 60;

/** A span of the log: the user's own lines, or for administrators those of all users. */
function spending(everybody: boolean, start: number, end: number, signal: AbortSignal): Promise<Spending> {
  const query = { start_timestamp: start, end_timestamp: end };
  return dataOf(api.GET(everybody ? '/api/log/stat' : '/api/log/self/stat', { params: { query }, signal }));
}

export interface DaySpending {
  /** Midnight in the shown time zone, seconds. */
  readonly day: number;
  readonly quota: number;
}

/** Cost of yesterday and today: exact sums from the log. */
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

/** Calls and tokens of the installation's last minute; the log of that minute alone is read. */
export const lastMinuteQuery = queryOptions({
  queryKey: ['dashboard', 'minute'],
  queryFn: ({ signal }) => {
    const now = Math.floor(Date.now() / 1_000);
    return spending(true, now - MINUTE, now, signal);
  },
  refetchInterval: 30_000,
});

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

const RECENT_CALLS = { type: CONSUMPTION, p: 1, page_size: RECENT };

/** The account's own latest calls. */
export const recentCallsQuery = queryOptions({
  queryKey: ['dashboard', 'recent'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/log/self', { params: { query: RECENT_CALLS }, signal })),
  refetchInterval: 10_000,
});

/** The latest calls of all accounts. Administrators only. */
export const allRecentCallsQuery = queryOptions({
  queryKey: ['dashboard', 'recent', 'everybody'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/log', { params: { query: RECENT_CALLS }, signal })),
  refetchInterval: 10_000,
});

export interface FirstChannels {
  readonly count: number;
  readonly tested: boolean;
  readonly names: ReadonlyMap<number, string>;
}

/** Existence of channels, and of a tested one. Administrators only. */
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
  readonly id: number;
  readonly key: string;
  readonly status: number;
}

/** The newest own tokens. */
const newestTokensQuery = queryOptions({
  queryKey: ['dashboard', 'tokens'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/token', { params: { query: { p: 0, size: 20 } }, signal })),
});

/** The newest usable token, for the code of a first call. */
export const firstTokenQuery = queryOptions({
  ...newestTokensQuery,
  select: (tokens): FirstToken | null => tokens.find((token) => token.status === 1) ?? null,
});

/** Own tokens an administrator locked; their owner can only delete them. */
export const lockedTokensQuery = queryOptions({
  ...newestTokensQuery,
  select: (tokens) => tokens.filter(({ lock }) => lock != null),
});
