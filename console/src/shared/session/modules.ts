import { useMemo } from 'react';
import { isRoot, useCurrentUser } from '../../api/current-user';
import { isRecord, parseJson } from '../format/json';
import { useStatus } from './status';

/** Which parts of the console the operator shows. */
export interface ShownModules {
  /** A link of the top bar. */
  link(id: string): boolean;
  /** An entry of the sidebar, by the address of its page. */
  entry(path: string): boolean;
  /** Returns true when the page of an address is offered at all. */
  page(path: string): boolean;
  /** Prices only for people who are signed in. */
  readonly pricesNeedLogin: boolean;
}

/** Sidebar section and module of each page, as consoles of this family name them. */
const MODULES: Readonly<Record<string, readonly [section: string, module: string]>> = {
  playground: ['chat', 'playground'],
  chat: ['chat', 'chat'],
  chat2link: ['chat', 'chat'],
  detail: ['console', 'detail'],
  token: ['console', 'token'],
  log: ['console', 'log'],
  midjourney: ['console', 'midjourney'],
  task: ['console', 'task'],
  docs: ['console', 'docs'],
  topup: ['personal', 'topup'],
  personal: ['personal', 'personal'],
  start: ['admin', 'channel'],
  channel: ['admin', 'channel'],
  redemption: ['admin', 'redemption'],
  order: ['admin', 'order'],
  user: ['admin', 'user'],
  limit: ['admin', 'limit'],
  status: ['admin', 'status'],
  job: ['admin', 'job'],
  prices: ['admin', 'prices'],
  setting: ['admin', 'setting'],
  audit: ['admin', 'audit'],
  bin: ['admin', 'bin'],
};
/** Pages whose link of the top bar is their only way in. */
const LINKED_PAGES: readonly string[] = ['pricing', 'about'];
/** Own account and password reset: their addresses begin like the list of users, which may be switched off. */
const OWN_PAGES: readonly string[] = ['/user/edit', '/user/reset'];

type Switches = Readonly<Record<string, unknown>>;

export function shownModules(headerText: string, sidebarText: string, maySet: boolean): ShownModules {
  const header = membersOf(parseJson(headerText));
  const sidebar = membersOf(parseJson(sidebarText));
  const link = (id: string): boolean => header[id] !== false && membersOf(header[id])['enabled'] !== false;
  const entry = (path: string): boolean => {
    const name = path.split(/[/?]/)[1] ?? '';
    // The page with the switches stays.
    if (name === 'setting' && maySet) return true;
    const place = Object.hasOwn(MODULES, name) ? MODULES[name] : undefined;
    if (place === undefined) return true;
    const [section, module] = place;
    const modules = membersOf(sidebar[section]);
    return modules['enabled'] !== false && modules[module] !== false;
  };
  return {
    link,
    entry,
    page: (path) => {
      const name = path.split(/[/?]/)[1] ?? '';
      if (LINKED_PAGES.includes(name)) return link(name);
      // Passwords and second factors stay open to all accounts.
      return name === 'personal' || OWN_PAGES.includes(path) || entry(path);
    },
    pricesNeedLogin: membersOf(header['pricing'])['requireAuth'] === true,
  };
}

const membersOf = (value: unknown): Switches => (isRecord(value) ? value : {});

export function useShownModules(): ShownModules {
  const status = useStatus();
  const user = useCurrentUser();
  const header = status?.HeaderNavModules ?? '';
  const sidebar = status?.SidebarModulesAdmin ?? '';
  const maySet = isRoot(user);
  return useMemo(() => shownModules(header, sidebar, maySet), [header, sidebar, maySet]);
}

/** The first page of the console that is offered, beginning with the one that is wanted. */
export const firstPage = (modules: ShownModules, ...wanted: readonly string[]): string =>
  [...wanted, '/token', '/log', '/playground', '/topup'].find((path) => modules.page(path)) ?? '/personal';
