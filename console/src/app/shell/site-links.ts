import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useCurrentUser } from '../../api/current-user';
import { firstPage, useShownModules } from '../../shared/session/modules';
import { useShownLogs, useStatus } from '../../shared/session/status';

/** A page of the site outside the console, or its documentation elsewhere. */
export type SiteLink = { readonly id: string; readonly label: string } & (
  { readonly to: string; readonly href?: never } | { readonly href: string; readonly to?: never }
);

/** The links of the top bar; where it has no room for them, of its menu and of the sheet. */
export function useSiteLinks(): readonly SiteLink[] {
  const { t } = useTranslation();
  const isSignedIn = useCurrentUser() !== null;
  const { dashboard } = useShownLogs();
  const modules = useShownModules();
  const docs = useStatus()?.docs_link ?? '';
  const first = firstPage(modules, ...(dashboard ? ['/detail'] : []));
  return siteLinks(t, { console: isSignedIn ? first : undefined, docs }).filter(
    ({ id }) => modules.link(id) && (id !== 'pricing' || isSignedIn || !modules.pricesNeedLogin),
  );
}

function siteLinks(
  t: TFunction,
  places: { readonly console: string | undefined; readonly docs: string },
): SiteLink[] {
  return [
    { id: 'home', label: t('shell.link.home'), to: '/' },
    ...(places.console === undefined
      ? []
      : [{ id: 'console', label: t('shell.link.console'), to: places.console }]),
    { id: 'pricing', label: t('shell.link.pricing'), to: '/pricing' },
    ...(places.docs === '' ? [] : [{ id: 'docs', label: t('shell.link.docs'), href: places.docs }]),
    { id: 'about', label: t('shell.link.about'), to: '/about' },
  ];
}
