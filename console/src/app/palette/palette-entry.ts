/** A line of the command palette. */
export interface PaletteEntry {
  readonly id: string;
  readonly kind: 'go' | 'action' | 'call' | 'channel' | 'token' | 'model' | 'user' | 'setting';
  readonly label: string;
  /** Second half of the line: owner of a token, option key of a setting. */
  readonly hint?: string | undefined;
  /** Other words the entry is found by: names in other languages, keys. */
  readonly words?: string | undefined;
  /** Address that is opened; an action without one runs. */
  readonly path?: string;
  readonly run?: () => void;
  /** Page whose part of the console the action belongs to; it goes away with that page. */
  readonly belongsTo?: string;
}

/** Entries that have every word of a text, those with it in their label first. */
export function matching(entries: readonly PaletteEntry[], text: string): readonly PaletteEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const hasAll = (...parts: readonly (string | undefined)[]): boolean => {
    const whole = parts.join('\n').toLowerCase();
    return words.every((word) => whole.includes(word));
  };
  const inLabel = entries.filter(({ label }) => hasAll(label));
  const elsewhere = entries.filter(
    (entry) => !inLabel.includes(entry) && hasAll(entry.label, entry.hint, entry.words),
  );
  return [...inLabel, ...elsewhere];
}

/** Shortest text that can be a whole key: shorter ones are the beginning of one. */
const KEY_LENGTH = 24;

/** A pasted key, which must not be part of an address. */
export const isWholeKey = (text: string): boolean =>
  /^sk-\S+$/.test(text.trim()) && text.trim().length >= KEY_LENGTH;

/** The beginning of a key, as lists of tokens show it. */
export const isKeyPrefix = (text: string): boolean => /^sk-\w{2,20}$/.test(text.trim());
