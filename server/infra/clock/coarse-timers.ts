import { getOrAdd } from '../../common/get-or-add.js';
import { reportBug } from '../../common/contain.js';
import { LinkedRing, LinkedRingMember } from '../../common/linked-ring.js';

/** How late an action may be. */
const TICK_MS = 250;

class Waiting extends LinkedRingMember {
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
  private readonly rings = new Map<number, LinkedRing<Waiting>>();
  private doneTick = 0;
  private count = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly nowMs: () => number) {}

  /** @returns what takes it back; nothing happens when it ran already */
  after(delayMs: number, action: () => void): () => void {
    const nowMs = this.nowMs();
    if (this.timer === undefined) this.begin(nowMs);
    const tick = Math.ceil((nowMs + delayMs) / TICK_MS);
    const ring = getOrAdd(this.rings, tick, () => new LinkedRing());
    const found = ring;
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
      const ring = this.rings.get(this.doneTick);
      if (ring === undefined) continue;
      this.rings.delete(this.doneTick);
      this.run(ring);
    }
    if (this.count > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.rings.clear();
  }

  private run(ring: LinkedRing<Waiting>): void {
    for (let next = ring.shift(); next !== undefined; next = ring.shift()) {
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
