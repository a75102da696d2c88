import { sortGroups } from '../../shared/format/lists';
import type { PriceEntry, PriceList } from './api';

/** Dollars per million input tokens at ratio 1. */
const DOLLARS_PER_RATIO = 2;
const DEFAULT_GROUP = 'default';
export type PriceType = 'use' | 'call';
/** Filter of a list: how calls are charged, or models without a price. */
export const PRICE_KINDS = ['use', 'call', 'unset'] as const;
export type PriceKind = (typeof PRICE_KINDS)[number];

export const typeOf = (entry: Pick<PriceEntry, 'quota_type'>): PriceType =>
  entry.quota_type === 1 ? 'call' : 'use';

export const priceKindOf = (entry: Pick<PriceEntry, 'quota_type' | 'is_price_unset'>): PriceKind =>
  entry.is_price_unset ? 'unset' : typeOf(entry);

/** Price of a model in a group. Dollars, per million tokens unless stated otherwise. */
export interface GroupPrice {
  /** Per call; only of models priced by the call. */
  readonly call?: number;
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** Output the model only thought. */
  readonly reasoning?: number;
  readonly imageInput?: number;
  readonly imageOutput?: number;
  readonly audioInput?: number;
  readonly audioOutput?: number;
}

/** Factor of every price: that of the reader's own group for the model replaces that of the called group. */
export const factorIn = (
  entry: Pick<PriceEntry, 'account_group_ratio'>,
  groupRatio: number | undefined,
): number => entry.account_group_ratio ?? groupRatio ?? 1;

/** Price of a model without one where it is served all the same: dollars per million tokens. */
export const fallbackPrice = (entry: PriceEntry, groupRatio: number | undefined): number =>
  entry.model_ratio * DOLLARS_PER_RATIO * factorIn(entry, groupRatio);

/** Empty while no price is set. Prompt price = model ratio × 2 × group ratio; completion price = prompt price × completion ratio. */
export function priceIn(entry: PriceEntry, groupRatio: number | undefined): GroupPrice {
  if (entry.is_price_unset) return {};
  const factor = factorIn(entry, groupRatio);
  if (typeOf(entry) === 'call') return { call: entry.model_price * factor };
  const input = entry.model_ratio * DOLLARS_PER_RATIO * factor;
  const usual = entry.completion_ratio;
  return {
    input,
    output: input * entry.completion_ratio,
    cacheRead: input * entry.cache_ratio,
    cacheWrite: input * entry.create_cache_ratio,
    ...differing('reasoning', input, { ratio: entry.reasoning_ratio ?? usual, usual }),
    ...differing('imageInput', input, { ratio: entry.image_ratio, usual: 1 }),
    ...differing('imageOutput', input, { ratio: entry.image_completion_ratio, usual }),
    ...(entry.audio_ratio === 1 && entry.audio_completion_ratio === entry.completion_ratio
      ? {}
      : {
          audioInput: input * entry.audio_ratio,
          audioOutput: input * entry.audio_ratio * entry.audio_completion_ratio,
        }),
  };
}

/** A part with a price of its own; left out where it costs what its kind costs anyway. */
function differing(
  part: keyof GroupPrice,
  input: number,
  { ratio, usual }: { ratio: number; usual: number },
): GroupPrice {
  return ratio === usual ? {} : { [part]: input * ratio };
}

/** Three decimals at most, two at least; a price that would look free keeps two significant digits. */
export function formatPrice(dollars: number): string {
  if (dollars > 0 && dollars < 0.0005)
    return `$${dollars.toFixed(Math.min(12, 1 - Math.floor(Math.log10(dollars))))}`;
  return `$${dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 3 })}`;
}

/** Groups of a list, `default` first. */
export function groupsOf(list: Pick<PriceList, 'groupRatio'>): string[] {
  return sortGroups(Object.keys(list.groupRatio).filter((name) => name !== ''));
}

/** The group whose prices are shown: the chosen one, else the reader's own, else `default`. */
export function shownGroup(groups: readonly string[], chosen: string, own: string | undefined): string {
  return (
    [chosen, own, DEFAULT_GROUP].find((name) => name !== undefined && groups.includes(name)) ??
    groups[0] ??
    ''
  );
}

export interface PriceFilters {
  readonly keyword: string;
  readonly vendor: string;
  readonly type: string;
}

/** Models whose name holds the keyword, upper and lower case alike; those without a price come last. */
export function matching(
  entries: readonly PriceEntry[],
  { keyword, vendor, type }: PriceFilters,
): PriceEntry[] {
  const wanted = keyword.trim().toLowerCase();
  return entries
    .filter(
      (entry) =>
        entry.model_name.toLowerCase().includes(wanted) &&
        (vendor === '' || entry.vendor === vendor) &&
        (type === '' || priceKindOf(entry) === type),
    )
    .toSorted((left, right) => Number(left.is_price_unset) - Number(right.is_price_unset));
}

/** Makers that are in the list, by name. */
export function vendorsOf(entries: readonly PriceEntry[]): string[] {
  return [...new Set(entries.map(({ vendor }) => vendor).filter((vendor) => vendor !== ''))].toSorted(
    (a, b) => a.localeCompare(b),
  );
}
