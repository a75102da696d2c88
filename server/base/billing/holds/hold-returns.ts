import { getOrAdd } from '../../../common/get-or-add.js';
import type { PoolReturn, SharedStore } from '../../../infra/shared-store/shared-store.js';
import type { Clock } from '../../../common/clock.js';

/** Ended holds are given back together, this often. */
const RETURN_EVERY_MS = 25;
const RETRY_EVERY_MS = 250;
/** A store that is away that long has lost these holds anyway. */
const MAX_WAITING = 200_000;

/** Gives the unused parts of ended holds back to their pools, summed, and marks long calls as dispatched on the way. */
export class HoldReturns {
  private readonly perUser = new Map<number, PoolReturn[]>();
  private readonly dispatched = new Map<string, number>();
  private waiting = 0;
  /** Sent, and not answered yet. */
  private onTheWay = 0;
  private stopTimer: (() => void) | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: SharedStore,
    private readonly clock: Clock,
  ) {}

  /** True when the end of every hold has reached the store. */
  get isEmpty(): boolean {
    return this.waiting === 0 && this.onTheWay === 0;
  }

  /** The hold is over; idempotent in the store, so a hold that was perhaps never placed may be given back too. */
  give(back: PoolReturn): void {
    if (this.waiting >= MAX_WAITING) return;
    this.dispatched.delete(back.callId);
    getOrAdd(this.perUser, back.userId, () => []).push(back);
    this.waiting += 1;
    this.schedule(RETURN_EVERY_MS);
  }

  /** The call went upstream; the store is notified only if the call still runs at the next turn. */
  markDispatched(callId: string, userId: number): void {
    this.dispatched.set(callId, userId);
    this.schedule(RETURN_EVERY_MS);
  }

  /** Returns the pending quota of one account now. Never fails. */
  async flushUser(userId: number): Promise<void> {
    const list = this.perUser.get(userId);
    if (list !== undefined) this.join(this.send(this.takeOut(userId, list)));
    // A batch that is on its way may hold this account's money too.
    await this.running;
  }

  /** Gives everything back, also what was on its way. Never fails: without the store there is nothing to give back to. */
  async flush(): Promise<void> {
    const all = [...this.perUser].flatMap(([userId, list]) => this.takeOut(userId, list));
    const marks = [...this.dispatched].map(([callId, userId]) => ({ callId, userId }));
    this.dispatched.clear();
    this.join(this.send(all));
    this.join(this.mark(marks));
    await this.running;
  }

  stop(): void {
    this.stopTimer?.();
    this.stopTimer = undefined;
  }

  private join(work: Promise<void>): void {
    this.running = Promise.all([this.running, work]).then(() => undefined);
  }

  private takeOut(userId: number, list: PoolReturn[]): PoolReturn[] {
    this.perUser.delete(userId);
    this.waiting -= list.length;
    return list;
  }

  private async send(returns: readonly PoolReturn[]): Promise<void> {
    if (returns.length === 0) return;
    this.onTheWay += returns.length;
    try {
      await this.store.pools.settle(returns);
    } catch {
      // Away: giving back is idempotent, so it is simply done again. If the store lost its data, it changes nothing.
      for (const back of returns) this.give(back);
      this.stop();
      this.schedule(RETRY_EVERY_MS);
    } finally {
      this.onTheWay -= returns.length;
    }
  }

  private async mark(calls: readonly { readonly callId: string; readonly userId: number }[]): Promise<void> {
    if (calls.length === 0) return;
    try {
      await this.store.pools.markDispatched(calls);
    } catch {
      // Only recovery without a spool reads the mark, and it can be set as long as the call runs.
      for (const { callId, userId } of calls) this.dispatched.set(callId, userId);
    }
  }

  private schedule(delayMs: number): void {
    this.stopTimer ??= this.clock.after(delayMs, () => {
      this.stopTimer = undefined;
      void this.flush();
    });
  }
}
