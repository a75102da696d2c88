import { queryOptions, useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { callForData } from '../../api/client';
import { callWrappedPage, type PageRequest } from '../../api/page';
import type { Schemas } from '../../api/schemas';

export type User = Readonly<Schemas['User']>;

export interface UserListRequest extends PageRequest {
  readonly keyword: string;
  readonly group: string;
}

export function usersQuery({ keyword, group, ...page }: UserListRequest) {
  return queryOptions({
    queryKey: ['users', 'list', { keyword, group, ...page }],
    queryFn: ({ signal }) =>
      callWrappedPage<User>(keyword === '' && group === '' ? '/api/user/' : '/api/user/search', page, {
        query: { keyword, group },
        signal,
      }),
    placeholderData: (previous) => previous,
  });
}

export function userQuery(id: number) {
  return queryOptions({
    queryKey: ['users', 'one', id],
    queryFn: ({ signal }) => callForData<User>('GET', `/api/user/${id}`, { signal }),
    // A form is filled once; what changes meanwhile must not change under the hands of who is typing.
    staleTime: Infinity,
    gcTime: 0,
  });
}

function useUserMutation<V, R>(
  mutationFn: (values: V) => Promise<R>,
  inline = false,
): UseMutationResult<R, Error, V> {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    meta: inline ? { failure: 'inline' } : undefined,
    onSuccess: () => client.invalidateQueries({ queryKey: ['users'] }),
  });
}

export function useCreateUser() {
  return useUserMutation(
    (user: { username: string; display_name: string; password: string }) =>
      callForData<unknown>('POST', '/api/user/', { body: user }),
    true,
  );
}

export interface UserEdit {
  readonly id: number;
  readonly username: string;
  readonly display_name: string;
  readonly group: string;
  readonly quota: number;
  /** The balance the form was opened with: the server applies the difference. */
  readonly loaded_quota: number;
  readonly password?: string;
}

export function useEditUser() {
  return useUserMutation((user: UserEdit) => callForData<unknown>('PUT', '/api/user/', { body: user }), true);
}

export type UserAction = 'promote' | 'demote' | 'disable' | 'enable' | 'delete';

export function useManageUser() {
  return useUserMutation((values: { id: number; action: UserAction }) =>
    callForData<unknown>('POST', '/api/user/manage', { body: values }),
  );
}
