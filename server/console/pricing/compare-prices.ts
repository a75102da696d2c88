import { readTiers } from '../../base/pricing/length-tiers.js';
import { PriceDocumentError, readDecimal } from '../../base/pricing/read-price-document.js';
import { SERVICE_TIER_KEY, serviceTierKey, ServiceTiers } from '../../base/pricing/service-tiers.js';
import type { OptionValues } from '../../base/options/option-catalogue.js';
import type { ListedPrice } from './listed-price.js';
import {
  optionsOfPrice,
  SYNCED_KEYS,
  type PriceEntries,
  type ServiceTierEntries,
  type SyncedKey,
} from './options-of-price.js';

/** One entry of one option that would change. Values are JSON; null = no entry. */
export interface EntryDifference {
  readonly key: SyncedKey;
  readonly current: unknown;
  readonly listed: unknown;
}

export interface PriceDifference {
  readonly model: string;
  readonly provider: string;
  readonly state: 'added' | 'changed' | 'same' | 'unsupported';
  /** Why it is unsupported; empty otherwise. */
  readonly reason: string;
  readonly entries: readonly EntryDifference[];
}

type Documents = Pick<OptionValues, SyncedKey>;

/** Changes from taking over a list. Entries that are not in the list stay as they are. */
export function comparePrices(list: readonly ListedPrice[], current: Documents): readonly PriceDifference[] {
  const tiers = new ServiceTiers(current.ServiceTierRatio);
  return list.map((price) => compare(price, current, tiers)).toSorted(byStateAndName);
}

function compare(price: ListedPrice, current: Documents, tiers: ServiceTiers): PriceDifference {
  const { model, provider } = price;
  if (price.unsupported !== undefined)
    return { model, provider, state: 'unsupported', reason: price.unsupported, entries: [] };
  const listed = optionsOfPrice(price);
  const fault = nameFault(model) ?? entryFault(model, listed);
  if (fault !== undefined) return { model, provider, state: 'unsupported', reason: fault, entries: [] };
  const entries = SYNCED_KEYS.flatMap((key) =>
    key === 'ServiceTierRatio'
      ? tierDifference(model, listed.ServiceTierRatio, tiers)
      : differenceIn(key, model, listed, current),
  );
  const isKnown = Object.hasOwn(current.ModelRatio, model) || Object.hasOwn(current.ModelPrice, model);
  const state = entries.length === 0 ? 'same' : isKnown ? 'changed' : 'added';
  return { model, provider, state, reason: '', entries };
}

/** Longest name of a model the tables hold. */
const MAX_NAME_LENGTH = 255;

/** Reason a listed name cannot be a model's; undefined = it can. */
export function nameFault(model: string): string | undefined {
  // JSON readers disagree about this name, so no model may have it.
  if (model === '__proto__') return 'the name cannot be a name of a model';
  if (model.trim() === '') return 'the model has no name';
  if (model.length > MAX_NAME_LENGTH) return `the name is longer than ${MAX_NAME_LENGTH} characters`;
  return /\p{Cc}/u.test(model) ? 'the name has control characters in it' : undefined;
}

/** Refusal that storing the price would meet; undefined = none. */
function entryFault(model: string, listed: PriceEntries): string | undefined {
  const { LongContextRatio: tiers, ServiceTierRatio: serviceTiers = {}, ...ratios } = listed;
  try {
    for (const [tier, factor] of Object.entries(serviceTiers))
      readDecimal(factor, 'ServiceTierRatio', serviceTierKey(tier, model));
    for (const [key, value] of Object.entries(ratios)) readDecimal(value, key, model);
    if (tiers !== undefined) readTiers({ [model]: tiers });
    return undefined;
  } catch (error) {
    if (error instanceof PriceDocumentError) return error.message;
    throw error;
  }
}

function differenceIn(
  key: Exclude<SyncedKey, 'ServiceTierRatio'>,
  model: string,
  listed: PriceEntries,
  current: Documents,
): EntryDifference[] {
  const now: unknown = Object.hasOwn(current[key], model) ? (current[key][model] ?? null) : null;
  const wanted: unknown = listed[key];
  if (wanted === undefined) {
    // A price per call beats every ratio: it has to go where the list has ratios.
    const beats = key === 'ModelPrice' && now !== null && listed.ModelRatio !== undefined;
    return beats ? [{ key, current: now, listed: null }] : [];
  }
  return isAlike(now, wanted) ? [] : [{ key, current: now, listed: wanted }];
}

/**
 * Classes of service that would cost something else than now, an entry for many models included. A name that cannot stand behind a class
 * (with a star or a space in it) has none.
 */
function tierDifference(
  model: string,
  listed: ServiceTierEntries | undefined,
  tiers: ServiceTiers,
): EntryDifference[] {
  const now = tiers.of(model) ?? {};
  const changed = Object.entries(listed ?? {}).filter(
    ([tier, factor]) =>
      SERVICE_TIER_KEY.test(serviceTierKey(tier, model)) &&
      !model.endsWith('*') &&
      !(Object.hasOwn(now, tier) && isAlike(Number(now[tier]), factor)),
  );
  if (changed.length === 0) return [];
  const known = changed.flatMap(([tier]) => (Object.hasOwn(now, tier) ? [[tier, Number(now[tier])]] : []));
  return [
    {
      key: 'ServiceTierRatio',
      current: known.length === 0 ? null : (Object.fromEntries(known) as ServiceTierEntries),
      listed: Object.fromEntries(changed),
    },
  ];
}

function isAlike(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number')
    return left.toPrecision(10) === right.toPrecision(10);
  return JSON.stringify(left) === JSON.stringify(right);
}

const RANK = { added: 0, changed: 1, unsupported: 2, same: 3 } as const;

const byStateAndName = (left: PriceDifference, right: PriceDifference): number =>
  RANK[left.state] - RANK[right.state] ||
  (left.model < right.model ? -1 : left.model > right.model ? 1 : 0) ||
  (left.provider < right.provider ? -1 : 1);
