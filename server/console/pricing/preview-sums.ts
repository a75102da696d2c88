import { getOrAdd } from '../../common/get-or-add.js';
/** Calls and what they cost. Quota. */
export interface Sum {
  calls: number;
  /** What they were priced at when they were made. */
  charged: number;
  /** By today's prices. */
  before: number;
  /** By those of the draft. */
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

  /** A call, or calls that cost alike. @param userId  undefined = the draft does not change their prices, so they affect nobody */
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

const nothing = (): Sum => ({ calls: 0, charged: 0, before: 0, after: 0 });

function grow(sum: Sum, more: Readonly<Sum>): void {
  sum.calls += more.calls;
  sum.charged += more.charged;
  sum.before += more.before;
  sum.after += more.after;
}

const byDifference = (left: Sum, right: Sum): number =>
  Math.abs(right.after - right.before) - Math.abs(left.after - left.before) || right.before - left.before;
