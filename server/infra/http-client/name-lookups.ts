import type { Clock } from '../../common/clock.js';

type Addresses = readonly string[];

interface Lookup {
  readonly answer: Promise<Addresses>;
  readonly untilMs: number;
}

/** An answer counts for this long, whether there were addresses or none. */
const RETENTION_MS = 60_000;
/** A caller waits this long for an answer. */
const MAX_WAIT_MS = 2_000;
const MAX_KEPT = 1_000;
/** Look-ups of the system block a thread each, of four that the process has for everything. */
const MAX_AT_ONCE = 2;
/** Look-ups that may wait for their turn; for more there is no answer in time anyway. */
const MAX_WAITING = 200;
const NONE: Addresses = [];

/** Look-ups of names that callers chose: kept for a minute, few at once, and waited for no longer than two seconds. */
export class NameLookups {
  private readonly kept = new Map<string, Lookup>();
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  /** @param resolve  never rejects; no addresses = the name does not resolve */
  constructor(
    private readonly resolve: (name: string) => Promise<Addresses>,
    private readonly clock: Clock,
  ) {}

  /** Addresses of a name; none when it does not resolve in time. Never rejects. */
  lookUp(name: string): Promise<Addresses> {
    const known = this.kept.get(name);
    if (known !== undefined && known.untilMs > this.clock.monotonicMs()) return this.inTime(known.answer);
    this.kept.delete(name);
    if (this.waiting.length >= MAX_WAITING) return Promise.resolve(NONE);
    const answer = this.begin(name);
    // The oldest leaves first: a map keeps the order in which names came.
    const [oldest] = this.kept.keys();
    if (this.kept.size >= MAX_KEPT && oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(name, { answer, untilMs: this.clock.monotonicMs() + RETENTION_MS });
    return this.inTime(answer);
  }

  private async begin(name: string): Promise<Addresses> {
    if (this.running >= MAX_AT_ONCE) await new Promise<void>((turn) => this.waiting.push(turn));
    this.running += 1;
    try {
      return await this.resolve(name);
    } finally {
      this.running -= 1;
      this.waiting.shift()?.();
    }
  }

  private inTime(answer: Promise<Addresses>): Promise<Addresses> {
    return new Promise((settle) => {
      const cancel = this.clock.after(MAX_WAIT_MS, () => settle(NONE));
      void answer.then((addresses) => {
        cancel();
        settle(addresses);
      });
    });
  }
}
