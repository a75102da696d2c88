import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../api/client';
import { debounce } from '../../shared/browser/debounce';
import { useChatLinks } from '../../shared/chat/chat-links';
import { ROLE } from '../../api/current-user';
import { usableModelsQuery } from '../../shared/session/reference-lists';
import { useShownModules } from '../../shared/session/modules';
import { useShownLogs } from '../../shared/session/status';
import { navigationFor } from './navigation';

export interface PaletteEntry {
  readonly id: string;
  readonly kind: 'go' | 'action' | 'channel' | 'token' | 'model' | 'user';
  readonly label: string;
  readonly path: string;
}

const PER_KIND = 6;
const PAUSE_MS = 200;

/** What the palette offers for a text: pages and actions by name, then things found on the server. */
export function usePaletteEntries(text: string, role: number, open: boolean): PaletteEntry[] {
  const { t } = useTranslation();
  const wanted = text.trim().toLowerCase();
  const isAdministrator = role >= ROLE.administrator;
  const links = useChatLinks();
  const shown = useShownLogs();
  const modules = useShownModules();
  const searching = open && wanted.length >= 2;
  const search = <T>(
    kind: string,
    find: (wish: {
      params: { query: { keyword: string; page_size: number } };
      signal: AbortSignal;
    }) => Promise<T>,
    enabled: boolean,
  ) => ({
    queryKey: ['palette', kind, wanted],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      await debounce(signal, PAUSE_MS);
      return find({ params: { query: { keyword: wanted, page_size: PER_KIND } }, signal });
    },
    enabled: searching && enabled,
    staleTime: 15_000,
  });
  const [channels, tokens, users, models] = useQueries({
    queries: [
      search('channel', (wish) => dataOf(api.GET('/api/channel/search', wish)), isAdministrator),
      search('token', (wish) => dataOf(api.GET('/api/token/search', wish)), true),
      search('user', (wish) => dataOf(api.GET('/api/user/search', wish)), isAdministrator),
      { ...usableModelsQuery, enabled: open },
    ],
  });

  return useMemo(() => {
    const pages = navigationFor(role, shown, modules)
      .flatMap((group) => group.entries)
      .map((entry): PaletteEntry => ({
        id: `go-${entry.id}`,
        kind: 'go',
        label: t(`shell.nav.${entry.id}`),
        path: entry.path,
      }));
    pages.push({ id: 'go-pricing', kind: 'go', label: t('shell.link.pricing'), path: '/pricing' });
    pages.push({ id: 'go-about', kind: 'go', label: t('shell.link.about'), path: '/about' });
    pages.unshift({ id: 'go-playground', kind: 'go', label: t('shell.nav.playground'), path: '/playground' });
    if (links !== 'broken')
      for (const [index, { name }] of links.entries())
        pages.push({ id: `go-chat-${index}`, kind: 'go', label: name, path: `/chat/${index}` });
    const actions: PaletteEntry[] = [
      { id: 'new-token', kind: 'action', label: t('shell.palette.newToken'), path: '/token?edit=new' },
    ];
    if (isAdministrator) {
      actions.push({
        id: 'new-channel',
        kind: 'action',
        label: t('shell.palette.newChannel'),
        path: '/channel/add',
      });
      actions.push({
        id: 'new-codes',
        kind: 'action',
        label: t('shell.palette.newCodes'),
        path: '/redemption?edit=new',
      });
    }
    const fixed = [...pages, ...actions].filter((entry) => entry.label.toLowerCase().includes(wanted));
    const found = searching
      ? [
          ...fixed,
          ...(channels.data ?? []).slice(0, PER_KIND).map((channel): PaletteEntry => ({
            id: `channel-${channel.id}`,
            kind: 'channel',
            label: channel.name,
            path: `/channel/edit/${channel.id}`,
          })),
          ...(tokens.data ?? []).slice(0, PER_KIND).map((token): PaletteEntry => ({
            id: `token-${token.id}`,
            kind: 'token',
            label: token.name,
            path: `/token?edit=${token.id}`,
          })),
          ...(users.data?.items ?? []).slice(0, PER_KIND).map((user): PaletteEntry => ({
            id: `user-${user.id}`,
            kind: 'user',
            label: user.username,
            path: `/user/edit/${user.id}`,
          })),
          ...(models.data ?? [])
            .filter((model) => model.toLowerCase().includes(wanted))
            .slice(0, PER_KIND)
            .map((model): PaletteEntry => ({
              id: `model-${model}`,
              kind: 'model',
              label: t('shell.palette.logsOfModel', { model }),
              path: `/log?model_name=${encodeURIComponent(model)}`,
            })),
        ]
      : fixed;
    return found.filter(({ path }) => modules.page(path));
  }, [
    role,
    shown,
    modules,
    t,
    links,
    isAdministrator,
    wanted,
    searching,
    channels.data,
    tokens.data,
    users.data,
    models.data,
  ]);
}
