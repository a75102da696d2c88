import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';
import { countedFromOne, type PageRequest } from '../../api/page';
import type { Schemas } from '../../api/schemas';
import { READ_FOR_FORM, useRefreshingMutation } from '../../api/use-refreshing-mutation';

const USERS = ['users'] as const;

export type User = Readonly<Schemas['User']>;

export interface UserListRequest extends PageRequest {
  readonly keyword: string;
  readonly group: string;
  /** Empty = without deregistered accounts. */
  readonly deregistered: string;
  /** Column of figures, largest first; empty = the newest account first. */
  readonly sort: string;
}

/** Columns the server sorts by. */
const SORTS = ['quota', 'used_quota', 'request_count'] as const;

const shownAccounts = (deregistered: string): 'hide' | 'only' | undefined =>
  deregistered === '' ? 'hide' : deregistered === 'only' ? 'only' : undefined;

export function usersQuery({ keyword, group, deregistered, sort, ...page }: UserListRequest) {
  return queryOptions({
    queryKey: ['users', 'list', { keyword, group, deregistered, sort, ...page }],
    queryFn: ({ signal }) => {
      const query = {
        ...countedFromOne(page),
        keyword,
        group,
        deregistered: shownAccounts(deregistered),
        sort: SORTS.find((known) => known === sort),
      };
      return dataOf(api.GET('/api/user/search', { params: { query }, signal }));
    },
    placeholderData: (previous) => previous,
  });
}

export function userQuery(id: number) {
  return queryOptions({
    queryKey: ['users', 'one', id],
    queryFn: ({ signal }) => dataOf(api.GET('/api/user/{id}', { params: { path: { id } }, signal })),
    ...READ_FOR_FORM,
  });
}

export function useCreateUser() {
  return useRefreshingMutation(
    USERS,
    (user: { username: string; display_name: string; password: string }) =>
      envelopeOf(api.POST('/api/user', { body: user })),
    true,
  );
}

export interface UserEdit {
  readonly id: number;
  readonly username: string;
  readonly display_name: string;
  readonly group?: string;
  readonly quota?: number;
  /** The balance the form was opened with: the server applies the difference. */
  readonly loaded_quota?: number;
  /** Why the balance changes; stays in the books. */
  readonly reason?: string;
  readonly password?: string;
  /** Needed with a new password of one's own. */
  readonly original_password?: string;
}

export function useEditUser() {
  return useRefreshingMutation(
    USERS,
    (user: UserEdit) => envelopeOf(api.PUT('/api/user', { body: user })),
    true,
  );
}

export type UserAction = 'promote' | 'demote' | 'disable' | 'enable' | 'delete';

export function useManageUser() {
  return useRefreshingMutation(
    USERS,
    (values: { id: number; action: UserAction }) => dataOf(api.POST('/api/user/manage', { body: values })),
    true,
  );
}

export type QuotaMode = NonNullable<Schemas['UserManage']['mode']>;

export interface QuotaAdjustment {
  readonly id: number;
  readonly mode: QuotaMode;
  /** Quota; the balance itself when the mode is `override`. */
  readonly value: number;
  readonly reason: string;
  readonly operation_id: string;
}

export function useAdjustQuota() {
  return useRefreshingMutation(
    USERS,
    (adjustment: QuotaAdjustment) =>
      dataOf(api.POST('/api/user/manage', { body: { ...adjustment, action: 'add_quota' } })),
    true,
  );
}

/** Protection of an account besides its password. */
export function userFactorsQuery(id: number) {
  return queryOptions({
    queryKey: ['users', 'factors', id],
    queryFn: ({ signal }) => dataOf(api.GET('/api/user/{id}/2fa', { params: { path: { id } }, signal })),
  });
}

export type Factor = 'twoFactor' | 'passkeys';

/** Takes a factor away from a user who lost it. */
export function useResetFactor(id: number) {
  return useRefreshingMutation(
    USERS,
    (factor: Factor) =>
      envelopeOf(
        factor === 'twoFactor'
          ? api.DELETE('/api/user/{id}/2fa', { params: { path: { id } } })
          : api.DELETE('/api/user/{id}/reset_passkey', { params: { path: { id } } }),
      ),
    true,
  );
}
