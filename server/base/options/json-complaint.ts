import type { z } from 'zod';
import { findDuplicateKey } from '../../common/duplicate-key.js';
import { findPrecisionLoss, type PrecisionLoss } from '../../common/precision-loss.js';

type Place = readonly PropertyKey[];

const MAX_QUOTED = 40;

/**
 * Faults of a JSON text that is still readable: unknown members, duplicate names, lost digits. Undefined = none.
 * @param range  the expected form, in words
 * @param faultOf  finds further faults of the value, by their place
 */
export function complaintOf<T>(text: string, { schema, range, faultOf }: JsonForm<T>): string | undefined {
  const document: unknown = JSON.parse(text);
  const value = schema.parse(document);
  const unread = findUnread(document, value);
  if (unread !== undefined) return `${range}; nobody reads ${placeText(unread)}`;
  const twice = findDuplicateKey(text);
  if (twice !== undefined) return `${range}, with each name once (see ${placeText([twice])})`;
  const lost = findPrecisionLoss(text);
  if (lost !== undefined) return `${range}, ${describePrecisionLoss(lost)}`;
  const fault = faultOf?.(value);
  return fault === undefined ? undefined : `${range} (see ${placeText([fault])})`;
}

export interface JsonForm<T> {
  readonly schema: z.ZodType<T>;
  readonly range: string;
  readonly faultOf: ((value: T) => string | undefined) | undefined;
}

/** Place of a member that parsing left out; names are read without the blanks around them. */
function findUnread(document: unknown, read: unknown, place: Place = []): Place | undefined {
  if (typeof document !== 'object' || document === null) return undefined;
  if (typeof read !== 'object' || read === null) return undefined;
  const seen = new Set<string>();
  for (const [name, member] of Object.entries(document)) {
    const at = [...place, name];
    const own = Object.hasOwn(read, name) ? name : name.trim();
    if (!Object.hasOwn(read, own) || seen.has(own)) return at;
    seen.add(own);
    const inside = findUnread(member, (read as Readonly<Record<string, unknown>>)[own], at);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

/** Place of the first fault: an unknown member by its own name, a union by the branch that fits best. */
export function placeOf(issues: readonly z.core.$ZodIssue[]): Place {
  const [issue] = issues;
  if (issue === undefined) return [];
  if (issue.code === 'unrecognized_keys') return [...issue.path, ...issue.keys.slice(0, 1)];
  if (issue.code === 'invalid_union') {
    const inside = issue.errors.map(placeOf).toSorted((left, right) => right.length - left.length);
    return [...issue.path, ...(inside[0] ?? [])];
  }
  return issue.path;
}

/** Path to a place in a document; an empty name is shown as such. */
export const placeText = (path: Place): string =>
  path
    .map((name) => (name === '' ? '""' : String(name)))
    .join('.')
    .slice(0, 100);

export function describePrecisionLoss({ path, written, kept }: PrecisionLoss): string {
  const place = path.length === 0 ? '' : ` (see ${placeText(path)})`;
  return `with no more digits than are kept: ${written.slice(0, MAX_QUOTED)} would become ${kept}${place}`;
}
