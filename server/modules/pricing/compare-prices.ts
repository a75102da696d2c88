import { readTiers } from '../billing/length-tiers.js';
import { PriceDocumentError, readDecimal } from '../billing/read-price-document.js';
import type { OptionValues } from '../options/option-catalogue.js';
import type { ListedPrice } from './listed-price.js';
import { optionsOfPrice, SYNCED_KEYS, type PriceEntries, type SyncedKey } from './options-of-price.js';

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

/** What taking over a list would change. Entries the list says nothing about stay as they are. */
export function comparePrices(list: readonly ListedPrice[], current: Documents): readonly PriceDifference[] {
  return list.map((price) => compare(price, current)).toSorted(byStateAndName);
}

function compare(price: ListedPrice, current: Documents): PriceDifference {
  const { model, provider } = price;
  if (price.unsupported !== undefined)
    return { model, provider, state: 'unsupported', reason: price.unsupported, entries: [] };
  const listed = optionsOfPrice(price);
  const fault = nameFault(model) ?? entryFault(model, listed);
  if (fault !== undefined) return { model, provider, state: 'unsupported', reason: fault, entries: [] };
  const entries = SYNCED_KEYS.flatMap((key) => differenceIn(key, model, listed, current));
  const isKnown = Object.hasOwn(current.ModelRatio, model) || Object.hasOwn(current.ModelPrice, model);
  const state = entries.length === 0 ? 'same' : isKnown ? 'changed' : 'added';
  return { model, provider, state, reason: '', entries };
}

/** Longest name of a model the tables hold. */
const MAX_NAME_LENGTH = 255;

/** Why a name of the list can be no model's here; undefined = it can. */
export function nameFault(model: string): string | undefined {
  // Where two readers of JSON may disagree about a name, it is nobody's name.
  if (model === '__proto__') return 'the name cannot be a name of a model';
  if (model.trim() === '') return 'the model has no name';
  if (model.length > MAX_NAME_LENGTH) return `the name is longer than ${MAX_NAME_LENGTH} characters`;
  return /\p{Cc}/u.test(model) ? 'the name has control characters in it' : undefined;
}

/** What storing the price would be refused with; undefined = it would be taken. */
function entryFault(model: string, listed: PriceEntries): string | undefined {
  const { LongContextRatio: tiers, ...ratios } = listed;
  try {
    for (const [key, value] of Object.entries(ratios)) readDecimal(value, key, model);
    if (tiers !== undefined) readTiers({ [model]: tiers });
    return undefined;
  } catch (error) {
    if (error instanceof PriceDocumentError) return error.message;
    throw error;
  }
}

function differenceIn(
  key: SyncedKey,
  model: string,
  listed: PriceEntries,
  current: Documents,
): EntryDifference[] {
  const now: unknown = Object.hasOwn(current[key], model) ? (current[key][model] ?? null) : null;
  const wanted: unknown = listed[key];
  if (wanted === undefined) {
    // A price per call beats every ratio: it has to go where the list says ratios.
    const beats = key === 'ModelPrice' && now !== null && listed.ModelRatio !== undefined;
    return beats ? [{ key, current: now, listed: null }] : [];
  }
  return isAlike(now, wanted) ? [] : [{ key, current: now, listed: wanted }];
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
