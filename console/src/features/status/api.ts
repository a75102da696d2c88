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

export type StatusChannel = Readonly<Pick<Schemas['Channel'], 'id' | 'name' | 'status' | 'other_info'>>;

const DISABLED_AUTOMATICALLY = 3;
/** The newest channels: those of a larger installation are found in the list of channels. */
const MOST_CHANNELS = 100;

/** Channels the gateway disabled by itself. */
export const disabledChannelsQuery = queryOptions({
  queryKey: ['operations', 'disabled-channels'],
  queryFn: async ({ signal }): Promise<StatusChannel[]> => {
    const query = { p: 0, page_size: MOST_CHANNELS };
    const channels = await dataOf(api.GET('/api/channel', { params: { query }, signal }));
    return channels.filter(({ status }) => status === DISABLED_AUTOMATICALLY);
  },
  refetchInterval: 60_000,
});

/** A day of every channel, by hour. */
export const channelHealthQuery = queryOptions({
  queryKey: ['operations', 'channel-health'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/channel/health', { signal })),
  refetchInterval: REFRESH_MS * 12,
  refetchIntervalInBackground: false,
});

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

/** Acknowledges an alert. */
export function useAcknowledge() {
  return useRefreshingMutation(['operations'], (id: number) =>
    envelopeOf(api.POST('/api/operations/alerts/{id}/acknowledge', { params: { path: { id } } })),
  );
}
