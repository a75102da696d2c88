import type {
  LimitedCall,
  LimitEnd,
  LimitGrowth,
  LimitPart,
  LimitValue,
  LimitVerdict,
  RegisteredLimits,
  SharedLimits,
  WindowUse,
} from './shared-limits.js';

/** Sums by start of period or bucket. */
interface Window {
  readonly sums: Map<number, number>;
  isFilled: boolean;
}

interface StoredCall extends Omit<LimitedCall, 'parts'> {
  readonly parts: {
    readonly key: string;
    readonly isShared: boolean;
    readonly field: number;
    need: number;
  }[];
}

type Place = Pick<LimitPart, 'key' | 'isShared'> & { readonly userId: number };

/** Windows kept before those of past periods are dropped. */
const SWEEP_EVERY = 10_000;

/** Windows of limits of a single process. */
export class MemoryLimits implements SharedLimits {
  private readonly windows = new Map<string, Window>();
  private readonly calls = new Map<string, StoredCall>();
  private readonly owners = new Set<string>();
  private readonly restored = new Map<string, RegisteredLimits>();
  private sweepAt = SWEEP_EVERY;
  /** Limit and account → values of the day. */
  private readonly values = new Map<string, Set<string>>();
  private dayMs = 0;

  constructor(readonly epoch: string) {}

  /** Room of all parts; undefined = the call has it already. */
  look({ callId, parts }: Pick<LimitedCall, 'callId' | 'parts'>): LimitVerdict | undefined {
    if (this.calls.has(callId)) return undefined;
    const unknown: number[] = [];
    const full: number[] = [];
    const sums = parts.map((part, index) => {
      const window = this.windows.get(part.key);
      if (window?.isFilled !== true) unknown.push(index);
      const sum = window === undefined ? 0 : sumFrom(window, part);
      if (sum + part.need > part.amount && part.need > 0) full.push(index);
      return sum + part.need;
    });
    if (unknown.length > 0) return { kind: 'limit-unknown', indexes: unknown };
    if (full.length > 0) return { kind: 'limit-full', indexes: full };
    return { kind: 'taken', sums };
  }

  take({ callId, userId, owner, parts }: LimitedCall): void {
    if (this.calls.has(callId)) return;
    for (const { key, field, need } of parts) add(this.windowAt(key), field, need);
    const held = parts.map(({ key, isShared, field, need }) => ({ key, isShared, field, need }));
    this.calls.set(callId, { callId, userId, owner, parts: held });
  }

  async settle(ends: readonly LimitEnd[]): Promise<void> {
    for (const { callId, parts } of ends) {
      const call = this.calls.get(callId);
      if (call === undefined) continue;
      this.calls.delete(callId);
      for (const { key, field, need } of call.parts) {
        const window = this.windows.get(key);
        const used = parts.find((part) => part.key === key)?.used ?? 0;
        if (window !== undefined) add(window, field, used - need);
      }
    }
  }

  async grow(callId: string, _userId: number, growth: readonly LimitGrowth[]): Promise<number | null> {
    const call = this.calls.get(callId);
    if (call === undefined) return null;
    for (const [index, part] of growth.entries()) {
      const window = this.windows.get(part.key);
      if (part.by > 0 && window !== undefined && sumFrom(window, part) + part.by > part.amount) return index;
    }
    for (const { key, field, by } of growth) {
      const held = call.parts.find((part) => part.key === key && part.field === field);
      if (held === undefined) continue;
      held.need += by;
      add(this.windowAt(key), field, by);
    }
    return null;
  }

  async restore(calls: readonly LimitedCall[], owner: string): Promise<void> {
    for (const call of calls) {
      if (this.calls.has(call.callId)) continue;
      this.take(call);
      const { callId, userId, parts } = call;
      this.restored.set(callId, {
        callId,
        userId,
        owner,
        parts: parts.map(({ key, isShared, field, need }) => ({ key, isShared, field, need })),
      });
    }
    this.owners.add(owner);
  }

  async restoredOwners(): Promise<ReadonlySet<string>> {
    return this.owners;
  }

  async restoredCalls(): Promise<readonly RegisteredLimits[]> {
    return [...this.restored.values()];
  }

  async fill({ key, uses }: WindowUse, epoch: string): Promise<boolean> {
    if (epoch !== this.epoch) return false;
    const window = this.windowAt(key);
    if (window.isFilled) return true;
    for (const [field, used] of uses) add(window, field, used);
    window.isFilled = true;
    return true;
  }

  async enterValue({ limitId, userId, dayMs, value }: LimitValue, most: number): Promise<boolean> {
    if (dayMs !== this.dayMs) this.values.clear();
    this.dayMs = dayMs;
    const key = `${limitId}:${userId}`;
    const known = this.values.get(key) ?? new Set();
    this.values.set(key, known);
    if (known.size >= most && !known.has(value)) return false;
    known.add(value);
    return true;
  }

  async correct({ key, field, by }: Place & { readonly field: number; readonly by: number }): Promise<void> {
    const window = this.windows.get(key);
    if (window !== undefined) add(window, field, by);
  }

  async read({ key }: Place): Promise<ReadonlyMap<number, number> | undefined> {
    const window = this.windows.get(key);
    return window?.isFilled === true ? new Map(window.sums) : undefined;
  }

  async *callsOf(owner: string): AsyncIterable<RegisteredLimits> {
    for (const call of [...this.calls.values()]) if (call.owner === owner) yield call;
  }

  private windowAt(key: string): Window {
    const known = this.windows.get(key);
    if (known !== undefined) return known;
    if (this.windows.size >= this.sweepAt) this.sweep();
    const window = { sums: new Map<number, number>(), isFilled: false };
    this.windows.set(key, window);
    return window;
  }

  /** Windows no call holds room in can be filled from SQL again. */
  private sweep(): void {
    const held = new Set([...this.calls.values()].flatMap(({ parts }) => parts.map(({ key }) => key)));
    for (const key of this.windows.keys()) if (!held.has(key)) this.windows.delete(key);
    this.sweepAt = Math.max(SWEEP_EVERY, 2 * this.windows.size);
  }
}

function sumFrom({ sums }: Window, { field, from }: Pick<LimitPart, 'field' | 'from'>): number {
  if (from === field) return sums.get(field) ?? 0;
  let sum = 0;
  for (const [start, used] of sums) {
    if (start >= from) sum += used;
    else sums.delete(start);
  }
  return sum;
}

function add({ sums }: Window, field: number, by: number): void {
  sums.set(field, (sums.get(field) ?? 0) + by);
}
