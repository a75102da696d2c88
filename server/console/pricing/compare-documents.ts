import { parseJson } from '../../common/parse-json.js';
/** One entry of a price document that differs. Values are JSON text; null = not there. */
export interface EntryChange {
  /** Empty where the option is a single value. */
  readonly name: string;
  readonly oldValue: string | null;
  readonly newValue: string | null;
}

type Entries = ReadonlyMap<string, string>;

/**
 * Differences between two texts of an option, entry by entry when both are JSON objects.
 * @param oldText  null = the option was not there
 */
export function compareDocuments(oldText: string | null, newText: string | null): readonly EntryChange[] {
  const before = entriesOf(oldText);
  const after = entriesOf(newText);
  if (before === undefined || after === undefined)
    return oldText === newText ? [] : [{ name: '', oldValue: oldText, newValue: newText }];
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return names.flatMap((name) => {
    const [oldValue, newValue] = [before.get(name) ?? null, after.get(name) ?? null];
    return oldValue === newValue ? [] : [{ name, oldValue, newValue }];
  });
}

/** Undefined for what is no JSON object. */
function entriesOf(text: string | null): Entries | undefined {
  if (text === null) return new Map();
  const document = parseJson(text);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return undefined;
  return new Map(Object.entries(document).map(([name, value]) => [name, JSON.stringify(value)]));
}
