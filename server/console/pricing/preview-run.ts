import { getOrRemember } from '../../common/get-or-add.js';
import type { PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import type { Usage } from '../../relay-core/model/usage.js';
import { calculateQuota } from '../../base/pricing/calculate-quota.js';
import type { PriceTable } from '../../base/pricing/price-table.js';
import type { PricedCall } from './preview-calls.js';
import { PreviewSums } from './preview-sums.js';
import { pricesAlike, repriceSnapshot } from './reprice.js';
import { parseJson } from '../../common/parse-json.js';

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
  /** Today's figure is the charge itself: calls cost what they cost then, or the list has no price for them any more. */
  readonly isTodayAlike: boolean;
  /** The draft changes nothing of it, or neither list has a price: its calls affect nobody. */
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
  /** Names of prices that are today's and stay: nobody needs to read what their calls used. */
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

  /** What cannot be worked out counts as if nothing changed: no difference is made up. */
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

  /** Null = a document nobody can read. */
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
      return null; // counted as unreadable, and said so
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
