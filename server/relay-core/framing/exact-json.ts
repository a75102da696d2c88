/** Node's additions to `JSON` for numbers that JavaScript's own cannot hold; TypeScript's ES2024 does not describe them yet. */
interface RawJson {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
}
const json = JSON as unknown as RawJson;

/** A number as it was written, for `JSON.stringify` to write again; it has no members of its own. */
export const isRawNumber = (value: object): boolean => json.isRawJSON(value);

/**
 * The value of a JSON text that is written again later. Whole numbers beyond 2^53 (ids, limits of 64 bits) keep their digits; a reader of
 * numbers takes them for something else than a number. Everything else is what `JSON.parse` gives. Throws what that throws.
 */
export const parseExact = (text: string): unknown =>
  LONG_NUMBER.test(text) ? json.parse(text, keepDigits) : JSON.parse(text);

/** The same of one frame of a stream, where only calls of functions bring values that are written again as they came. */
export const parseFrame = (text: string): unknown =>
  text.includes('function') ? parseExact(text) : JSON.parse(text);

/** May find one inside of a text: that costs time, never a digit. */
const LONG_NUMBER = /[:[,\s]-?\d{16}|^-?\d{16}/;

function keepDigits(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value;
  return WHOLE.test(source) ? json.rawJSON(source) : value;
}
const WHOLE = /^-?\d+$/;

/**
 * The value of a JSON text of which most is passed on: every number is written again as it came (`1.0`, `1e-7`, long ones).
 * @param read  members whose numbers are read; those are plain numbers
 */
export const parseAsWritten = (text: string, read: ReadonlySet<string>): unknown =>
  ALTERED_NUMBER.test(text)
    ? json.parse(text, (key, value, { source }) =>
        typeof value === 'number' && source !== undefined && String(value) !== source && !read.has(key)
          ? json.rawJSON(source)
          : value,
      )
    : JSON.parse(text);

/** A number whose form JavaScript may change; finds some inside of texts, too. */
const ALTERED_NUMBER =
  /[:[,\s]-?(?:\d[\d.]{15}|\d+\.\d*0(?!\d)|0\.0{6}|\d+(?:\.\d+)?[eE])|[:[,\s]-0(?![.\d])/;

/** A number that keeps its digits as one to compare with; everything else as it is. */
export const plainNumber = (value: unknown): unknown =>
  json.isRawJSON(value) ? Number(JSON.stringify(value)) : value;

/** A copy of a value that `parseExact` gave. */
export const cloneExact = (value: unknown): unknown =>
  value === undefined ? undefined : parseExact(JSON.stringify(value));
