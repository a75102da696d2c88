import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';
import { barePage, type PageRequest } from '../../api/page';
import type { Schemas } from '../../api/schemas';
import { READ_FOR_FORM, useRefreshingMutation } from '../../api/use-refreshing-mutation';

/** A token as its owner sees it. */
export type Token = Readonly<Schemas['Token']>;

/** The columns of a token that its owner sets. */
export type TokenInput = Pick<
  Token,
  | 'name'
  | 'expired_time'
  | 'unlimited_quota'
  | 'remain_quota'
  | 'group'
  | 'model_limits_enabled'
  | 'model_limits'
  | 'allow_ips'
  | 'tags'
  | 'needs_end_user'
>;

/** The key as clients send it. */
export function clientKey(token: Pick<Token, 'key'>): string {
  return `sk-${token.key}`;
}

/** False when the server cannot open the stored key: it was sealed under another CRYPTO_SECRET, and works no more. */
export function hasReadableKey(token: Pick<Token, 'key'>): boolean {
  return token.key !== '';
}

export interface TokenListRequest extends PageRequest {
  readonly keyword: string;
  readonly key: string;
}

export function tokensQuery(request: TokenListRequest) {
  return queryOptions({
    queryKey: ['tokens', 'list', request],
    queryFn: async ({ signal }) => {
      const { keyword, key } = request;
      return barePage<Token>(request, (p) => {
        const query = { p, size: request.pageSize };
        return keyword === '' && key === ''
          ? api.GET('/api/token', { params: { query }, signal })
          : api.GET('/api/token/search', { params: { query: { keyword, token: key, ...query } }, signal });
      });
    },
    placeholderData: (previous) => previous,
  });
}

export function tokenQuery(id: number) {
  return queryOptions({
    queryKey: ['tokens', 'one', id],
    queryFn: ({ signal }) => dataOf(api.GET('/api/token/{id}', { params: { path: { id } }, signal })),
    ...READ_FOR_FORM,
  });
}

/** Interval between two requests of the connect dialog. */
const ACTIVITY_INTERVAL_MS = 3_000;

/** The last call and the last refusal of an own token, read again every three seconds while it is shown. */
export function tokenActivityQuery(id: number) {
  return queryOptions({
    queryKey: ['token-activity', id],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/token/{id}/activity', { params: { path: { id } }, signal })),
    refetchInterval: ACTIVITY_INTERVAL_MS,
  });
}

const useTokenMutation = <V, R>(mutationFn: (values: V) => Promise<R>, inline = false) =>
  useRefreshingMutation(['tokens'], mutationFn, inline);

export interface CreatedTokens {
  readonly created: number;
  /** Id of the token, when one alone was created. */
  readonly id?: number;
  /** Why the rest was not made. */
  readonly failure?: unknown;
}

/** One call per token; stops at the first refusal and returns the number of calls before it. The first refusal of all is thrown. */
export function useCreateTokens() {
  return useTokenMutation(
    async ({ token, count }: { token: TokenInput; count: number }): Promise<CreatedTokens> => {
      for (let made = 0; made < count; made += 1) {
        const name = made === 0 ? token.name : `${token.name}-${randomSuffix()}`;
        try {
          const row = await dataOf(api.POST('/api/token', { body: { ...token, name } }));
          if (count === 1) return { created: 1, id: row.id };
        } catch (failure) {
          if (made === 0) throw failure;
          return { created: made, failure };
        }
      }
      return { created: count };
    },
    true,
  );
}

const SUFFIX_LENGTH = 6;

function randomSuffix(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
  return Array.from(
    crypto.getRandomValues(new Uint8Array(SUFFIX_LENGTH)),
    (byte) => letters[byte % letters.length],
  ).join('');
}

export function useEditToken() {
  return useTokenMutation(
    (token: TokenInput & { id: number; remain_quota_before: number }) =>
      dataOf(api.PUT('/api/token', { body: token })),
    true,
  );
}

export function useSwitchToken() {
  return useTokenMutation((values: { id: number; status: number }) =>
    dataOf(api.PUT('/api/token', { params: { query: { status_only: 'true' } }, body: values })),
  );
}

export function useDeleteToken() {
  return useTokenMutation((id: number) =>
    envelopeOf(api.DELETE('/api/token/{id}', { params: { path: { id } } })),
  );
}

export function useDeleteTokens() {
  return useTokenMutation((ids: number[]) => dataOf(api.POST('/api/token/batch', { body: { ids } })));
}
