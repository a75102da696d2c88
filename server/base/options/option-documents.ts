import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import type { LengthTierDocument } from '../pricing/length-tiers.js';
import { MODEL_PATTERN } from '../pricing/model-factors.js';
import { SERVICE_TIER_KEY } from '../pricing/service-tiers.js';
import { TOOL_PRICE_KEY } from '../pricing/tool-prices.js';

/** JSON forms that several options share. */
type NumberMap = Readonly<Record<string, number>>;

/** Blanks around a name are pasted with it and match nothing. */
const name = z.string().trim().min(1).max(255);
/** Ratios and prices: zero or more; larger ones are typing mistakes. */
const ratio = z.number().min(0).max(1_000_000);

export const ratioMap: z.ZodType<NumberMap> = z.record(name, ratio);
export const RATIO_MAP_FORM = 'a JSON object of names to numbers from 0 to 1000000';

/** Group of the account to group of the call to factor. */
export const groupRatioMap: z.ZodType<Readonly<Record<string, NumberMap>>> = z.record(name, ratioMap);

/** Group of the account to model (or pattern of names) to factor. */
export const groupModelMap: z.ZodType<Readonly<Record<string, NumberMap>>> = z.record(
  name,
  z.record(z.string().regex(MODEL_PATTERN), ratio),
);

/** Tool, with a context size and a model where the price depends on them, to dollars per thousand uses. */
export const toolPriceMap: z.ZodType<NumberMap> = z.record(z.string().regex(TOOL_PRICE_KEY), ratio);

/** Class of service, with a model where the factor depends on it, to the factor of what tokens cost. */
export const serviceTierMap: z.ZodType<NumberMap> = z.record(z.string().regex(SERVICE_TIER_KEY), ratio);

/** Model to prices of long calls, as factors of its usual ones. */
export const lengthTierMap: z.ZodType<LengthTierDocument> = z.record(
  name,
  z
    .array(
      z.object({
        above: z.int().min(1).max(100_000_000),
        input: ratio,
        output: ratio,
        cache_read: ratio.optional(),
        cache_write: ratio.optional(),
      }),
    )
    .max(10),
);

/** Group to whether something is on for it. */
export const groupFlagMap: z.ZodType<Readonly<Record<string, boolean>>> = z.record(name, z.boolean());

export const tokenCountMap: z.ZodType<NumberMap> = z.record(name, z.int().min(1).max(10_000_000));
export const textMap: z.ZodType<Readonly<Record<string, string>>> = z.record(name, z.string().max(1_000));
/** Harm category (or `default`) to threshold. */
export const safetyMap: z.ZodType<Readonly<Record<string, string>>> = z.record(
  z.union([z.literal('default'), z.string().regex(/^HARM_CATEGORY_[A-Z_]{1,60}$/)]),
  z.enum(['OFF', 'BLOCK_NONE', 'BLOCK_ONLY_HIGH', 'BLOCK_MEDIUM_AND_ABOVE', 'BLOCK_LOW_AND_ABOVE']),
);
/** Model (or `default`) to one path part of an address. */
export const versionMap: z.ZodType<Readonly<Record<string, string>>> = z.record(
  name,
  z.string().regex(/^v[0-9][A-Za-z0-9._-]{0,30}$/),
);
export const nameList: z.ZodType<readonly string[]> = z.array(name).max(10_000);

/** Group to [all requests per period (0 = no limit), successful requests per period]. */
export const groupLimitMap: z.ZodType<Readonly<Record<string, readonly [number, number]>>> = z.record(
  name,
  z.tuple([z.int().min(0).max(2_147_483_647), z.int().min(1).max(2_147_483_647)]),
);

/** Model to header name to values. */
export const modelHeaderMap: z.ZodType<
  Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
> = z.record(
  name,
  z.record(z.string().regex(/^[A-Za-z0-9-]{1,100}$/), z.array(z.string().regex(/^[\t\x20-\x7e]{0,1000}$/))),
);

/**
 * Chat links: a list of one-member objects, label to address. An address is https with a fixed host and no credentials, http with a host
 * of the own network, or an application's own scheme; never a script.
 */
export const chatLinks: z.ZodType<readonly Readonly<Record<string, string>>[]> = z
  .array(
    z.record(z.string().min(1).max(100), z.string().max(2_000)).superRefine((entry, context) => {
      const [first, second] = Object.keys(entry);
      if (first === undefined) context.addIssue({ code: 'custom', message: 'one label per entry' });
      if (second !== undefined)
        context.addIssue({ code: 'custom', message: 'one label per entry', path: [second] });
      for (const [label, link] of Object.entries(entry))
        if (!isSafeChatLink(link))
          context.addIssue({
            code: 'custom',
            path: [label],
            message: 'https, http within the own network, or the scheme of an application',
          });
    }),
  )
  .max(100);

const FORBIDDEN_SCHEMES = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
  'ftp:',
  'ws:',
  'wss:',
]);

export function isSafeChatLink(link: string): boolean {
  const url = URL.parse(link);
  if (url === null || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return url.hostname !== '' && !/[{}]/.test(url.hostname);
  if (url.protocol === 'http:') return isLocalHost(url.hostname);
  return !FORBIDDEN_SCHEMES.has(url.protocol) && /^[a-z][a-z0-9+.-]*:\/\//.test(link);
}

/** Names that networks at home and in an office give, beside plain names without a dot. */
const LOCAL_NAMES =
  /^(?:[a-z0-9_-]+|(?:[a-z0-9_-]+\.)+(?:local|lan|home|internal|intranet|localhost|home\.arpa))$/;
const LOCAL_RANGES: ReadonlySet<string> = new Set(['private', 'loopback', 'uniqueLocal', 'linkLocal']);

/** A host that only the own network reaches: a key sent there in clear text does not cross the internet. */
function isLocalHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(address)
    ? LOCAL_RANGES.has(ipaddr.process(address).range())
    : LOCAL_NAMES.test(hostname);
}

export const DISCOUNT_MAP_FORM = 'a JSON object of amounts to factors above 0, at most 1';
export const TOP_UP_RATIO_FORM = 'a JSON object of groups to factors above 0, at most 1000000';
/** The group whose factor of 0 would count as 1 and charge the full price; undefined = none. */
export const wrongTopUpRatio = (ratios: NumberMap): string | undefined =>
  Object.keys(ratios).find((group) => ratios[group] === 0);
/** The amount whose factor would give credit away or cost more than without a discount; undefined = none. */
export const wrongDiscount = (discounts: NumberMap): string | undefined =>
  Object.keys(discounts).find((amount) => !isDiscount(discounts[amount] ?? 0));
const isDiscount = (factor: number): boolean => factor > 0 && factor <= 1;

export const PAY_METHODS_FORM = 'a JSON list of {"name", "type"}, each type once';
/** An unknown member, or a type that two payment methods share: an order names its method by the type alone. Undefined = none. */
export function wrongPayMethod(methods: readonly Readonly<Record<string, string>>[]): string | undefined {
  for (const [index, method] of methods.entries()) {
    const unknown = Object.keys(method).find((member) => member !== 'name' && member !== 'type');
    if (unknown !== undefined) return `${index}.${unknown}`;
  }
  const types = methods.flatMap(({ type = '' }) => (type === '' ? [] : [type]));
  return types.find((type, index) => types.indexOf(type) !== index);
}

export const payMethods: z.ZodType<readonly Readonly<Record<string, string>>[]> = z
  .array(z.record(name, z.string().max(200)))
  .max(50);
export const amountList: z.ZodType<readonly number[]> = z.array(z.int().min(1).max(1_000_000)).max(50);
