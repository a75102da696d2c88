import { queryOptions } from '@tanstack/react-query';
import { callForData } from '../../api/client';
import { callWrappedPage, type PageRequest } from '../../api/page';
import type { Schemas } from '../../api/schemas';
import { READ_FOR_FORM, useRefreshingMutation } from '../../api/use-refreshing-mutation';

/** A redemption code as administrators see it. */
export type Redemption = Readonly<Schemas['Redemption']>;
export type CreatorSum = Readonly<Schemas['RedemptionCreatorSum']>;

/** What an administrator decides about codes; `count` only when they are made. */
export type RedemptionInput = Pick<Redemption, 'name' | 'quota' | 'expired_time'>;

export function redemptionsQuery({ keyword, ...page }: PageRequest & { keyword: string }) {
  return queryOptions({
    queryKey: ['redemptions', 'list', { keyword, ...page }],
    queryFn: ({ signal }) =>
      keyword === ''
        ? callWrappedPage<Redemption>('/api/redemption/', page, { signal })
        : callWrappedPage<Redemption>('/api/redemption/search', page, { query: { keyword }, signal }),
    placeholderData: (previous) => previous,
  });
}

export function redemptionQuery(id: number) {
  return queryOptions({
    queryKey: ['redemptions', 'one', id],
    queryFn: ({ signal }) => callForData<Redemption>('GET', `/api/redemption/${id}`, { signal }),
    ...READ_FOR_FORM,
  });
}

/** Who made codes, and what became of them; root only. */
export const creatorSumsQuery = queryOptions({
  queryKey: ['redemptions', 'creators'],
  queryFn: ({ signal }) => callForData<CreatorSum[]>('GET', '/api/redemption/creators', { signal }),
});

const useRedemptionMutation = <V, R>(mutationFn: (values: V) => Promise<R>, inline = false) =>
  useRefreshingMutation(['redemptions'], mutationFn, inline);

/** Answers the codes: all of them were made, or none. */
export function useCreateRedemptions() {
  return useRedemptionMutation(
    (body: RedemptionInput & { count: number }) =>
      callForData<string[]>('POST', '/api/redemption/', { body }),
    true,
  );
}

export function useEditRedemption() {
  return useRedemptionMutation(
    (body: RedemptionInput & { id: number }) => callForData<unknown>('PUT', '/api/redemption/', { body }),
    true,
  );
}

export function useSwitchRedemption() {
  return useRedemptionMutation((body: { id: number; status: number }) =>
    callForData<unknown>('PUT', '/api/redemption/', { query: { status_only: true }, body }),
  );
}

export function useDeleteRedemption() {
  return useRedemptionMutation((id: number) => callForData<unknown>('DELETE', `/api/redemption/${id}`));
}

/** Removes used, disabled and expired codes; answers how many. */
export function useDeleteInvalidRedemptions() {
  return useRedemptionMutation(() => callForData<number>('DELETE', '/api/redemption/invalid'));
}
