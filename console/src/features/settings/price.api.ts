import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';
import type { Schemas } from '../../api/schemas';
import { useFreshly } from '../../shared/identity/step-up';
import { statusQuery } from '../../shared/session/status';
import type { OptionChange } from './api';

export type PricePreview = Schemas['PricePreview'];
export type PriceVersion = Schemas['PriceVersion'];
export type PriceSync = Schemas['PriceSync'];
export type PriceDifference = PriceSync['items'][number];

/** Price documents are never removed. */
export type PriceChange = OptionChange & { readonly value: string };

/** Subject of a trial: changed options, or the prices around a version. */
export type PreviewSubject =
  | { readonly changes: PriceChange[] }
  | { readonly version_id: number; readonly to: 'before' | 'after' }
  | { readonly reset: true };

/** Effect that a change would have had on the calls of the last days. Requested again only by the reader. */
export function previewQuery(subject: PreviewSubject, days: number) {
  return queryOptions({
    queryKey: ['price-preview', subject, days],
    queryFn: ({ signal }) => dataOf(api.POST('/api/pricing/preview', { body: { ...subject, days }, signal })),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
}

const VERSIONS_AT_ONCE = 20;

/** Versions of the price list, newest first. */
export const versionsQuery = infiniteQueryOptions({
  queryKey: ['settings', 'price-versions'],
  queryFn: ({ pageParam, signal }) =>
    dataOf(
      api.GET('/api/pricing/versions', {
        params: { query: { before: pageParam, size: VERSIONS_AT_ONCE } },
        signal,
      }),
    ),
  initialPageParam: 0,
  getNextPageParam: (page) => (page.length < VERSIONS_AT_ONCE ? undefined : page.at(-1)?.id),
});

export function versionQuery(id: number) {
  return queryOptions({
    queryKey: ['settings', 'price-versions', id],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/pricing/versions/{id}', { params: { path: { id } }, signal })),
    staleTime: Infinity,
  });
}

/** Storing of a reviewed change. */
export type PriceStore =
  | { readonly kind: 'edit'; readonly changes: PriceChange[] }
  | { readonly kind: 'reset' }
  | { readonly kind: 'rollback'; readonly id: number; readonly to: 'before' | 'after' }
  | { readonly kind: 'sync'; readonly items: SyncPick[] };

export type SyncPick = Schemas['PriceSyncApply']['items'][number];

/** All of it or nothing, as one version of the price list. Fails: what the server refuses; the caller shows it. */
export function useStorePrices() {
  const client = useQueryClient();
  const freshly = useFreshly();
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: ({ store, note }: { store: PriceStore; note: string }) => freshly(() => send(store, note)),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['settings'] }),
        client.invalidateQueries({ queryKey: ['groups'] }),
        client.invalidateQueries({ queryKey: statusQuery.queryKey }),
      ]),
  });
}

function send(store: PriceStore, note: string): Promise<unknown> {
  if (store.kind === 'edit')
    return envelopeOf(api.PUT('/api/option', { body: { changes: store.changes, note } }));
  if (store.kind === 'reset') return envelopeOf(api.POST('/api/option/rest_model_ratio'));
  if (store.kind === 'sync')
    return dataOf(api.POST('/api/pricing/sync/apply', { body: { items: store.items, note } }));
  return dataOf(
    api.POST('/api/pricing/versions/{id}/rollback', {
      params: { path: { id: store.id } },
      body: { to: store.to, note },
    }),
  );
}

export interface SyncRequest {
  readonly document: string;
  readonly url: string;
  readonly providers: string[];
}

/** Changes that a published list would make. Stores nothing. */
export function useComparePrices() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: (request: SyncRequest) => dataOf(api.POST('/api/pricing/sync/diff', { body: request })),
  });
}
