import { queryOptions } from '@tanstack/react-query';
import { callForData } from '../../api/client';
import type { ApiPath } from '../../api/schemas';
import type { Schemas } from '../../api/schemas';

/** Use of one hour, by model or by account. */
export type HourlyUse = Schemas['HourlyUse'];
export type ChannelHealth = Schemas['ChannelHealth'];

/** Whose use: the own, everybody's, or that of one account. */
export type UseScope =
  | { readonly who: 'self' }
  | { readonly who: 'everybody'; readonly by: 'model' | 'account' }
  | { readonly who: 'account'; readonly username: string };

const REFRESH_MS = 60_000;

/** Hourly figures of a span, seconds. */
export function hourlyUseQuery(scope: UseScope, start: number, end: number) {
  return queryOptions({
    queryKey: ['dashboard', 'use', scope, start, end],
    queryFn: ({ signal }) =>
      callForData<HourlyUse[]>('GET', pathOf(scope), {
        query: {
          start_timestamp: start,
          end_timestamp: end,
          username: scope.who === 'account' ? scope.username : undefined,
        },
        signal,
      }),
    placeholderData: (previous) => previous,
    refetchInterval: REFRESH_MS,
  });
}

function pathOf(scope: UseScope): ApiPath {
  if (scope.who === 'self') return '/api/data/self';
  return scope.who === 'everybody' && scope.by === 'account' ? '/api/data/users' : '/api/data/';
}

/** Calls and failures of every channel in the last 24 hours. */
export const healthQuery = queryOptions({
  queryKey: ['dashboard', 'health'],
  queryFn: ({ signal }) => callForData<ChannelHealth>('GET', '/api/channel/health', { signal }),
  refetchInterval: REFRESH_MS,
});
