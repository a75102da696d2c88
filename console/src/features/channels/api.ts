import { queryOptions, useMutation } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';
import { barePage, type PageRequest } from '../../api/page';
import type { Schemas } from '../../api/schemas';
import { READ_FOR_FORM, useRefreshingMutation } from '../../api/use-refreshing-mutation';

/** A channel as administrators see it; the key is never sent. */
export type Channel = Readonly<Schemas['Channel']>;

/** One kind of upstream, with what its form asks for. */
export type ChannelType = Readonly<Schemas['ChannelType']>;

export const channelTypesQuery = queryOptions({
  queryKey: ['channels', 'types'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/channel/types', { signal })),
  staleTime: Infinity,
});

/** One vendor or program that is stored as a channel of another type. */
export type ChannelPreset = Readonly<Schemas['ChannelPreset']>;

export const channelPresetsQuery = queryOptions({
  queryKey: ['channels', 'presets'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/channel/presets', { signal })),
  staleTime: Infinity,
});

export type ChannelKey = Readonly<Schemas['ChannelKey']>;
export type ChannelKeyList = Readonly<Schemas['ChannelKeyList']>;

export type KeyAction =
  | { readonly action: 'enable_key' | 'disable_key' | 'delete_key'; readonly key_index: number }
  | { readonly action: 'enable_all_keys' | 'disable_all_keys' | 'delete_disabled_keys' };

/** Most keys a channel may have. */
const ALL_KEYS = 1_000;

const manageKeys = (
  channelId: number,
  wish: KeyAction | { action: 'get_key_status' },
  signal?: AbortSignal,
) =>
  dataOf(
    api.POST('/api/channel/multi_key/manage', {
      body: { channel_id: channelId, page_size: ALL_KEYS, ...wish },
      signal,
    }),
  );

export function channelKeysQuery(channelId: number) {
  return queryOptions({
    queryKey: ['channels', 'keys', channelId],
    queryFn: ({ signal }) => manageKeys(channelId, { action: 'get_key_status' }, signal),
  });
}

export function useKeyAction(channelId: number) {
  return useChannelMutation((wish: KeyAction) => manageKeys(channelId, wish));
}

export interface ChannelListRequest extends PageRequest {
  readonly keyword: string;
  readonly group: string;
  readonly model: string;
  readonly idSort: boolean;
  readonly tagMode: boolean;
}

/** A page of channels, or in tag mode the channels of a page of tags. */
export function channelsQuery(request: ChannelListRequest) {
  return queryOptions({
    queryKey: ['channels', 'list', request],
    queryFn: async ({ signal }) => {
      const { keyword, group, model, idSort, tagMode } = request;
      const order = { id_sort: idSort, tag_mode: tagMode };
      const searching = keyword !== '' || group !== '' || model !== '';
      return barePage<Channel>(request, (p) => {
        const query = { ...order, p, page_size: request.pageSize };
        return searching
          ? api.GET('/api/channel/search', { params: { query: { keyword, group, model, ...query } }, signal })
          : api.GET('/api/channel', { params: { query }, signal });
      });
    },
    placeholderData: (previous) => previous,
  });
}

export function channelQuery(id: number) {
  return queryOptions({
    queryKey: ['channels', 'one', id],
    queryFn: ({ signal }) => dataOf(api.GET('/api/channel/{id}', { params: { path: { id } }, signal })),
    ...READ_FOR_FORM,
  });
}

const NAMES_PAGE = 100;
/** Pages read for all names; names behind them may repeat. */
const MAX_NAME_PAGES = 50;

/** Names that channels have, for one that is free. @param pages  most pages of 100 to read */
export async function channelNames(pages = 1, signal?: AbortSignal): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (let p = 0; p < pages; p += 1) {
    const query = { p, page_size: NAMES_PAGE };
    const channels = await dataOf(api.GET('/api/channel', { params: { query }, signal }));
    for (const { name } of channels) names.add(name);
    if (channels.length < NAMES_PAGE) break;
  }
  return names;
}

export const channelNamesQuery = queryOptions({
  queryKey: ['channels', 'names'],
  queryFn: ({ signal }) => channelNames(1, signal),
});

export const allChannelNamesQuery = queryOptions({
  queryKey: ['channels', 'names', 'all'],
  queryFn: ({ signal }) => channelNames(MAX_NAME_PAGES, signal),
});

/** 24 hours of every channel, hour by hour. */
export type ChannelHealth = Schemas['ChannelHealth'];

const HEALTH_REFRESH_MS = 60_000;

export const channelHealthQuery = queryOptions({
  queryKey: ['channels', 'health'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/channel/health', { signal })),
  staleTime: 15_000,
  refetchInterval: HEALTH_REFRESH_MS,
});

export type ChannelStatistics = Readonly<Schemas['ChannelStatistics']>;

/** Lengths of a period in seconds. */
export const PERIODS = { day: 86_400, week: 604_800, month: 2_592_000, quarter: 7_776_000 } as const;
export type PeriodName = keyof typeof PERIODS;

const STATISTICS_REFRESH_MS = 60_000;

/** Attempts at one channel over a period that ends now. */
export function channelStatisticsQuery(id: number, period: PeriodName) {
  return queryOptions({
    queryKey: ['channels', 'statistics', id, period],
    queryFn: ({ signal }) => {
      const query = { start_timestamp: Math.floor(Date.now() / 1_000) - PERIODS[period] };
      return dataOf(api.GET('/api/channel/health/{id}', { params: { path: { id }, query }, signal }));
    },
    placeholderData: (previous) => previous,
    refetchInterval: STATISTICS_REFRESH_MS,
  });
}

export type ChannelLatency = Readonly<Schemas['ChannelLatency']>;

/** Times and prices of models by channel over a period that ends now. */
export function channelLatencyQuery(period: PeriodName) {
  return queryOptions({
    queryKey: ['channels', 'latency', period],
    queryFn: ({ signal }) => {
      const query = { start_timestamp: Math.floor(Date.now() / 1_000) - PERIODS[period] };
      return dataOf(api.GET('/api/channel/latency', { params: { query }, signal }));
    },
    placeholderData: (previous) => previous,
    refetchInterval: STATISTICS_REFRESH_MS,
  });
}

/** Usual model names per type code. */
export const typeModelsQuery = queryOptions({
  queryKey: ['channels', 'type-models'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/models', { signal })),
  staleTime: Infinity,
});

/** Every model name the gateway knows, for suggestions. */
export const knownModelsQuery = queryOptions({
  queryKey: ['channels', 'known-models'],
  queryFn: async ({ signal }) => {
    const models = await dataOf(api.GET('/api/channel/models', { signal }));
    return [...new Set(models.map((model) => model.id))].toSorted();
  },
  staleTime: Infinity,
});

export type JobName = 'test' | 'balance';

const JOB_POLL_MS = 1_500;

/** Progress of a job on all channels; polled while it runs, whichever window started it. */
export function jobQuery(name: JobName) {
  return queryOptions({
    queryKey: ['channels', 'job', name],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/channel/job/{name}', { params: { path: { name } }, signal })),
    refetchInterval: (query) => (query.state.data?.running === true ? JOB_POLL_MS : false),
  });
}

export interface ChannelTest {
  readonly ok: boolean;
  readonly message: string;
  /** Seconds, whole exchange. */
  readonly seconds: number;
  /** Milliseconds to the first token. */
  readonly firstTokenMs?: number;
  /** The model's reply. */
  readonly answer?: string;
  /** Nothing was sent yet: the provider charges for this test, and the person must agree first. */
  readonly needsConsent?: boolean;
}

/** A mutation that refreshes every list of channels when it is done. */
const useChannelMutation = <V, R>(mutationFn: (values: V) => Promise<R>, inline = false) =>
  useRefreshingMutation(['channels'], mutationFn, inline);

export const addChannel = (channel: Schemas['ChannelInput']) =>
  dataOf(api.POST('/api/channel', { body: channel }));

export function useAddChannel() {
  return useChannelMutation(addChannel, true);
}

/** Also for `{id, status}`, `{id, priority}` and `{id, weight}` alone. */
export function useEditChannel(options: { inline?: boolean } = {}) {
  return useChannelMutation(
    (channel: Schemas['ChannelEdit']) => dataOf(api.PUT('/api/channel', { body: channel })),
    options.inline,
  );
}

export function useDeleteChannel() {
  return useChannelMutation((id: number) =>
    envelopeOf(api.DELETE('/api/channel/{id}', { params: { path: { id } } })),
  );
}

export function useDeleteChannels() {
  return useChannelMutation((ids: number[]) => dataOf(api.POST('/api/channel/batch', { body: { ids } })));
}

export function useDeleteDisabled() {
  return useChannelMutation(() => envelopeOf(api.DELETE('/api/channel/disabled')));
}

export function useCopyChannel() {
  return useChannelMutation(
    (id: number) => dataOf(api.POST('/api/channel/copy/{id}', { params: { path: { id } }, body: {} })),
    true,
  );
}

export function useTagChannels() {
  return useChannelMutation(
    (values: { ids: number[]; tag: string }) => dataOf(api.POST('/api/channel/batch/tag', { body: values })),
    true,
  );
}

export function useSwitchChannels() {
  return useChannelMutation((values: { ids: number[]; status: 1 | 2 }) =>
    dataOf(api.POST('/api/channel/batch/status', { body: values })),
  );
}

export function usePrioritiseChannels() {
  return useChannelMutation(
    (values: { ids: number[]; priority: number }) =>
      dataOf(api.POST('/api/channel/batch/priority', { body: values })),
    true,
  );
}

export interface TagEdit {
  readonly tag: string;
  readonly new_tag?: string;
  readonly models?: string;
  readonly groups?: string;
  readonly model_mapping?: string;
  readonly priority?: number;
  readonly weight?: number;
}

export function useEditTag(options: { inline?: boolean } = {}) {
  return useChannelMutation(
    (edit: TagEdit) => envelopeOf(api.PUT('/api/channel/tag', { body: edit })),
    options.inline,
  );
}

export function useSwitchTag() {
  return useChannelMutation(({ tag, enabled }: { tag: string; enabled: boolean }) =>
    envelopeOf(
      api.POST(enabled ? '/api/channel/tag/enabled' : '/api/channel/tag/disabled', { body: { tag } }),
    ),
  );
}

export function useTestAll() {
  return useChannelMutation<void, unknown>(() => envelopeOf(api.GET('/api/channel/test')));
}

export function useUpdateBalance() {
  return useChannelMutation(
    async (id: number) =>
      (await envelopeOf(api.GET('/api/channel/update_balance/{id}', { params: { path: { id } } }))).balance,
  );
}

export function useUpdateBalances() {
  return useChannelMutation<void, unknown>(() => envelopeOf(api.GET('/api/channel/update_balance')));
}

export function useFixChannels() {
  return useChannelMutation<void, number>(() => dataOf(api.POST('/api/channel/fix')));
}

export function useFetchModels() {
  return useMutation({
    mutationFn: (
      source: { id: number } | { base_url: string; type: number; key: string; other: string; proxy: string },
    ) =>
      'id' in source
        ? dataOf(api.GET('/api/channel/fetch_models/{id}', { params: { path: { id: source.id } } }))
        : dataOf(api.POST('/api/channel/fetch_models', { body: source })),
  });
}
