/** Calls and what they cost under two price lists. Quota. */
export interface Sum {
  calls: number;
  before: number;
  after: number;
}

export interface ModelSum extends Sum {
  readonly model: string;
  readonly group: string;
}

export interface UserSum extends Sum {
  readonly userId: number;
}

/** Adds up a preview. Sums of quota stay exact: 2^53 units are 18 billion dollars. */
export class PreviewSums {
  readonly total: Sum = { calls: 0, before: 0, after: 0 };
  writtenOff = 0;
  repriced = 0;
  noPrice = 0;
  unknownSize = 0;
  unreadable = 0;
  isComplete = true;
  private readonly models = new Map<string, Map<string, ModelSum>>();
  private readonly users = new Map<number, UserSum>();

  /** A call, or calls that cost alike. @param userId  undefined = their prices did not change, so they affect nobody */
  add(
    call: { readonly model: string; readonly group: string; readonly userId?: number },
    calls: number,
    before: number,
    after: number,
  ): void {
    this.total.calls += calls;
    this.total.before += before;
    this.total.after += after;
    grow(this.modelSum(call.model, call.group), calls, before, after);
    if (call.userId === undefined) return;
    let user = this.users.get(call.userId);
    if (user === undefined) {
      user = { userId: call.userId, calls: 0, before: 0, after: 0 };
      this.users.set(call.userId, user);
    }
    grow(user, calls, before, after);
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
    let groups = this.models.get(model);
    if (groups === undefined) {
      groups = new Map();
      this.models.set(model, groups);
    }
    let sum = groups.get(group);
    if (sum === undefined) {
      sum = { model, group, calls: 0, before: 0, after: 0 };
      groups.set(group, sum);
    }
    return sum;
  }
}

function grow(sum: Sum, calls: number, before: number, after: number): void {
  sum.calls += calls;
  sum.before += before;
  sum.after += after;
}

const byDifference = (left: Sum, right: Sum): number =>
  Math.abs(right.after - right.before) - Math.abs(left.after - left.before) || right.before - left.before;
