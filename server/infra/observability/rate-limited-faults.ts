import type { Clock } from '../../common/clock.js';

const REPORT_EVERY_MS = 60_000;
/** Different faults that are remembered; further ones are said as they come. */
const MAX_KEPT = 100;

interface Fault {
  cause: string;
  /** Since it was last spoken of. */
  unreported: number;
  total: number;
}

/**
 * Faults that come again and again while something is away, each said when it begins, at most once a minute while it lasts, and once
 * when it was not seen for a minute. Nobody has to tell when one is over.
 */
export class RateLimitedFaults {
  private readonly lasting = new Map<string, Fault>();

  /** @param log  writes a line of the log */
  constructor(
    private readonly clock: Clock,
    private readonly log: (line: string) => void,
  ) {}

  /** @param what  what went wrong, the same words each time. @param cause  why, as far as is known; empty = that is all */
  record(what: string, cause = ''): void {
    const fault = this.lasting.get(what);
    if (fault !== undefined) {
      Object.assign(fault, { cause, unreported: fault.unreported + 1, total: fault.total + 1 });
      return;
    }
    this.log(lineOf(what, cause));
    if (this.lasting.size >= MAX_KEPT) return;
    this.lasting.set(what, { cause, unreported: 0, total: 1 });
    this.scheduleReport(what);
  }

  private scheduleReport(what: string): void {
    this.clock.after(REPORT_EVERY_MS, () => this.look(what));
  }

  private look(what: string): void {
    const fault = this.lasting.get(what);
    if (fault === undefined) return;
    const { cause, unreported, total } = fault;
    if (unreported > 0) {
      this.log(`${lineOf(what, cause)} (${unreported} more within a minute)`);
      fault.unreported = 0;
      return this.scheduleReport(what);
    }
    this.lasting.delete(what);
    // What happened once was said.
    if (total > 1) this.log(`${what}: not any more for a minute (${total} in all)`);
  }
}

const lineOf = (what: string, cause: string): string => (cause === '' ? what : `${what}: ${cause}`);
