import { parseJson } from '../../shared/format/json';
import type { OptionTexts } from './api';

/** One entry of one document, as JSON texts; null = not there. */
export interface EntryChange {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface DocumentChange {
  readonly key: string;
  readonly entries: readonly EntryChange[];
}

/** Differences between stored documents and new ones, entry by entry. */
export function differences(
  stored: OptionTexts,
  changes: readonly { readonly key: string; readonly value: string }[],
): DocumentChange[] {
  return changes.map(({ key, value }) => ({ key, entries: entryChanges(stored[key] ?? '', value) }));
}

function entryChanges(before: string, after: string): EntryChange[] {
  const [old, next] = [members(before), members(after)];
  return [...new Set([...old.keys(), ...next.keys()])]
    .map((name) => ({ name, before: old.get(name) ?? null, after: next.get(name) ?? null }))
    .filter((entry) => entry.before !== entry.after)
    .toSorted((left, right) => left.name.localeCompare(right.name, 'en'));
}

function members(text: string): Map<string, string> {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(Object.entries(value).map(([name, entry]) => [name, JSON.stringify(entry)]));
}
