import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';
import { countedFromOne, type PageRequest } from '../../api/page';
import type { Schemas } from '../../api/schemas';
import { useRefreshingMutation } from '../../api/use-refreshing-mutation';

export type OperationsStatus = Readonly<Schemas['OperationsStatus']>;
export type Finding = OperationsStatus['findings'][number];
export type Instance = OperationsStatus['instances'][number];
export type Worker = Instance['workers'][number];
export type Minute = OperationsStatus['history'][number];
export type Alert = Readonly<Schemas['OperationsAlert']>;

const REFRESH_MS = 5_000;

/** Asked again every five seconds while the page is looked at; in the background it rests. */
export function operationsStatusQuery(language: string) {
  return queryOptions({
    // The sentences in it are in a language.
    queryKey: ['operations', 'status', language],
    queryFn: ({ signal }) => dataOf(api.GET('/api/operations/status', { signal })),
    refetchInterval: REFRESH_MS,
    refetchIntervalInBackground: false,
  });
}

export function alertsQuery({ state, language, ...page }: PageRequest & { state: string; language: string }) {
  return queryOptions({
    queryKey: ['operations', 'alerts', { state, language, ...page }],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/operations/alerts', { params: { query: { state, ...countedFromOne(page) } }, signal }),
      ),
    placeholderData: (previous) => previous,
    refetchInterval: REFRESH_MS * 3,
    refetchIntervalInBackground: false,
  });
}

/** Takes the database as it is, although rows that were seen of it are gone. */
export function useAcceptHistory() {
  return useRefreshingMutation(
    ['operations'],
    () => envelopeOf(api.POST('/api/operations/history/accept')),
    true,
  );
}

/** Says that somebody looks after an alert. */
export function useAcknowledge() {
  return useRefreshingMutation(['operations'], (id: number) =>
    envelopeOf(api.POST('/api/operations/alerts/{id}/acknowledge', { params: { path: { id } } })),
  );
}
