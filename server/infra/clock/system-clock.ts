import { reportBug } from '../../common/contain-faults.js';
import { type Moment, momentOf } from '../../common/moment.js';
import { Clock } from '../../common/clock.js';
import { getOrAdd } from '../../common/get-or-add.js';
import { LinkedList, LinkedListNode } from '../../common/linked-list.js';

/**
 * The time of the database, which all instances share: the clock of this machine less what it was last found to be ahead. What an instance
 * writes and what it judges by, such as the expiry of keys and logins, means the same to all of them. Durations are the machine's own.
 */
export class CorrectedClock extends Clock {
  private aheadMs = 0;
  private shutdowns = 0;

  constructor(private readonly machine: Clock) {
    super();
  }

  override nowMs(): Moment {
    return momentOf(this.machine.nowMs() - this.aheadMs);
  }

  override monotonicMs(): number {
    return this.machine.monotonicMs();
  }

  override after(delayMs: number, action: () => void): () => void {
    const { shutdowns } = this;
    return this.machine.after(delayMs, () => {
      if (shutdowns === this.shutdowns) action();
    });
  }

  /** Cancels pending actions. Later ones still run: other parts that close have deadlines of their own. */
  onApplicationShutdown(): void {
    this.shutdowns += 1;
  }

  /** Time of this machine's clock. */
  machineMs(): Moment {
    return this.machine.nowMs();
  }

  /** Whole milliseconds that are subtracted. */
  get correctionMs(): number {
    return this.aheadMs;
  }

  /** @param aheadMs  how far the machine's clock is ahead of the database's; below 0 = behind */
  correct(aheadMs: number): void {
    this.aheadMs = Math.round(aheadMs);
  }
}

/** Maximum delay of a coarse timer, in milliseconds. */
const TICK_MS = 250;

/** From here on a quarter of a second does not matter. */
const COARSE_FROM_MS = 5_000;

export class SystemClock extends Clock {
  private readonly coarse = new CoarseTimers(() => performance.now());

  nowMs(): Moment {
    return momentOf(Date.now());
  }

  monotonicMs(): number {
    return performance.now();
  }

  after(delayMs: number, action: () => void): () => void {
    if (delayMs >= COARSE_FROM_MS) return this.coarse.after(delayMs, action);
    const timer = setTimeout(() => {
      try {
        action();
      } catch (fault) {
        reportBug(fault);
      }
    }, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  }
}

class Waiting extends LinkedListNode {
  constructor(public action: (() => void) | null) {
    super();
  }
}

/**
 * Timers for what lies seconds ahead and is nearly always cancelled, such as the deadlines of calls: one timer of Node's for all
 * of them. An action runs a quarter of a second late at the most, never early. Keeps no process alive.
 */
export class CoarseTimers {
  /** Tick → what is due then. */
  private readonly lists = new Map<number, LinkedList<Waiting>>();
  private doneTick = 0;
  private count = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly nowMs: () => number) {}

  /** @returns what takes it back; nothing happens when it ran already */
  after(delayMs: number, action: () => void): () => void {
    const nowMs = this.nowMs();
    if (this.timer === undefined) this.begin(nowMs);
    const tick = Math.ceil((nowMs + delayMs) / TICK_MS);
    const list = getOrAdd(this.lists, tick, () => new LinkedList());
    const found = list;
    const waiting = new Waiting(action);
    found.add(waiting);
    this.count += 1;
    return () => {
      if (waiting.action === null) return;
      waiting.action = null;
      found.remove(waiting);
      this.count -= 1;
    };
  }

  private begin(nowMs: number): void {
    this.doneTick = Math.floor(nowMs / TICK_MS);
    this.timer = setInterval(() => this.look(), TICK_MS).unref();
  }

  private look(): void {
    const tick = Math.floor(this.nowMs() / TICK_MS);
    while (this.doneTick < tick) {
      this.doneTick += 1;
      const list = this.lists.get(this.doneTick);
      if (list === undefined) continue;
      this.lists.delete(this.doneTick);
      this.run(list);
    }
    if (this.count > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.lists.clear();
  }

  private run(list: LinkedList<Waiting>): void {
    for (let next = list.shift(); next !== undefined; next = list.shift()) {
      const { action } = next;
      next.action = null;
      this.count -= 1;
      try {
        action?.();
      } catch (fault) {
        // The other actions run all the same.
        reportBug(fault);
      }
    }
  }
}
