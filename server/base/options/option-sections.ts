/** Sections root can grant to administrators: settings of day-to-day operation. */
export const SECTIONS_TO_TICK = [
  'content',
  'display',
  'channels',
  'calls',
  'limits',
  'models',
  'prices',
  'quota',
  'log',
  'alerts',
] as const;
export type SectionToTick = (typeof SECTIONS_TO_TICK)[number];

/** Granted until root changes it: sections other than money and retention. */
export const SECTIONS_TICKED_AT_FIRST: readonly SectionToTick[] = [
  'content',
  'display',
  'channels',
  'calls',
  'limits',
  'models',
];

/** Settings by the role that changes them. `accounts`, `payments` and `installation` are always root's. */
export const OPTION_SECTIONS = [...SECTIONS_TO_TICK, 'accounts', 'payments', 'installation'] as const;
export type OptionSection = (typeof OPTION_SECTIONS)[number];

export const isSectionToTick = (section: string): section is SectionToTick =>
  SECTIONS_TO_TICK.some((known) => known === section);
