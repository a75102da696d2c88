import type { PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import type { Usage } from '../../relay-core/model/usage.js';
import { calculateQuota } from '../billing/calculate-quota.js';
import type { PriceTable } from '../billing/price-table.js';
import type { PricedCall, PriceSum } from './preview-calls.js';
import { PreviewSums } from './preview-sums.js';
import { pricesAlike, repriceSnapshot } from './reprice.js';

/** Prices as they were, and what they would be. `next` undefined = no price. */
interface Pair {
  readonly old: PriceSnapshot;
  readonly next: PriceSnapshot | undefined;
}

const MAX_INLINE_PAIRS = 10_000;

/** Reprices calls, one price snapshot after the other as they turn up. */
export class PreviewRun {
  readonly sums = new PreviewSums();
  /** Ids of price snapshots whose calls must be looked at one by one. */
  readonly affected = new Set<string>();
  private readonly pairs = new Map<string, Pair | null>();
  private readonly documents = new Map<string, string>();

  /** @param groupsOfUsers  group of each account, when prices may depend on it */
  constructor(
    private readonly table: PriceTable,
    private readonly groupsOfUsers: ReadonlyMap<number, string> | undefined,
  ) {}

  /** Whether no call at all keeps its prices. */
  get isEverythingAffected(): boolean {
    return this.affected.size === this.documents.size;
  }

  /** All calls of one snapshot: added up as they are when their prices stay, set aside to be read one by one when not. */
  takeSum(sum: PriceSum): void {
    this.sums.writtenOff += sum.writeoff;
    this.documents.set(sum.snapshotId, sum.document ?? '');
    if (sum.document === undefined || this.groupsOfUsers !== undefined) {
      this.affected.add(sum.snapshotId);
      return;
    }
    const pair = this.pairOf(sum.snapshotId, sum.document, undefined);
    if (pair === null) {
      this.sums.unreadable += sum.calls;
      return;
    }
    if (pair.next !== undefined && !pricesAlike(pair.old, pair.next)) {
      this.affected.add(sum.snapshotId);
      return;
    }
    const priced = sum.charged + sum.writeoff;
    if (pair.next === undefined) this.sums.noPrice += sum.calls;
    this.sums.add({ model: pair.old.model, group: pair.old.group }, sum.calls, priced, priced);
  }

  takeCall(call: PricedCall): void {
    const group = this.groupsOfUsers?.get(call.userId);
    const document = this.documents.get(call.snapshotId);
    // Older rows hold the document itself where newer ones name it.
    const isInline = call.snapshotId.startsWith('{');
    // Booked since the sums were made, by prices nobody used before: not among those that are compared.
    if (document === undefined && !isInline) return;
    const pair = this.pairOf(call.snapshotId, isInline ? call.snapshotId : (document ?? ''), group);
    if (pair === null) {
      this.sums.unreadable += 1;
      return;
    }
    const before = call.priced;
    const after = this.priceOf(pair, call, before);
    const { model, group: calledGroup } = pair.old;
    this.sums.add({ model, group: calledGroup, userId: call.userId }, 1, before, after);
  }

  private priceOf({ old, next }: Pair, call: PricedCall, before: number): number {
    if (next === undefined) {
      this.sums.noPrice += 1;
      return before;
    }
    const usage = readUsage(call.usage);
    if (usage === undefined) {
      this.sums.unreadable += 1;
      return before;
    }
    if (next.mode === 'call' && old.mode === 'ratio' && usage.units !== undefined) {
      this.sums.unknownSize += 1;
      return before;
    }
    this.sums.repriced += 1;
    return calculateQuota(usage, next);
  }

  /** Null = a document nobody can read. */
  private pairOf(id: string, document: string, userGroup: string | undefined): Pair | null {
    const key = userGroup === undefined ? id : `${id}\n${userGroup}`;
    const known = this.pairs.get(key);
    if (known !== undefined) return known;
    const pair = this.makePair(document, userGroup);
    if (this.pairs.size >= MAX_INLINE_PAIRS) this.pairs.clear();
    this.pairs.set(key, pair);
    return pair;
  }

  private makePair(document: string, userGroup: string | undefined): Pair | null {
    try {
      const old = JSON.parse(document) as PriceSnapshot;
      return { old, next: repriceSnapshot(old, this.table, userGroup) };
    } catch {
      return null; // counted as unreadable, and said so
    }
  }
}

function readUsage(text: string): Usage | undefined {
  try {
    return JSON.parse(text) as Usage;
  } catch {
    return undefined; // counted as unreadable, and said so
  }
}
