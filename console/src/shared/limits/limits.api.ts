import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';
import type { Schemas } from '../../api/schemas';
import { READ_FOR_FORM, useRefreshingMutation } from '../../api/use-refreshing-mutation';

export type Limit = Readonly<Schemas['Limit']>;
export type OwnLimit = Readonly<Schemas['OwnLimit']>;
export type LimitUse = Readonly<Schemas['LimitUse']>;
export type LimitScope = Limit['scope'];
export type LimitAction = Limit['action'];
export type LimitMeasure = Limit['measure'];
export type LimitPeriod = Limit['period'];
export type LimitCreate = Readonly<Schemas['LimitCreate']>;
export type LimitEdit = Readonly<Schemas['LimitEdit']>;

/** Target of a limit. */
export interface LimitTarget {
  readonly scope: LimitScope;
  readonly subject: string;
  readonly name: string;
}

/** Scopes that the reader may set limits of, and the time zone in which periods start. */
export const limitRightsQuery = queryOptions({
  queryKey: ['limits', 'rights'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/limits/rights', { signal })),
  staleTime: 60_000,
});

/** Limits that concern the reader's own calls. @param tokenId  0 = of all tokens */
export function ownLimitsQuery(tokenId = 0) {
  return queryOptions({
    queryKey: ['limits', 'own', tokenId],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/limits/self', { params: { query: { token_id: tokenId } }, signal })),
    staleTime: 10_000,
  });
}

/** Limits of one target, for administrators. */
export function targetLimitsQuery({ scope, subject }: Pick<LimitTarget, 'scope' | 'subject'>) {
  return queryOptions({
    queryKey: ['limits', 'of', scope, subject],
    queryFn: async ({ signal }) => {
      const query = { scope, subject, page_size: 100 };
      return (await dataOf(api.GET('/api/limits', { params: { query }, signal }))).items;
    },
  });
}

export function limitQuery(id: number) {
  return queryOptions({
    queryKey: ['limits', 'one', id],
    queryFn: ({ signal }) => dataOf(api.GET('/api/limits/{id}', { params: { path: { id } }, signal })),
    ...READ_FOR_FORM,
  });
}

export function limitHistoryQuery(id: number) {
  return queryOptions({
    queryKey: ['limits', 'history', id],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/limits/{id}/history', { params: { path: { id } }, signal })),
  });
}

/** Use in the running period that a new limit would start with. */
export function limitPreviewQuery(body: LimitCreate) {
  return queryOptions({
    queryKey: ['limits', 'preview', body],
    queryFn: ({ signal }) => dataOf(api.POST('/api/limits/preview', { body, signal })),
    retry: false,
    staleTime: 30_000,
  });
}

const useLimitMutation = <V, R>(mutationFn: (values: V) => Promise<R>, inline = false) =>
  useRefreshingMutation(['limits'], mutationFn, inline);

export const useCreateLimit = () =>
  useLimitMutation((body: LimitCreate) => dataOf(api.POST('/api/limits', { body })), true);

export const useEditLimit = () =>
  useLimitMutation(
    ({ id, ...body }: LimitEdit & { id: number }) =>
      envelopeOf(api.PUT('/api/limits/{id}', { params: { path: { id } }, body })),
    true,
  );

/** Enables or disables a limit; a failure is a toast. */
export const useSwitchLimit = () =>
  useLimitMutation(({ id, enabled }: { id: number; enabled: boolean }) =>
    envelopeOf(api.PUT('/api/limits/{id}', { params: { path: { id } }, body: { enabled } })),
  );

export const useDeleteLimit = () =>
  useLimitMutation((id: number) => envelopeOf(api.DELETE('/api/limits/{id}', { params: { path: { id } } })));

export const useOverrideLimit = () =>
  useLimitMutation(
    ({ id, ...body }: { id: number; amount: number; reason: string }) =>
      envelopeOf(api.PUT('/api/limits/{id}/override', { params: { path: { id } }, body })),
    true,
  );

export const useEndOverride = () =>
  useLimitMutation((id: number) =>
    envelopeOf(api.DELETE('/api/limits/{id}/override', { params: { path: { id } } })),
  );

export const useResetLimit = () =>
  useLimitMutation(
    ({ id, ...body }: { id: number; value: string; reason: string }) =>
      envelopeOf(api.POST('/api/limits/{id}/reset', { params: { path: { id } }, body })),
    true,
  );
