import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';
import { countedFromOne, type PageRequest } from '../../api/page';
import type { Schemas } from '../../api/schemas';
import { useRefreshingMutation } from '../../api/use-refreshing-mutation';

export const SECTIONS = ['channel', 'token', 'user', 'redemption'] as const;
export type Section = (typeof SECTIONS)[number];

/** A deleted row; without a key. */
export type BinItem = Readonly<Schemas['BinItem']>;
export type Identity = BinItem['identities'][number];

export function binQuery({ section, ...page }: PageRequest & { readonly section: Section }) {
  const query = countedFromOne(page);
  const read = {
    channel: (signal: AbortSignal) => dataOf(api.GET('/api/bin/channel', { params: { query }, signal })),
    token: (signal: AbortSignal) => dataOf(api.GET('/api/bin/token', { params: { query }, signal })),
    user: (signal: AbortSignal) => dataOf(api.GET('/api/bin/user', { params: { query }, signal })),
    redemption: (signal: AbortSignal) =>
      dataOf(api.GET('/api/bin/redemption', { params: { query }, signal })),
  };
  return queryOptions({
    queryKey: ['bin', section, page],
    queryFn: ({ signal }) => read[section](signal),
    placeholderData: (previous, previousQuery) =>
      previousQuery?.queryKey[1] === section ? previous : undefined,
  });
}

interface Rows {
  readonly section: Section;
  readonly ids: readonly number[];
}

/** Restores rows: all of them or none. Answers how many. */
export function useRestore() {
  return useRefreshingMutation(
    ['bin'],
    ({ section, ids }: Rows) => {
      const body = { ids: [...ids] };
      if (section === 'channel') return dataOf(api.POST('/api/bin/channel/restore', { body }));
      if (section === 'token') return dataOf(api.POST('/api/bin/token/restore', { body }));
      if (section === 'user') return dataOf(api.POST('/api/bin/user/restore', { body }));
      return dataOf(api.POST('/api/bin/redemption/restore', { body }));
    },
    true,
  );
}

/** Removes keys, or what is personal of accounts, for good. Answers how many. Accounts go one by one. */
export function useWipe() {
  return useRefreshingMutation(
    ['bin'],
    async ({ section, ids }: Rows) => {
      const body = { ids: [...ids] };
      if (section === 'channel') return dataOf(api.POST('/api/bin/channel/wipe', { body }));
      if (section === 'token') return dataOf(api.POST('/api/bin/token/wipe', { body }));
      if (section === 'redemption') return dataOf(api.POST('/api/bin/redemption/wipe', { body }));
      for (const id of ids) await envelopeOf(api.POST('/api/user/{id}/purge', { params: { path: { id } } }));
      return ids.length;
    },
    true,
  );
}

/** Takes an identity off a deregistered account; its person may then open a new one. */
export function useFreeIdentity() {
  return useRefreshingMutation(
    ['bin'],
    ({ id, provider }: { readonly id: number; readonly provider: Identity }) =>
      envelopeOf(api.DELETE('/api/user/{id}/identity/{provider}', { params: { path: { id, provider } } })),
    true,
  );
}
