import { z } from 'zod';
import { precisionLossOf } from '../../common/precision-loss.js';
import { cleanLine, cleanText, splitList } from '../../common/text.js';
import { isTimeZone, UTC } from '../../common/time-zone.js';
import {
  formatStatusRanges,
  parseStatusRanges,
  type StatusRanges,
} from '../../relay-core/model/status-ranges.js';
import { complaintOf, describePrecisionLoss, placeOf, placeText } from './json-complaint.js';
import type { FetchCaller } from '../../infra/http-client/outbound-callers.js';
import type { OptionHeading } from './option-headings.js';
import type { OptionSection } from './option-sections.js';
import { parseJson } from '../../common/parse-json.js';

/**
 * Read and write access of an option. public: shown by /api/status and related routes · ops: administrators read it · security:
 * administrators read it, root alone changes it · secret: stored encrypted, never returned, only "set" or "not set"; root's to
 * change.
 */
export type OptionClass = 'public' | 'ops' | 'security' | 'secret';

/** Screen of the console that edits it; `none` = no screen. */
export const OPTION_TABS = ['operation', 'ratelimit', 'models', 'system', 'other', 'none'] as const;
export type OptionTab = (typeof OPTION_TABS)[number];

export const OPTION_KINDS = [
  'flag',
  'integer',
  'number',
  'text',
  'address',
  'choice',
  'lines',
  'list',
  'json',
] as const;
export type OptionKind = (typeof OPTION_KINDS)[number];

/** Least and greatest value, both accepted. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/** One option: parser, default value, access class. */
export interface OptionRow<T> {
  readonly kind: OptionKind;
  /** Bounds of a number; absent = the option is no number. */
  readonly bounds?: NumberRange;
  readonly fallback: T;
  readonly class: OptionClass;
  readonly tab: OptionTab;
  /** Heading of the tab; absent = edited on a screen of its own, or on none. */
  readonly heading?: OptionHeading;
  /** Section of the permission root grants to administrators. */
  readonly section: OptionSection;
  /** A value that grants access by itself: administrators see only whether there is one. */
  readonly isRootsToRead?: boolean;
  /** One sentence for docs/options.md. */
  readonly help: string;
  /** Stored text → value. Fails: OptionValueError with what was expected. */
  readonly parse: (text: string) => T;
  /** Value → stored text. */
  readonly format: (value: T) => string;
  /** True when the value's canonical text is stored, whatever spelling was typed: without trailing slashes, each entry once. */
  readonly storesOwnText?: boolean;
  /** Accepted values, in words. */
  readonly range: string;
  /**
   * Fault of a text that is still usable, in words: checked for new values only, and shown for stored ones. Absent = every readable
   * text is right.
   */
  readonly complaint?: (text: string) => string | undefined;
  /** Every word a value can hold, in the order they are offered. */
  readonly choices?: readonly string[];
  /** Addresses in a value that the server itself calls, and by which rules. */
  readonly calls?: CalledAddresses<T>;
}

export interface CalledAddresses<T> {
  readonly as: FetchCaller;
  readonly addressesOf: (value: T) => readonly string[];
}

/** `message` describes the accepted values; it holds no value. */
export class OptionValueError extends Error {}

type Place = Pick<OptionRow<unknown>, 'tab' | 'heading' | 'section' | 'help' | 'isRootsToRead'> & {
  readonly class?: OptionClass;
};

/** Of an address the server calls: by which rules. Absent = browsers open it. */
type AddressPlace = Place & { readonly calledAs?: FetchCaller };

const MAX_TEXT_CHARACTERS = 65_536;
const MAX_JSON_CHARACTERS = 1_000_000;

export function flag(fallback: boolean, place: Place): OptionRow<boolean> {
  return {
    ...row('flag', fallback, place, 'true or false'),
    parse: (text) => {
      if (text !== 'true' && text !== 'false') throw new OptionValueError('true or false');
      return text === 'true';
    },
  };
}

export function integer(fallback: number, { min, max }: NumberRange, place: Place): OptionRow<number> {
  const range = `whole number from ${min} to ${max}`;
  return {
    ...row('integer', fallback, place, range),
    bounds: { min, max },
    parse: (text) => {
      const value = Number(text);
      const isRight =
        /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(value) && value >= min && value <= max;
      if (!isRight) throw new OptionValueError(range);
      return value;
    },
  };
}

export function decimal(fallback: number, { min, max }: NumberRange, place: Place): OptionRow<number> {
  const range = `number from ${min} to ${max}`;
  return {
    ...row('number', fallback, place, range),
    bounds: { min, max },
    complaint: (given) => {
      const lost = precisionLossOf(given);
      return lost === undefined ? undefined : `${range}, ${describePrecisionLoss(lost)}`;
    },
    parse: (text) => {
      const value = Number(text);
      const isRight = /^-?\d+(\.\d+)?(e-?\d{1,2})?$/i.test(text) && value >= min && value <= max;
      if (!isRight) throw new OptionValueError(range);
      return value;
    },
  };
}

