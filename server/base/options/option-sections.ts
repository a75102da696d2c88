/** What root may tick for administrators: settings that a person who runs the gateway from day to day changes. */
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

/** Ticked until root says otherwise: what is neither money nor memory. */
export const SECTIONS_TICKED_AT_FIRST: readonly SectionToTick[] = [
  'content',
  'display',
  'channels',
  'calls',
  'limits',
  'models',
];

/** Settings by who changes them. `accounts`, `payments` and `installation` are root's, whatever is ticked. */
export type OptionSection = SectionToTick | 'accounts' | 'payments' | 'installation';

export const isSectionToTick = (section: string): section is SectionToTick =>
  SECTIONS_TO_TICK.some((known) => known === section);
