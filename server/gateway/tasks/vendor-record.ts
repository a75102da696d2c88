import { storableText } from '../../common/text.js';
import { type Document, isDocument, listOf } from '../../relay-core/formats/shared/fields/json-fields.js';

/** Longest text of a vendor that is stored. */
const MAX_CHARACTERS = 65_536;
/** Longest JSON of a vendor that is stored. */
const MAX_JSON_CHARACTERS = 1024 * 1024;
const MAX_ADDRESS_CHARACTERS = 8_192;
/** Beyond the year 2100 nothing here takes place, in seconds or milliseconds. */
const MAX_MOMENT = 4_102_444_800_000;

/** Changes of a record after a report. `keep` = nothing to do. */
export type TaskTransition<Changes> =
  | { readonly kind: 'keep' }
  | { readonly kind: 'change'; readonly changes: Partial<Changes> }
  | { readonly kind: 'fail'; readonly reason: string; readonly changes: Partial<Changes> };

/**
 * The records of an answer by their ids. What is no record is left out, so that a malformed answer is an empty one.
 * @param answer  a list, or a document with one under `data`
 */
export function recordsById(answer: unknown, idMember: string): Map<string, Document> {
  const list = Array.isArray(answer) ? answer : isDocument(answer) ? listOf(answer['data']) : [];
  const records = new Map<string, Document>();
  for (const record of list as readonly unknown[]) {
    if (!isDocument(record)) continue;
    const id = record[idMember];
    if (typeof id === 'string' || typeof id === 'number') records.set(String(id), record);
  }
  return records;
}

/** A text as it is stored: without NUL and half characters, for which PostgreSQL has no place. Undefined = none was sent. */
export function storedText(value: unknown, maxCharacters = MAX_CHARACTERS): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return storableText(value.slice(0, maxCharacters));
}

/** JSON text of a list or object; undefined = none was sent, or one that is too long. */
export function storedJson(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const text = JSON.stringify(value);
  return text.length > MAX_JSON_CHARACTERS ? undefined : text;
}

/** A web address; nothing else is ever put into a page as one. */
export function storedAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_ADDRESS_CHARACTERS || !URL.canParse(value))
    return undefined;
  return /^https?:$/.test(new URL(value).protocol) ? value.replaceAll('\0', '') : undefined;
}

/** A moment; undefined = none was sent, or one that cannot be. */
export const storedMoment = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 && value <= MAX_MOMENT ? Math.floor(value) : undefined;

/** The members that are known and differ from what is stored. */
export function differing<Row extends object>(
  row: Row,
  news: { readonly [K in keyof Row]?: Row[K] | undefined },
): Partial<Row> {
  const changed = Object.entries(news).filter(
    ([name, value]) => value !== undefined && value !== row[name as keyof Row],
  );
  return Object.fromEntries(changed) as Partial<Row>;
}
