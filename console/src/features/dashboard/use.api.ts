import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import type { Schemas } from '../../api/schemas';
import { shownZone } from '../../shared/format/zone';

/** Use of one hour or day, by model or by account. */
export type Use = Schemas['Use'];
export type ChannelHealth = Schemas['ChannelHealth'];

/** Whose use: the own, everybody's, or that of one account. */
export type UseScope =
  | { readonly who: 'self' }
  | { readonly who: 'everybody'; readonly by: 'model' | 'account' }
  | { readonly who: 'account'; readonly username: string };

const REFRESH_MS = 60_000;

/** What is summed up, and of when: seconds, the end not included. */
export interface UseSpan {
  readonly start: number;
  readonly end: number;
  readonly grain: 'hour' | 'day';
}

/** Figures of a span by hours or days of the shown time zone. @param refreshMs  after which they are read again */
export function useOfSpanQuery(scope: UseScope, { start, end, grain }: UseSpan, refreshMs: number) {
  const zone = shownZone();
  return queryOptions({
    queryKey: ['dashboard', 'use', scope, start, end, grain, zone],
    queryFn: ({ signal }): Promise<Use[]> => {
      const query = { start_timestamp: start, end_timestamp: end - 1, grain, time_zone: zone };
      if (scope.who === 'self') return dataOf(api.GET('/api/data/self', { params: { query }, signal }));
      if (scope.who === 'everybody' && scope.by === 'account')
        return dataOf(api.GET('/api/data/users', { params: { query }, signal }));
      const username = scope.who === 'account' ? scope.username : undefined;
      return dataOf(api.GET('/api/data', { params: { query: { ...query, username } }, signal }));
    },
    placeholderData: (previous) => previous,
    refetchInterval: refreshMs,
  });
}

/** Calls and failures of every channel in the last 24 hours. */
export const healthQuery = queryOptions({
  queryKey: ['dashboard', 'health'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/channel/health', { signal })),
  refetchInterval: REFRESH_MS,
});
