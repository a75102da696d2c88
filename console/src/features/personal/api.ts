import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callForData } from '../../api/client';
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

export function useChangeSetting() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (setting: Readonly<Record<string, unknown>>) =>
      callForData<unknown>('PUT', '/api/user/setting', { body: setting }),
    onSettled: () => client.invalidateQueries({ queryKey: selfQuery.queryKey }),
  });
}

export function useRenewAccessToken() {
  return useMutation({ mutationFn: () => callForData<string>('GET', '/api/user/token') });
}

export type SignIn = Schemas['Session'];

export const sessionsQuery = queryOptions({
  queryKey: ['personal', 'sessions'],
  queryFn: ({ signal }) => callForData<SignIn[]>('GET', '/api/user/self/sessions', { signal }),
});

export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callForData<unknown>('DELETE', `/api/user/self/sessions/${id}`),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

export function useDeleteSelf() {
  return useMutation({
    mutationFn: (username: string) =>
      callForData<unknown>('DELETE', '/api/user/self', { body: { username } }),
  });
}
