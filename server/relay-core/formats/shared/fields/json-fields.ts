import { isRawNumber, parseExact } from '../../../framing/exact-json.js';

/** Lenient reading of vendors' documents: a member of the wrong type is a member that is not there. */
export type Document = Readonly<Record<string, unknown>>;

export const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);

export const documentOf = (value: unknown): Document => (isDocument(value) ? value : NOTHING);
const NOTHING: Document = Object.freeze({});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : NO_ITEMS);
const NO_ITEMS: readonly unknown[] = Object.freeze([]);

/** Vendors whose servers are typed write every member, with a zero for what is not there: such a value stands for nothing. */
export function isZeroValued(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.every(isZeroValued);
  return isDocument(value) && Object.values(value).every(isZeroValued);
}

/** A document with members; undefined = it has none. */
export const filledDocument = (value: unknown): Document | undefined =>
  isDocument(value) && !isZeroValued(value) ? value : undefined;

/** A text that is there and not empty. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/**
 * The first of two figures that is not zero. Relays fill the members of one API and leave zeros in those of another:
 * a zero beside a figure is no figure.
 */
export const firstDefined = (first: unknown, second: unknown): unknown =>
  first === undefined || first === null || first === 0 ? (second ?? first) : first;

/** A time as whole seconds; compatible vendors give fractions of one, or milliseconds. */
export function wholeSecondsOf(value: unknown): number | undefined {
  const time = numberOf(value);
  if (time === undefined || time < 0) return undefined;
  return Math.floor(time > LAST_SECOND ? time / 1_000 : time);
}
/** The year 5138 in seconds, 1973 in milliseconds. */
const LAST_SECOND = 1e11;

/** Sequences an answer ends at, one or several; an empty list, which some clients always send, asks for none. */
export function readStops(
  sent: string | readonly string[] | null | undefined,
): readonly string[] | undefined {
  if (sent === null || sent === undefined) return undefined;
  const stops = typeof sent === 'string' ? [sent] : sent;
  return stops.length === 0 ? undefined : stops;
}

/** A member when the value is known; `null` on the wire means "not given". */
export function given<Name extends string, Value>(
  name: Name,
  value: Value | null | undefined,
): { [K in Name]?: Value } {
  return value === null || value === undefined ? {} : ({ [name]: value } as { [K in Name]: Value });
}

/** Sets a member when the value is known. */
export function setGiven(target: Record<string, unknown>, name: string, value: unknown): void {
  if (value !== undefined) target[name] = value;
}

/**
 * The document a JSON text holds; undefined when it holds none, as arguments that a model wrote.
 * @param parse  `JSON.parse` where no number is written again as it came
 */
export function parseDocument(
  text: string | Buffer,
  parse: (text: string) => unknown = parseExact,
): Document | undefined {
  try {
    const value = parse(text.toString());
    return isDocument(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
