import type { ListPrice } from '../../base/pricing/defaults/list-prices.js';
import type { LongContextPrice } from '../../base/pricing/defaults/long-context-prices.js';

/** Price of a model in a published list. Dollars; per million tokens unless noted otherwise. */
export interface ListedPrice extends ListPrice {
  readonly model: string;
  /** Provider of the listing, by its name in the list. */
  readonly provider: string;
  readonly cacheWrite1h?: number;
  readonly tiers?: readonly LongContextPrice[];
  /** Class of service → what its tokens cost, as a factor of the usual prices. */
  readonly serviceTiers?: Readonly<Record<string, number>>;
  /** Why it cannot be taken over; absent = it can. */
  readonly unsupported?: string;
}

/** A list as it was read. */
export interface PublishedList {
  readonly format: 'models.dev' | 'litellm';
  readonly prices: readonly ListedPrice[];
}

/** The member of a price entry when it is a usable number. */
export function priceOf(entry: Readonly<Record<string, unknown>>, member: string): number | undefined {
  const value = Object.hasOwn(entry, member) ? entry[member] : undefined;
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Only members that are there. */
export function withoutGaps<T extends object>(
  fields: T,
): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}
