import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callForData } from '../../api/client';
import { useRefreshingMutation } from '../../api/use-refreshing-mutation';
import { selfQuery } from '../../shared/session/self';
import type { Schemas } from '../../api/schemas';

export interface ProfileChange {
  readonly username?: string;
  readonly display_name?: string;
  readonly password?: string;
  readonly original_password?: string;
}

export function useChangeSelf() {
  const client = useQueryClient();
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: (change: ProfileChange) => callForData<unknown>('PUT', '/api/user/self', { body: change }),
    onSuccess: () => client.invalidateQueries({ queryKey: selfQuery.queryKey }),
  });
}

export type SettingChange = Partial<Schemas['UserSetting']>;

/** Members that are left out stay as they are. */
export function useChangeSetting(failure?: 'inline') {
  return useRefreshingMutation(
    selfQuery.queryKey,
    (change: SettingChange) => callForData<unknown>('PUT', '/api/user/setting', { body: change }),
    failure === 'inline',
  );
}

/** Sends a notice by the stored settings. */
export function useTestNotification() {
  return useMutation({ mutationFn: () => callForData<unknown>('POST', '/api/user/setting/test') });
}

export function useRenewAccessToken() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: () => callForData<string>('POST', '/api/user/token'),
  });
}

export type SignIn = Schemas['Session'];

export const sessionsQuery = queryOptions({
  queryKey: ['personal', 'sessions'],
  queryFn: ({ signal }) => callForData<SignIn[]>('GET', '/api/user/self/sessions', { signal }),
});

export function useEndSession() {
  return useRefreshingMutation(sessionsQuery.queryKey, (id: string) =>
    callForData<unknown>('DELETE', `/api/user/self/sessions/${id}`),
  );
}

/** Ends every session but this one. */
export function useEndOtherSessions() {
  return useRefreshingMutation(sessionsQuery.queryKey, () =>
    callForData<unknown>('DELETE', '/api/user/self/sessions'),
  );
}

export function useDeleteSelf() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: (username: string) =>
      callForData<unknown>('DELETE', '/api/user/self', { body: { username } }),
  });
}

export const inviteCodeQuery = queryOptions({
  queryKey: ['personal', 'invite-code'],
  queryFn: ({ signal }) => callForData<string>('GET', '/api/user/aff', { signal }),
  staleTime: Infinity,
});

/** Moves invite earnings into the balance; `quota` is the exact integer. */
export function useTransferEarnings() {
  return useRefreshingMutation(
    selfQuery.queryKey,
    ({ quota, operationId }: { quota: number; operationId: string }) =>
      callForData<unknown>('POST', '/api/user/aff_transfer', { body: { quota, operation_id: operationId } }),
    true,
  );
}
