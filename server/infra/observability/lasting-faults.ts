import type { Clock } from '../../common/clock.js';

const SAY_EVERY_MS = 60_000;
/** Different faults that are remembered; further ones are said as they come. */
const MOST_KEPT = 100;

interface Fault {
  cause: string;
  /** Since it was last spoken of. */
  unsaid: number;
  total: number;
}

/**
 * Faults that come again and again while something is away, each said when it begins, at most once a minute while it lasts, and once
 * when it was not seen for a minute. Nobody has to tell when one is over.
 */
export class LastingFaults {
  private readonly lasting = new Map<string, Fault>();

  /** @param say  writes a line of the log */
  constructor(
    private readonly clock: Clock,
    private readonly say: (line: string) => void,
  ) {}

  /** @param what  what went wrong, the same words each time. @param cause  why, as far as is known; empty = that is all */
  seen(what: string, cause = ''): void {
    const fault = this.lasting.get(what);
    if (fault !== undefined) {
      Object.assign(fault, { cause, unsaid: fault.unsaid + 1, total: fault.total + 1 });
      return;
    }
    this.say(lineOf(what, cause));
    if (this.lasting.size >= MOST_KEPT) return;
    this.lasting.set(what, { cause, unsaid: 0, total: 1 });
    this.lookLater(what);
  }

  private lookLater(what: string): void {
    this.clock.after(SAY_EVERY_MS, () => this.look(what));
  }

  private look(what: string): void {
    const fault = this.lasting.get(what);
    if (fault === undefined) return;
    const { cause, unsaid, total } = fault;
    if (unsaid > 0) {
      this.say(`${lineOf(what, cause)} (${unsaid} more within a minute)`);
      fault.unsaid = 0;
      return this.lookLater(what);
    }
    this.lasting.delete(what);
    // What happened once was said.
    if (total > 1) this.say(`${what}: not any more for a minute (${total} in all)`);
  }
}

const lineOf = (what: string, cause: string): string => (cause === '' ? what : `${what}: ${cause}`);
