import type { OptionField } from './option-field-types';

const panels = { tab: 'other', heading: 'panels' } as const;

/** What stands on the dashboard: announcements, API addresses, questions, status pages. */
export const PANEL_FIELDS: readonly OptionField[] = [
  { ...panels, id: 'announcementsShown', key: 'console_setting.announcements_enabled', kind: 'flag' },
  {
    ...panels,
    id: 'announcements',
    key: 'console_setting.announcements',
    kind: 'rows',
    rows: 'announcements',
    needs: 'announcementsShown',
  },
  { ...panels, id: 'apiInfoShown', key: 'console_setting.api_info_enabled', kind: 'flag' },
  {
    ...panels,
    id: 'apiInfo',
    key: 'console_setting.api_info',
    kind: 'rows',
    rows: 'apiInfo',
    needs: 'apiInfoShown',
  },
  { ...panels, id: 'faqShown', key: 'console_setting.faq_enabled', kind: 'flag' },
  { ...panels, id: 'faq', key: 'console_setting.faq', kind: 'rows', rows: 'faq', needs: 'faqShown' },
  { ...panels, id: 'statusPagesShown', key: 'console_setting.uptime_kuma_enabled', kind: 'flag' },
  {
    ...panels,
    id: 'statusPages',
    key: 'console_setting.uptime_kuma_groups',
    kind: 'rows',
    rows: 'statusPages',
    needs: 'statusPagesShown',
  },
];
