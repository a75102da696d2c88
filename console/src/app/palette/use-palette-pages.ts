import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { LANGUAGES, loadStartTexts } from '../../i18n';
import { useChatLinks } from '../../shared/chat/chat-links';
import { useShownModules } from '../../shared/session/modules';
import { useShownLogs } from '../../shared/session/status';
import { navigationFor, type NavigationEntry } from '../shell/navigation';
import type { PaletteEntry } from './palette-entry';

/** Pages of a role by their names in every language. */
export function usePalettePages(role: number): readonly PaletteEntry[] {
  const { t, i18n } = useTranslation();
  const names = useQuery({ queryKey: ['palette', 'names'], queryFn: loadStartTexts, staleTime: Infinity });
  const links = useChatLinks();
  const shown = useShownLogs();
  const modules = useShownModules();
  return useMemo(() => {
    const inEach = (
      key: `shell.nav.${NavigationEntry['id'] | 'playground'}` | 'shell.link.pricing' | 'shell.link.about',
    ) => (names.data === true ? LANGUAGES.map(({ code }) => i18n.getFixedT(code)(key)).join(' ') : undefined);
    const named = navigationFor(role, shown, modules)
      .flatMap((group) => group.entries)
      .map(({ id, path }) => ({ id, path }));
    const pages = [{ id: 'playground', path: '/playground' } as const, ...named].map(
      ({ id, path }): PaletteEntry => ({
        id: `go-${id}`,
        kind: 'go',
        label: t(`shell.nav.${id}`),
        words: inEach(`shell.nav.${id}`),
        path,
      }),
    );
    for (const id of ['pricing', 'about'] as const)
      pages.push({
        id: `go-${id}`,
        kind: 'go',
        label: t(`shell.link.${id}`),
        words: inEach(`shell.link.${id}`),
        path: `/${id}`,
      });
    if (links !== 'broken')
      for (const [index, { name }] of links.entries())
        pages.push({ id: `go-chat-${index}`, kind: 'go', label: name, path: `/chat/${index}` });
    return pages;
  }, [t, i18n, names.data, role, shown, modules, links]);
}
