import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';
import { countedFromOne, type PageRequest } from '../../api/page';
import type { Schemas } from '../../api/schemas';
import { READ_FOR_FORM, useRefreshingMutation } from '../../api/use-refreshing-mutation';

/** A redemption code as administrators see it. */
export type Redemption = Readonly<Schemas['Redemption']>;
export type CreatorSum = Readonly<Schemas['RedemptionCreatorSum']>;

/** Members of codes that an administrator sets; `count` only when they are made. */
export type RedemptionInput = Pick<Redemption, 'name' | 'quota' | 'expired_time'>;

export function redemptionsQuery({ keyword, ...page }: PageRequest & { keyword: string }) {
  return queryOptions({
    queryKey: ['redemptions', 'list', { keyword, ...page }],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/redemption/search', {
          params: { query: { keyword, ...countedFromOne(page) } },
          signal,
        }),
      ),
    placeholderData: (previous) => previous,
  });
}

export function redemptionQuery(id: number) {
  return queryOptions({
    queryKey: ['redemptions', 'one', id],
    queryFn: ({ signal }) => dataOf(api.GET('/api/redemption/{id}', { params: { path: { id } }, signal })),
    ...READ_FOR_FORM,
  });
}

/** Creators of codes with the state of their codes; root only. */
export const creatorSumsQuery = queryOptions({
  queryKey: ['redemptions', 'creators'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/redemption/creators', { signal })),
});

const useRedemptionMutation = <V, R>(mutationFn: (values: V) => Promise<R>, inline = false) =>
  useRefreshingMutation(['redemptions'], mutationFn, inline);

/** Answers the codes: all of them were made, or none. */
export function useCreateRedemptions() {
  return useRedemptionMutation(
    (body: RedemptionInput & { count: number }) => dataOf(api.POST('/api/redemption', { body })),
    true,
  );
}

export function useEditRedemption() {
  return useRedemptionMutation(
    (body: RedemptionInput & { id: number }) => dataOf(api.PUT('/api/redemption', { body })),
    true,
  );
}

export function useSwitchRedemption() {
  return useRedemptionMutation((body: { id: number; status: number }) =>
    dataOf(api.PUT('/api/redemption', { params: { query: { status_only: 'true' } }, body })),
  );
}

export function useDeleteRedemption() {
  return useRedemptionMutation((id: number) =>
    envelopeOf(api.DELETE('/api/redemption/{id}', { params: { path: { id } } })),
  );
}

/** Removes used, disabled and expired codes; answers how many, and the ids that can be restored. */
export function useDeleteInvalidRedemptions() {
  return useRedemptionMutation(() => envelopeOf(api.DELETE('/api/redemption/invalid')));
}
