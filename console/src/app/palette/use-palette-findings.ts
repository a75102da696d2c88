import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../api/client';
import { ROLE } from '../../api/current-user';
import { loadTexts } from '../../i18n';
import { debounce } from '../../shared/browser/debounce';
import { isRequestId } from '../../shared/format/request-id';
import { usableModelsQuery } from '../../shared/session/reference-lists';
import { isKeyPrefix, isWholeKey, type PaletteEntry } from './palette-entry';
import { useChannelTests } from './use-channel-tests';
import { type Switched, useSwitches } from './use-switches';

const PER_KIND = 5;
const PAUSE_MS = 200;
const LEAST_LETTERS = 2;
/** Error texts shorter than this match too many calls. */
const LEAST_ERROR_LETTERS = 4;
const STALE_MS = 15_000;
/** Verbs before a name, as in "disable west". */
const VERB = /^(?:(?:disable|enable|test|connect)\s+|(?:禁用|启用|测试|接入)\s*)/;
const ENABLED = 1;
const DISABLED = 2;

const address = (path: string, values: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams(values).toString()}`;

/** Entries that the server finds for a text. A whole key goes into the body of a request alone. */
export function usePaletteFindings(text: string, role: number): readonly PaletteEntry[] {
  const wanted = text.trim();
  const isKey = isWholeKey(wanted);
  const isId = isRequestId(wanted);
  const isSearched = wanted.length >= LEAST_LETTERS && !isKey && !isId;
  const name = wanted.toLowerCase().replace(VERB, '');
  const named = useNamed(name, role, isSearched && name.length >= LEAST_LETTERS);
  const calls = useCalls(wanted, role, isSearched);
  const settings = useSettings(wanted, role, isSearched);
  const keys = useKeys(wanted, role, isKey);
  return useMemo(() => [...keys, ...calls, ...named, ...settings], [keys, calls, named, settings]);
}

/** Channels, tokens, accounts and models by a part of their name. */
function useNamed(wanted: string, role: number, isSearched: boolean): readonly PaletteEntry[] {
  const { t } = useTranslation();
  const isAdministrator = role >= ROLE.administrator;
  const { testOne } = useChannelTests();
  const switchTo = useSwitches();
  const search = <T>(
    kind: string,
    find: (wish: {
      params: { query: { keyword: string; page_size: number } };
      signal: AbortSignal;
    }) => Promise<T>,
    isAllowed: boolean,
  ) => ({
    queryKey: ['palette', kind, wanted],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      await debounce(signal, PAUSE_MS);
      return find({ params: { query: { keyword: wanted, page_size: PER_KIND } }, signal });
    },
    enabled: isSearched && isAllowed,
    staleTime: STALE_MS,
  });
  const [channels, tokens, users, models] = useQueries({
    queries: [
      search('channel', (wish) => dataOf(api.GET('/api/channel/search', wish)), isAdministrator),
      search('token', (wish) => dataOf(api.GET('/api/token/search', wish)), true),
      search('user', (wish) => dataOf(api.GET('/api/user/search', wish)), isAdministrator),
      usableModelsQuery,
    ],
  });
  return useMemo(() => {
    if (!isSearched) return [];
    const switchOf = (
      kind: Switched,
      row: { readonly id: number; readonly name: string; readonly status: number },
    ): PaletteEntry => {
      const isOn = row.status === ENABLED;
      return {
        id: `switch-${kind}-${row.id}`,
        kind: 'action',
        label: t(`palette.${isOn ? 'disable' : 'enable'}.${kind}`, { name: row.name }),
        run: () => switchTo(kind, row, !isOn),
        belongsTo: kind === 'channels' ? '/channel' : '/token',
      };
    };
    return [
      ...(channels.data ?? []).slice(0, PER_KIND).flatMap(({ id, name, status }): PaletteEntry[] => [
        { id: `channel-${id}`, kind: 'channel', label: name, path: `/channel/edit/${id}` },
        switchOf('channels', { id, name, status }),
        {
          id: `test-${id}`,
          kind: 'action',
          label: t('palette.testChannel', { name }),
          run: () => testOne(id, name),
          belongsTo: '/channel',
        },
      ]),
      ...(tokens.data ?? []).slice(0, PER_KIND).flatMap(({ id, name, status }): PaletteEntry[] => [
        { id: `token-${id}`, kind: 'token', label: name, path: `/token?edit=${id}` },
        // One that expired or is used up is not enabled by its status alone.
        ...(status <= DISABLED ? [switchOf('tokens', { id, name, status })] : []),
        {
          id: `connect-${id}`,
          kind: 'action',
          label: t('palette.connect', { name }),
          path: `/token?connect=${id}`,
        },
      ]),
      ...(users.data?.items ?? []).slice(0, PER_KIND).map(({ id, username }): PaletteEntry => ({
        id: `user-${id}`,
        kind: 'user',
        label: username,
        path: `/user/${id}`,
      })),
      ...(models.data ?? [])
        .filter((model) => model.toLowerCase().includes(wanted))
        .slice(0, PER_KIND)
        .flatMap((model): PaletteEntry[] => [
          {
            id: `model-${model}`,
            kind: 'model',
            label: t('palette.logsOfModel', { model }),
            path: address('/log', { model_name: model }),
          },
          {
            id: `price-${model}`,
            kind: 'model',
            label: t('palette.priceOf', { model }),
            path: address('/pricing', { model }),
          },
        ]),
    ];
  }, [t, isSearched, wanted, channels.data, tokens.data, users.data, models.data, testOne, switchTo]);
}

/** The call of a request id, calls by names in the log, and failed calls whose error contains the text. */
function useCalls(wanted: string, role: number, isSearched: boolean): readonly PaletteEntry[] {
  const { t } = useTranslation();
  const isAdministrator = role >= ROLE.administrator;
  const suggestions = useQuery({
    queryKey: ['palette', 'log', wanted, isAdministrator],
    queryFn: async ({ signal }) => {
      await debounce(signal, PAUSE_MS);
      const wish = { params: { query: { keyword: wanted } }, signal };
      return dataOf(
        isAdministrator ? api.GET('/api/log/suggestions', wish) : api.GET('/api/log/self/suggestions', wish),
      );
    },
    enabled: isSearched,
    staleTime: STALE_MS,
  });
  const lines = useQuery({
    queryKey: ['palette', 'lines', wanted],
    queryFn: async ({ signal }) => {
      await debounce(signal, PAUSE_MS);
      return dataOf(api.GET('/api/log/failures', { params: { query: { keyword: wanted } }, signal }));
    },
    enabled: isSearched && isAdministrator && wanted.length >= LEAST_ERROR_LETTERS,
    staleTime: STALE_MS,
  });
  return useMemo(() => {
    if (isRequestId(wanted)) {
      const id = wanted.toLowerCase();
      const path = address('/log', { request_id: id, open: id });
      return [{ id: 'call', kind: 'call', label: t('palette.openCall', { id }), path }];
    }
    if (!isSearched) return [];
    const { tokens = [], accounts = [], channels = [] } = suggestions.data ?? {};
    const calls = (id: string, label: string, filter: Record<string, string>) => ({
      id: `calls-${id}`,
      kind: 'call' as const,
      label,
      path: address('/log', filter),
    });
    return [
      ...tokens
        .slice(0, PER_KIND)
        .map((name) => calls(`token-${name}`, t('palette.callsOfToken', { name }), { token_name: name })),
      ...accounts
        .slice(0, PER_KIND)
        .map((name) => calls(`account-${name}`, t('palette.callsOfAccount', { name }), { username: name })),
      ...channels
        .slice(0, PER_KIND)
        .map(({ id, name }) =>
          calls(`channel-${id}`, t('palette.callsOfChannel', { name }), { channel: String(id) }),
        ),
      ...(lines.data ?? [])
        .slice(0, PER_KIND)
        .map(({ request_id: id, content, model_name: hint }): PaletteEntry => ({
          id: `line-${id}`,
          kind: 'call',
          label: content,
          hint,
          path: address('/log', { request_id: id, open: id }),
        })),
    ];
  }, [t, wanted, isSearched, suggestions.data, lines.data]);
}

/** Settings by label, help and option key. Their list is loaded with the first search of an administrator. */
function useSettings(wanted: string, role: number, isSearched: boolean): readonly PaletteEntry[] {
  const { t, i18n } = useTranslation();
  const client = useQueryClient();
  const settings = useQuery({
    queryKey: ['palette', 'settings', i18n.language],
    queryFn: async () => {
      const [index] = await Promise.all([
        import('../../features/settings/described-settings'),
        loadTexts('settings'),
      ]);
      const fields = index.optionFields(await client.ensureQueryData(index.optionFieldsQuery));
      return { find: index.findSettings, entries: index.describedSettings(fields, t, i18n.language) };
    },
    enabled: isSearched && role >= ROLE.administrator,
    staleTime: Infinity,
  });
  return useMemo(() => {
    if (!isSearched || settings.data === undefined) return [];
    const { find, entries } = settings.data;
    return find(entries, wanted)
      .slice(0, PER_KIND)
      .map(({ key, label, path }): PaletteEntry => ({
        id: `setting-${key}`,
        kind: 'setting',
        label,
        hint: key,
        path,
      }));
  }, [isSearched, wanted, settings.data]);
}

/** The token of a pasted key, and tokens by the beginning of theirs; for administrators. */
function useKeys(wanted: string, role: number, isKey: boolean): readonly PaletteEntry[] {
  const { t } = useTranslation();
  const isAdministrator = role >= ROLE.administrator;
  const pasted = useQuery({
    queryKey: ['palette', 'key', wanted],
    queryFn: ({ signal }) => dataOf(api.POST('/api/token/find', { body: { key: wanted }, signal })),
    enabled: isKey && isAdministrator,
    retry: false,
    // A key stays no longer than the palette shows it.
    gcTime: 0,
  });
  const begun = useQuery({
    queryKey: ['palette', 'prefix', wanted],
    queryFn: async ({ signal }) => {
      await debounce(signal, PAUSE_MS);
      const query = { prefix: wanted, owner: '', user_id: 0, p: 1, page_size: PER_KIND };
      return dataOf(api.GET('/api/token/all', { params: { query }, signal }));
    },
    enabled: isKeyPrefix(wanted) && isAdministrator,
    staleTime: STALE_MS,
  });
  return useMemo(() => {
    const found = isKey ? (pasted.data === undefined ? [] : [pasted.data]) : (begun.data?.items ?? []);
    if (!isAdministrator) return [];
    return found.map(({ id, name, username, key_mask: hint }): PaletteEntry => ({
      id: `found-${id}`,
      kind: 'token',
      label: t('palette.tokenOf', { name, owner: username }),
      hint,
      path: address('/user/tokens', { owner: username }),
    }));
  }, [t, isKey, isAdministrator, pasted.data, begun.data]);
}
