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

/** 24 hours of every channel, hour by hour. */
export type ChannelHealth = Schemas['ChannelHealth'];

export const channelHealthQuery = queryOptions({
  queryKey: ['channels', 'health'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/channel/health', { signal })),
  staleTime: 60_000,
});

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

/** How far a job upon all channels is; watched while it runs, from whichever window it was started. */
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
  /** What the model said. */
  readonly answer?: string;
  /** Nothing was sent yet: the provider charges for this test, and the person must agree first. */
  readonly needsConsent?: boolean;
}

/** A mutation that refreshes every list of channels when it is done. */
const useChannelMutation = <V, R>(mutationFn: (values: V) => Promise<R>, inline = false) =>
  useRefreshingMutation(['channels'], mutationFn, inline);

export function useAddChannel() {
  return useChannelMutation(
    (channel: Schemas['ChannelInput']) => dataOf(api.POST('/api/channel', { body: channel })),
    true,
  );
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
  return useChannelMutation<void, number>(() => dataOf(api.DELETE('/api/channel/disabled')));
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
