import type { ParseKeys } from 'i18next';
import { isRecord, parseJson } from '../../shared/format/json';

/** Which parts of the console can be switched off: links of the top bar, pages of the sidebar. */
export type ModulesId = 'header' | 'sidebar';

export interface Switch {
  /** Members that lead to it. */
  readonly path: readonly string[];
  readonly label: ParseKeys;
  /** Without effect while this is off. */
  readonly needs?: readonly string[];
  readonly isOnAtFirst?: boolean;
}

interface SwitchGroup {
  readonly id: string;
  readonly label?: ParseKeys;
  readonly switches: readonly Switch[];
}

const section = (
  id: string,
  label: ParseKeys,
  pages: readonly (readonly [module: string, label: ParseKeys])[],
): SwitchGroup => ({
  id,
  label,
  switches: [
    { path: [id, 'enabled'], label: 'settings.modules.section' },
    ...pages.map(([module, name]) => ({ path: [id, module], label: name, needs: [id, 'enabled'] })),
  ],
});

export const MODULE_SWITCHES: Readonly<Record<ModulesId, readonly SwitchGroup[]>> = {
  header: [
    {
      id: 'links',
      switches: [
        { path: ['home'], label: 'shell.link.home' },
        { path: ['console'], label: 'shell.link.console' },
        { path: ['docs'], label: 'shell.link.docs' },
        { path: ['about'], label: 'shell.link.about' },
      ],
    },
    {
      id: 'pricing',
      switches: [
        { path: ['pricing', 'enabled'], label: 'shell.link.pricing' },
        {
          path: ['pricing', 'requireAuth'],
          label: 'settings.modules.pricesNeedLogin',
          needs: ['pricing', 'enabled'],
          isOnAtFirst: false,
        },
      ],
    },
  ],
  sidebar: [
    section('chat', 'shell.group.chat', [
      ['playground', 'shell.nav.playground'],
      ['chat', 'settings.modules.chats'],
    ]),
    section('console', 'shell.group.console', [
      ['detail', 'shell.nav.dashboard'],
      ['token', 'shell.nav.tokens'],
      ['log', 'shell.nav.log'],
      ['midjourney', 'shell.nav.drawings'],
      ['task', 'shell.nav.tasks'],
      ['docs', 'shell.nav.docs'],
    ]),
    section('admin', 'shell.group.admin', [
      ['channel', 'shell.nav.channels'],
      ['redemption', 'shell.nav.redemptions'],
      ['order', 'shell.nav.orders'],
      ['user', 'shell.nav.users'],
      ['limit', 'shell.nav.limits'],
      ['status', 'shell.nav.status'],
      ['job', 'shell.nav.jobs'],
      ['prices', 'shell.nav.prices'],
      ['setting', 'settings.modules.setting'],
      ['audit', 'shell.nav.audit'],
      ['bin', 'shell.nav.bin'],
    ]),
    section('personal', 'shell.group.personal', [
      ['topup', 'shell.nav.wallet'],
      ['personal', 'settings.modules.personal'],
    ]),
  ],
};

/** The stored document; undefined when the text is no object. */
export function readModules(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = text.trim() === '' ? {} : parseJson(text);
  return isRecord(value) ? value : undefined;
}
