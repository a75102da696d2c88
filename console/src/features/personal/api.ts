import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';
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
    mutationFn: (change: ProfileChange) => envelopeOf(api.PUT('/api/user/self', { body: change })),
    onSuccess: () => client.invalidateQueries({ queryKey: selfQuery.queryKey }),
  });
}

export type SettingChange = Partial<Schemas['UserSetting']>;

/** Members that are left out stay as they are. */
export function useChangeSetting(failure?: 'inline') {
  return useRefreshingMutation(
    selfQuery.queryKey,
    (change: SettingChange) => envelopeOf(api.PUT('/api/user/setting', { body: change })),
    failure === 'inline',
  );
}

/** Sends a notice by the stored settings. */
export function useTestNotification() {
  return useMutation({ mutationFn: () => envelopeOf(api.POST('/api/user/setting/test')) });
}

export function useRenewAccessToken() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: () => dataOf(api.POST('/api/user/token')),
  });
}

export type SignIn = Schemas['Session'];

export const sessionsQuery = queryOptions({
  queryKey: ['personal', 'sessions'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/user/self/sessions', { signal })),
});

export function useEndSession() {
  return useRefreshingMutation(sessionsQuery.queryKey, (id: string) =>
    envelopeOf(api.DELETE('/api/user/self/sessions/{id}', { params: { path: { id } } })),
  );
}

/** Ends every session but this one. */
export function useEndOtherSessions() {
  return useRefreshingMutation(sessionsQuery.queryKey, () => dataOf(api.DELETE('/api/user/self/sessions')));
}

export function useDeleteSelf() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: (username: string) => envelopeOf(api.DELETE('/api/user/self', { body: { username } })),
  });
}

export const inviteCodeQuery = queryOptions({
  queryKey: ['personal', 'invite-code'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/user/aff', { signal })),
  staleTime: Infinity,
});

/** Moves invite earnings into the balance; `quota` is the exact integer. */
export function useTransferEarnings() {
  return useRefreshingMutation(
    selfQuery.queryKey,
    ({ quota, operationId }: { quota: number; operationId: string }) =>
      envelopeOf(api.POST('/api/user/aff_transfer', { body: { quota, operation_id: operationId } })),
    true,
  );
}
