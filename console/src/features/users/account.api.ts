import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import type { Schemas } from '../../api/schemas';
import { useRefreshingMutation } from '../../api/use-refreshing-mutation';
import { shownZone } from '../../shared/format/zone';

/** Ways to sign in to an account, its sessions and attempts; never a secret. */
export type UserSignIns = Readonly<Schemas['UserSignIns']>;
export type UserSession = UserSignIns['sessions'][number];

export function userSignInsQuery(id: number) {
  return queryOptions({
    queryKey: ['users', 'sign-ins', id],
    queryFn: ({ signal }) => dataOf(api.GET('/api/user/{id}/sign_ins', { params: { path: { id } }, signal })),
  });
}

/** Signs an account out everywhere. */
export function useEndUserSessions() {
  return useRefreshingMutation(
    ['users'],
    (id: number) => dataOf(api.DELETE('/api/user/{id}/sessions', { params: { path: { id } } })),
    true,
  );
}

/** Use of an account by day of the shown time zone. @param end  seconds, not included */
export function accountUseQuery(username: string, start: number, end: number) {
  const time_zone = shownZone();
  return queryOptions({
    queryKey: ['users', 'use', username, start, end, time_zone],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/data', {
          params: {
            query: { username, start_timestamp: start, end_timestamp: end - 1, grain: 'day', time_zone },
          },
          signal,
        }),
      ),
  });
}
