import { z } from 'zod';
import { DEFAULT_PAGE_SIZE, MAX_OFFSET, MAX_PAGE_SIZE } from './page.js';
import { isTimeZone } from './time-zone.js';

/**
 * Query parameters as the clients of this API family send them: undecodable numbers count as 0,
 * while ids never do.
 */
const wholeNumber = (text: string): number => {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : 0;
};

/** Largest number of a four-byte column: ids, types, statuses. PostgreSQL fails on a larger one, even in a condition. */
export const MAX_COLUMN_INTEGER = 2_147_483_647;

/** Texts on the wire; the OpenAPI document states their values, by which its clients are typed. */
const integerText = () => z.string().meta({ type: 'integer' }).optional();
const booleanText = () => z.string().meta({ type: 'boolean' }).optional();

/** A number that narrows a list: type, channel, size. 0 = no filter; one beyond every id and type counts as the largest. */
export const filterNumber = () =>
  integerText().transform((text = '') => Math.min(Math.max(0, wholeNumber(text)), MAX_COLUMN_INTEGER));

/** Seconds since 1970 that narrow a list. 0 = no filter. */
export const filterSeconds = () => integerText().transform((text = '') => Math.max(0, wholeNumber(text)));

/** A moment that narrows a list. 0 is one; absent and undecodable = no filter. */
export const filterMoment = () =>
  integerText().transform((text = '') => {
    const number = text.trim() === '' ? Number.NaN : Number(text);
    return Number.isSafeInteger(number) ? Math.max(0, number) : undefined;
  });

/** The end of a span. Consoles of this API family send 0 when none is chosen. */
export const filterEnd = () => filterMoment().transform((moment) => moment || undefined);

/** Same as `filterNumber`, but rejects anything but digits, so that a filter is never wider than requested. Empty and 0 = no filter. */
export const exactNumber = () =>
  integerText()
    .refine((text = '') => isDigits(text), 'must be a whole number')
    .refine((text = '') => Number(text) <= MAX_COLUMN_INTEGER, `must be at most ${MAX_COLUMN_INTEGER}`)
    .transform((text = '') => Number(text));

/** Same as `filterMoment`, but rejects an invalid moment. */
export const exactMoment = () =>
  integerText()
    .refine((text = '') => isDigits(text), 'must be a moment in seconds')
    .transform((text = '') => (text === '' ? undefined : Number(text)));

/** Same as `filterEnd`, but rejects an invalid moment. */
export const exactEnd = () => exactMoment().transform((moment) => moment || undefined);

/** Name of a time zone; rejects unknown names. Empty = the one of the account. */
export const timeZone = () =>
  z
    .string()
    .default('')
    .refine((name) => name === '' || isTimeZone(name), 'must be a time zone such as Asia/Kolkata')
    .meta({
      description: 'name in the time zone database, such as Asia/Kolkata; that of the account when absent',
    });

const isDigits = (text: string): boolean => /^(\s*\d{1,15}\s*)?$/.test(text);

/** Free text that narrows a list. Empty = no filter. */
export const filterText = (maxLength = 255) => shortText(maxLength).transform(trimmed);

/** Same as `filterText`, but rejects blanks alone, so that a filter is never wider than requested. Empty = no filter. */
export const exactText = (maxLength = 255) =>
  shortText(maxLength)
    .refine((text) => text === '' || trimmed(text) !== '', 'must not be blank')
    .transform(trimmed);

const shortText = (maxLength: number) => z.string().max(maxLength).default('');
const trimmed = (text: string): string => text.normalize('NFC').trim();

/** true, false, 1, 0. */
export const flag = () => booleanText().transform((text) => text === 'true' || text === '1');

/** Page size: 10 when absent or senseless, at most 100. */
export const pageSize = () =>
  integerText().transform((text = '') => {
    const size = wholeNumber(text);
    return size < 1 ? DEFAULT_PAGE_SIZE : Math.min(size, MAX_PAGE_SIZE);
  });

/**
 * Offset and limit of a page of a search. Searches take either name of the size, `size` or `page_size`, and return `longest` rows
 * when neither is set.
 */
export function searchPage(
  query: PageNumbers & { readonly size: number; readonly page_size: number },
  longest: number,
): { readonly offset: number; readonly limit: number } {
  const limit = Math.min(query.size || query.page_size || longest, longest);
  return { offset: Math.min(fromZero(query) * limit, MAX_OFFSET), limit };
}

/** Query parameters of a search that is read page by page; see `searchPage`. */
export const searchPaging = () => ({ ...zeroBasedPaging(), size: filterNumber(), page_size: filterNumber() });

/**
 * The page of a list: `page` counts from 1 everywhere. `p` counts from 1 on lists with a total, as older consoles have it; below 1
 * counts as 1.
 */
export const oneBasedPaging = () => ({
  p: z
    .string()
    .meta({ type: 'integer', description: 'the same as page' })
    .optional()
    .transform((text = '') => Math.max(1, wholeNumber(text))),
  page: numberedPage(),
});

/** The same for lists that are answered bare, where `p` counts from 0. */
export const zeroBasedPaging = () => ({
  p: z
    .string()
    .meta({ type: 'integer', description: 'page, counted from 0' })
    .optional()
    .transform((text = '') => Math.max(0, wholeNumber(text))),
  page: numberedPage(),
});

const numberedPage = () =>
  z
    .string()
    .meta({ type: 'integer', description: 'page, counted from 1; goes before p' })
    .transform((text) => (text.trim() === '' ? undefined : Math.max(1, wholeNumber(text))))
    .optional();

/** Both ways to name a page. */
export interface PageNumbers {
  readonly p: number;
  readonly page?: number | undefined;
}

/** The page of a one-based list, counted from 1. */
export const fromOne = ({ p, page }: PageNumbers): number => page ?? p;

/** The page of a zero-based list, counted from 0. */
export const fromZero = ({ p, page }: PageNumbers): number => (page === undefined ? p : page - 1);

/** A positive safe integer written in plain digits, of 15 at most. */
export const positiveInteger = ({
  problem = 'must be a positive integer',
  digits = 15,
  max = Number.MAX_SAFE_INTEGER,
} = {}) =>
  z
    .string()
    .refine((text) => text.length <= digits && /^[1-9]\d*$/.test(text) && Number(text) <= max, problem)
    .meta({ type: 'integer', minimum: 1, ...(max === Number.MAX_SAFE_INTEGER ? {} : { maximum: max }) })
    .transform(Number);

/** An id in a path. */
export const pathId = () =>
  positiveInteger({ problem: `must be an integer from 1 to ${MAX_COLUMN_INTEGER}`, max: MAX_COLUMN_INTEGER });

/** An id in a body. Numbers only: `"1"`, `1.5`, `[1]` and `null` are refused. */
export const bodyId = () => z.int().positive().max(MAX_COLUMN_INTEGER);

/** Ids of a bulk action. */
export const bodyIds = () => z.array(bodyId()).min(1).max(500);