/** Free text of one or more lines. */
export function text(
  place: Place & { readonly fallback?: string; readonly max?: number; readonly oneLine?: boolean },
): OptionRow<string> {
  const { fallback = '', max = MAX_TEXT_CHARACTERS, oneLine = true, ...rest } = place;
  const range = `text of at most ${max} characters`;
  return {
    ...row('text', fallback, rest, range),
    parse: (given) => {
      const value = oneLine ? cleanLine(given) : cleanText(given);
      if (value.length > max) throw new OptionValueError(range);
      return value;
    },
  };
}

/** A credential: exactly the characters given, without blanks around them. @param minBytes  shorter ones can be guessed */
export function secret({
  minBytes = 0,
  ...place
}: Omit<Place, 'class'> & { readonly minBytes?: number }): OptionRow<string> {
  const row = text({ ...place, class: 'secret', max: 4_096 });
  if (minBytes === 0) return row;
  return narrowed(row, `text of ${minBytes} to 4096 bytes`, (value) => Buffer.byteLength(value) >= minBytes);
}

/** A row that takes of its texts only the empty one, and those that fit. */
const narrowed = (
  row: OptionRow<string>,
  range: string,
  fits: (value: string) => boolean,
): OptionRow<string> => ({
  ...row,
  range,
  parse: (given) => {
    const value = row.parse(given);
    if (value !== '' && !fits(value)) throw new OptionValueError(range);
    return value;
  },
});

/** Name of the time zone database; UTC at first. */
export function timeZone(place: Place): OptionRow<string> {
  const range = 'a time zone such as Asia/Kolkata';
  const row = text({ ...place, fallback: UTC, max: 64 });
  return {
    ...row,
    range,
    parse: (given) => {
      const value = row.parse(given);
      if (!isTimeZone(value)) throw new OptionValueError(range);
      return value;
    },
  };
}

/** Empty, or an http(s) address; a trailing slash is cut. */
export const address = (place: AddressPlace): OptionRow<string> => ({
  ...addressRow(place, (text) => text.replace(/\/+$/, '')),
  storesOwnText: true,
});

/** Source of an image: an http(s) address, a path of this site, or the image itself as `data:image/…`. */
export function image({ max, ...place }: Place & { readonly max: number }): OptionRow<string> {
  const range = 'empty, an http or https address, a path that begins with /, or data:image/…';
  return narrowed(text({ ...place, max }), range, (value) => IMAGE_ADDRESS.test(value));
}

const IMAGE_ADDRESS = /^(?:https?:\/\/[^\s/]|\/(?![/\\])|data:image\/[a-z0-9.+-]+[;,])\S*$/i;

/** Like an address, kept to the letter: providers distinguish `/token/` from `/token`. */
export const endpoint = (place: AddressPlace): OptionRow<string> => addressRow(place, (text) => text);

/** Like an endpoint, for requests whose content the network must not read. */
export const encryptedEndpoint = (place: AddressPlace): OptionRow<string> =>
  narrowed(endpoint(place), 'empty, or an https address', (value) => URL.parse(value)?.protocol === 'https:');

function addressRow({ calledAs, ...place }: AddressPlace, trim: (text: string) => string): OptionRow<string> {
  const range = 'empty, or an http or https address';
  return {
    ...row('address', '', place, range),
    ...(calledAs === undefined
      ? {}
      : { calls: { as: calledAs, addressesOf: (value: string) => (value === '' ? [] : [value]) } }),
    parse: (given) => {
      const value = trim(cleanLine(given));
      if (value === '') return '';
      const url = URL.parse(value);
      if (
        url === null ||
        !/^https?:$/.test(url.protocol) ||
        url.username !== '' ||
        url.password !== '' ||
        value.length > 2_048
      ) {
        throw new OptionValueError(range);
      }
      return value;
    },
  };
}

/** Stripe counts these in thousandths, or refuses parts of a unit that it counts: sums in them would not be exact. */
const UNUSUAL_CURRENCIES = new Set(['bhd', 'isk', 'jod', 'kwd', 'omr', 'tnd', 'ugx']);

/** A three-letter currency code, lower case. */
export function currencyCode(fallback: string, place: Place): OptionRow<string> {
  const range = 'a three-letter currency code with hundredths or without parts';
  return {
    ...row('text', fallback, place, range),
    parse: (given) => {
      const value = given.trim().toLowerCase();
      if (!/^[a-z]{3}$/.test(value) || UNUSUAL_CURRENCIES.has(value)) throw new OptionValueError(range);
      return value;
    },
  };
}

