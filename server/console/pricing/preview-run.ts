import { getOrAdd, getOrRemember } from '../../common/get-or-add.js';
import type { PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import type { Usage } from '../../relay-core/model/usage.js';
import { calculateQuota } from '../../base/pricing/calculate-quota.js';
import type { PriceTable } from '../../base/pricing/price-table.js';
import type { PricedCall } from './preview-calls.js';
import { parseJson } from '../../common/parse-json.js';
import type { VendorTool } from '../../relay-core/model/call.js';

const nothing = (): Sum => ({ calls: 0, charged: 0, before: 0, after: 0 });

const byDifference = (left: Sum, right: Sum): number =>
  Math.abs(right.after - right.before) - Math.abs(left.after - left.before) || right.before - left.before;

/** The two price lists that are compared. */
export interface ComparedTables {
  readonly today: PriceTable;
  readonly draft: PriceTable;
}

/** Prices a call had, those it would have today, and those it would have by the draft. Undefined = no price. */
interface Prices {
  readonly old: PriceSnapshot;
  readonly today: PriceSnapshot | undefined;
  readonly draft: PriceSnapshot | undefined;
  /** Today's figure is the charge itself: the prices are unchanged, or the list has none for the call any more. */
  readonly isTodayAlike: boolean;
  /** The draft does not change the price, or neither list has one: its calls affect no account. */
  readonly isDraftAlike: boolean;
  /** The draft takes the price of today away: such calls would be refused, and charge nothing. */
  readonly isRefused: boolean;
}

type Unpriced = 'no-price' | 'unknown-size' | 'unreadable';

const MAX_REMEMBERED_PRICES = 10_000;
/** Older rows hold the document itself where newer ones name it. */
const INLINE_MARK = '{';

/** Reprices calls, one price snapshot after the other as they turn up: by today's prices and by the draft's in one pass. */
export class PreviewRun {
  readonly sums = new PreviewSums();
  /** Names of prices that are today's and stay: the usage of their calls is not needed. */
  readonly alike: string[] = [];
  private readonly prices = new Map<string, Prices | null>();
  private readonly documents = new Map<string, string | undefined>();

  /** @param groupsOfUsers  group of each account, when prices may depend on it */
  constructor(
    private readonly tables: ComparedTables,
    private readonly groupsOfUsers: ReadonlyMap<number, string> | undefined,
  ) {}

  /** Names of prices these calls were settled by that were not learnt yet. */
  unknownIn(calls: readonly PricedCall[]): readonly string[] {
    const unknown = new Set<string>();
    for (const { snapshotId } of calls)
      if (!this.documents.has(snapshotId) && !snapshotId.startsWith(INLINE_MARK)) unknown.add(snapshotId);
    return [...unknown];
  }

  /** @param documents  what was found under the names; a name without a document stays unreadable */
  learn(names: readonly string[], documents: ReadonlyMap<string, string>): void {
    for (const name of names) {
      this.documents.set(name, documents.get(name));
      if (this.groupsOfUsers !== undefined) continue;
      const prices = this.pricesOf(name, undefined);
      if (prices?.isTodayAlike === true && prices.isDraftAlike) this.alike.push(name);
    }
  }

  takeCall(call: PricedCall): void {
    const charged = call.priced;
    this.sums.writtenOff += call.writeoff;
    const prices = this.pricesOf(call.snapshotId, this.groupsOfUsers?.get(call.userId));
    if (prices === null) {
      this.sums.unreadable += 1;
      return;
    }
    const { model, group } = prices.old;
    if (prices.isTodayAlike && prices.isDraftAlike) {
      if (prices.draft === undefined) this.sums.noPrice += 1;
      this.sums.add(prices.old, { calls: 1, charged, before: charged, after: charged });
      return;
    }
    const { before, after } = this.repriced(prices, call);
    const userId = prices.isDraftAlike ? undefined : call.userId;
    this.sums.add({ model, group, userId }, { calls: 1, charged, before, after });
  }

  /** A call that cannot be computed counts as unchanged: no difference is made up. */
  private repriced(prices: Prices, call: PricedCall): { before: number; after: number } {
    const usage = readUsage(call.usage);
    const today = prices.isTodayAlike ? call.priced : priceBy(prices.today, prices.old, usage);
    const before = typeof today === 'number' ? today : call.priced;
    if (prices.isRefused) {
      this.sums.addRefused(prices.old.model, before);
      return { before, after: 0 };
    }
    const draft = prices.isDraftAlike ? today : priceBy(prices.draft, prices.old, usage);
    if (typeof draft !== 'number') this.count(draft);
    else if (prices.draft === undefined) this.count('no-price');
    else if (draft !== before) this.sums.repriced += 1;
    return { before, after: typeof draft === 'number' ? draft : before };
  }

  private count(reason: Unpriced): void {
    if (reason === 'no-price') this.sums.noPrice += 1;
    else if (reason === 'unknown-size') this.sums.unknownSize += 1;
    else this.sums.unreadable += 1;
  }

  /** Null = an unreadable document. */
  private pricesOf(name: string, userGroup: string | undefined): Prices | null {
    const key = userGroup === undefined ? name : `${name}\n${userGroup}`;
    return getOrRemember(this.prices, MAX_REMEMBERED_PRICES, key, () => {
      const document = name.startsWith(INLINE_MARK) ? name : this.documents.get(name);
      return document === undefined ? null : this.makePrices(document, userGroup);
    });
  }

  private makePrices(document: string, userGroup: string | undefined): Prices | null {
    try {
      const old = JSON.parse(document) as PriceSnapshot;
      const today = repriceSnapshot(old, this.tables.today, userGroup);
      const draft = repriceSnapshot(old, this.tables.draft, userGroup);
      return {
        old,
        today,
        draft,
        isTodayAlike: today === undefined || pricesAlike(old, today),
        isDraftAlike:
          draft === undefined ? today === undefined : today !== undefined && pricesAlike(today, draft),
        isRefused: draft === undefined && today !== undefined,
      };
    } catch {
      return null; // counted and reported as unreadable
    }
  }
}

function priceBy(
  prices: PriceSnapshot | undefined,
  old: PriceSnapshot,
  usage: Usage | undefined,
): number | Unpriced {
  if (prices === undefined) return 'no-price';
  if (usage === undefined) return 'unreadable';
  if (prices.mode === 'call' && old.mode === 'ratio' && usage.units !== undefined) return 'unknown-size';
  return calculateQuota(usage, prices);
}

function readUsage(text: string | null): Usage | undefined {
  return text === null ? undefined : (parseJson(text) as Usage | undefined);
}

/**
 * The prices a call would have been settled by under another table.
 * @param userGroup  of the account; undefined = as the call was settled
 * @returns undefined when the table has no price for the model
 */
export function repriceSnapshot(
  old: PriceSnapshot,
  table: PriceTable,
  userGroup?: string,
): PriceSnapshot | undefined {
  const acceptsUnset = old.mode === 'ratio' && old.unset === true;
  const next = table.snapshot(old.model, old.group, acceptsUnset, {
    userGroup: userGroup ?? old.userGroup,
    tools: toolsOf(old),
    makesPictures: old.mode === 'ratio' && old.makesPictures === true,
  });
  if (next === undefined || next.mode !== 'call') return next;
  if (old.mode !== 'call' || old.factor === undefined) return next;
  const { factor, factorName } = old;
  return { ...next, factor, ...(factorName === undefined ? {} : { factorName }) };
}

/** The tools as the call asked for them: what `toolTerms` keeps. */
function toolsOf(old: PriceSnapshot): readonly VendorTool[] {
  return Object.entries(old.toolTerms ?? {}).map(([name, term]) => {
    const [priceKey = '', size] = term.split('@');
    const isSize = size === 'low' || size === 'medium' || size === 'high';
    return { name, priceKey, ...(isSize ? { contextSize: size } : {}) };
  });
}

/** True when both charge the same for every usage. False negatives cost time only. */
export function pricesAlike(left: PriceSnapshot, right: PriceSnapshot): boolean {
  return comparable(left) === comparable(right);
}

/** The terms a charge depends on, in one order. */
function comparable(snapshot: PriceSnapshot): string {
  const {
    revision: _revision,
    userGroup: _userGroup,
    modelPattern: _pattern,
    toolTerms: _terms,
    ...prices
  } = snapshot;
  return JSON.stringify(Object.entries(prices).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Calls and what they cost. Quota. */
export interface Sum {
  calls: number;
  /** Sum of the prices they were settled at. */
  charged: number;
  /** Sum at today's prices. */
  before: number;
  /** Sum at the prices of the draft. */
  after: number;
}

export interface ModelSum extends Sum {
  readonly model: string;
  readonly group: string;
}

/** Calls of a model that would be refused, and what they would cost today. Quota. */
export interface RefusedSum {
  readonly model: string;
  calls: number;
  before: number;
}

export interface UserSum extends Sum {
  readonly userId: number;
}

/** Adds up a preview. Sums of quota stay exact: 2^53 units are 18 billion dollars. */
export class PreviewSums {
  readonly total: Sum = nothing();
  writtenOff = 0;
  repriced = 0;
  refused = 0;
  noPrice = 0;
  unknownSize = 0;
  unreadable = 0;
  isComplete = true;
  private readonly models = new Map<string, Map<string, ModelSum>>();
  private readonly users = new Map<number, UserSum>();
  private readonly refusals = new Map<string, RefusedSum>();

  /**
   * Adds a call, or calls that cost alike. @param userId undefined = the draft does not change their prices, so they affect no
   * account
   */
  add(
    call: { readonly model: string; readonly group: string; readonly userId?: number | undefined },
    cost: Readonly<Sum>,
  ): void {
    grow(this.total, cost);
    grow(this.modelSum(call.model, call.group), cost);
    if (call.userId === undefined) return;
    const user = getOrAdd(this.users, call.userId, () => ({ userId: call.userId, ...nothing() }));
    grow(user, cost);
  }

  /** A call the draft has no price for any more. @param before  what it would cost today */
  addRefused(model: string, before: number): void {
    this.refused += 1;
    const sum = getOrAdd(this.refusals, model, () => ({ model, calls: 0, before: 0 }));
    sum.calls += 1;
    sum.before += before;
  }

  /** Largest revenue first, then most calls. */
  refusedModels(limit: number): readonly RefusedSum[] {
    return [...this.refusals.values()]
      .toSorted((left, right) => right.before - left.before || right.calls - left.calls)
      .slice(0, limit);
  }

  /** Largest difference first, then largest revenue. */
  modelSums(limit: number): readonly ModelSum[] {
    const all = [...this.models.values()].flatMap((groups) => [...groups.values()]);
    return all.toSorted(byDifference).slice(0, limit);
  }

  /** Those whose bill changes most. */
  affectedUsers(limit: number): readonly UserSum[] {
    return [...this.users.values()]
      .filter(({ before, after }) => before !== after)
      .toSorted(byDifference)
      .slice(0, limit);
  }

  private modelSum(model: string, group: string): ModelSum {
    const groups = getOrAdd(this.models, model, () => new Map());
    const sum = getOrAdd(groups, group, () => ({ model, group, ...nothing() }));
    return sum;
  }
}

function grow(sum: Sum, more: Readonly<Sum>): void {
  sum.calls += more.calls;
  sum.charged += more.charged;
  sum.before += more.before;
  sum.after += more.after;
}
