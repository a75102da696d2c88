import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import { countedFromOne, type PageRequest } from '../../api/page';
import type { Schemas } from '../../api/schemas';
import { useRefreshingMutation } from '../../api/use-refreshing-mutation';

/** A token of any account as administrators see it: never its key. */
export type AdministeredToken = Readonly<Schemas['AdministeredToken']>;

export interface AdministeredTokenRequest extends PageRequest {
  /** 0 = of every account. */
  readonly userId: number;
  readonly owner: string;
  readonly prefix: string;
}

const TOKENS = ['administered-tokens'] as const;

export function administeredTokensQuery({ userId, owner, prefix, ...page }: AdministeredTokenRequest) {
  return queryOptions({
    queryKey: [...TOKENS, { userId, owner, prefix, ...page }],
    queryFn: ({ signal }) => {
      const query = { ...countedFromOne(page), user_id: userId, owner, prefix };
      return dataOf(api.GET('/api/token/all', { params: { query }, signal }));
    },
    placeholderData: (previous) => previous,
  });
}

/** The token of a whole key, which goes in the body alone. */
export function useFindToken() {
  return useRefreshingMutation(
    TOKENS,
    (key: string) => dataOf(api.POST('/api/token/find', { body: { key } })),
    true,
  );
}

export function useLockToken() {
  return useRefreshingMutation(
    TOKENS,
    ({ id, reason }: { id: number; reason: string }) =>
      dataOf(api.POST('/api/token/{id}/lock', { params: { path: { id } }, body: { reason } })),
    true,
  );
}

export function useUnlockToken() {
  return useRefreshingMutation(TOKENS, (id: number) =>
    dataOf(api.POST('/api/token/{id}/unlock', { params: { path: { id } } })),
  );
}
