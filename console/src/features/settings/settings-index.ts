import type { HeadingId, OptionField, TabId } from './option-field-types';

/** A setting as the search knows it. */
export interface SettingEntry {
  readonly key: string;
  readonly label: string;
  readonly help: string;
  /** Title of its heading. */
  readonly heading: string;
  readonly tab: TabId;
  /** Address of the setting on the page. */
  readonly path: string;
}

/** Most settings that one search shows. */
const MOST = 12;

export interface SettingTexts {
  label(field: OptionField): string;
  help(field: OptionField): string;
  heading(heading: HeadingId): string;
}

/** Place of an option on its tab, for links. */
export const settingAnchor = (id: string): string => `setting-${id}`;

export const settingEntries = (
  fields: readonly OptionField[],
  texts: SettingTexts,
): readonly SettingEntry[] =>
  fields.map((field) => ({
    key: field.key,
    label: texts.label(field),
    help: texts.help(field),
    heading: texts.heading(field.heading),
    tab: field.tab,
    path: `/setting?tab=${field.tab}#${settingAnchor(field.id)}`,
  }));

/**
 * Settings that have every word of a text in their label, heading, help or option key. Matches in the label come first, then those in
 * the key, then the others.
 */
export function findSettings(entries: readonly SettingEntry[], text: string): readonly SettingEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const hasAll = (...parts: readonly string[]): boolean => {
    const whole = parts.join('\n').toLowerCase();
    return words.every((word) => whole.includes(word));
  };
  const rankOf = ({ key, label, help, heading }: SettingEntry): number | undefined => {
    if (hasAll(label)) return 0;
    if (hasAll(key)) return 1;
    return hasAll(label, heading, key, help) ? 2 : undefined;
  };
  return entries
    .flatMap((entry) => {
      const rank = rankOf(entry);
      return rank === undefined ? [] : [{ entry, rank }];
    })
    .toSorted((left, right) => left.rank - right.rank)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}