export function choice<const T extends string>(values: readonly [T, ...T[]], place: Place): OptionRow<T> {
  const range = `one of ${values.join(', ')}`;
  return {
    ...row<T>('choice', values[0], place, range),
    choices: values,
    parse: (given) => {
      const value = values.find((candidate) => candidate === given);
      if (value === undefined) throw new OptionValueError(range);
      return value;
    },
  };
}

/** HTTP statuses as codes and ranges. @param fallback  in the same form */
export function statusRanges(fallback: string, place: Place): OptionRow<StatusRanges> {
  const range = 'comma-separated statuses and ranges from 100 to 599, such as 401-403,429';
  const parse = (given: string): StatusRanges => {
    const ranges = given.length > 2_000 ? undefined : parseStatusRanges(given);
    if (ranges === undefined) throw new OptionValueError(range);
    return Object.freeze(ranges);
  };
  return { ...row('text', parse(fallback), place, range), parse, format: formatStatusRanges };
}

/** One entry per line. */
export function lines(fallback: readonly string[], place: Place): OptionRow<readonly string[]> {
  return {
    ...row<readonly string[]>('lines', fallback, place, 'one entry per line'),
    parse: (given) => {
      if (given.length > MAX_TEXT_CHARACTERS)
        throw new OptionValueError(`at most ${MAX_TEXT_CHARACTERS} characters`);
      return Object.freeze([...new Set(given.split(/\r?\n/).map(cleanLine).filter(Boolean))]);
    },
    format: (value) => value.join('\n'),
  };
}

/** Comma-separated entries, lower case, each once. An empty text is an empty list. */
export function commaList(
  fallback: readonly string[],
  entry: RegExp,
  { choices, ...place }: Place & Pick<OptionRow<unknown>, 'choices'>,
): OptionRow<readonly string[]> {
  const range = 'comma-separated list';
  return {
    ...row<readonly string[]>('list', fallback, place, range),
    ...(choices === undefined ? {} : { choices }),
    parse: (given) => {
      const entries = splitList(given.toLowerCase());
      const wrong = entries.find((candidate) => !entry.test(candidate));
      if (wrong !== undefined || given.length > MAX_TEXT_CHARACTERS) throw new OptionValueError(range);
      return Object.freeze(entries);
    },
    format: (value) => value.join(','),
    storesOwnText: true,
  };
}

/**
 * A JSON document. Objects in it have no prototype, so that a key like `constructor` is never an inherited member.
 * @param range  the expected form, in words
 */
export function json<T>(
  fallback: T,
  schema: z.ZodType<T>,
  range: string,
  {
    faultOf,
    calls,
    ...place
  }: Place & {
    readonly calls?: CalledAddresses<T>;
    /** Finds further faults of a new value, by their place. */
    readonly faultOf?: (value: T) => string | undefined;
  },
): OptionRow<T> {
  return {
    ...row('json', freezeDeep(fallback) as T, place, range),
    ...(calls === undefined ? {} : { calls }),
    complaint: (given) => complaintOf(given, { schema, range, faultOf }),
    parse: (given) => {
      if (given.length > MAX_JSON_CHARACTERS)
        throw new OptionValueError(`at most ${MAX_JSON_CHARACTERS} characters`);
      const document = parseJson(given);
      if (document === undefined) throw new OptionValueError(`valid JSON: ${range}`);
      if (namesPrototype(document)) throw new OptionValueError(`${range}, without a key named __proto__`);
      const parsed = schema.safeParse(document);
      if (parsed.success) return freezeDeep(parsed.data) as T;
      const wrong = placeOf(parsed.error.issues);
      throw new OptionValueError(wrong.length === 0 ? range : `${range} (see ${placeText(wrong)})`);
    },
    format: (value) => JSON.stringify(value, null, 2),
  };
}

function row<T>(kind: OptionKind, fallback: T, place: Place, range: string): Omit<OptionRow<T>, 'parse'> {
  return {
    kind,
    fallback,
    class: place.class ?? 'ops',
    tab: place.tab,
    ...(place.heading === undefined ? {} : { heading: place.heading }),
    section: place.section,
    ...(place.isRootsToRead === true ? { isRootsToRead: true } : {}),
    help: place.help,
    range,
    format: String,
  };
}

function freezeDeep(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(freezeDeep));
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, member] of Object.entries(value)) {
    copy[key] = freezeDeep(member);
  }
  return Object.freeze(copy);
}

/** True when any key would write a prototype: it would be dropped in silence, and the rest would replace the stored value. */
function namesPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Object.hasOwn(value, '__proto__')) return true;
  return Object.values(value).some(namesPrototype);
}
