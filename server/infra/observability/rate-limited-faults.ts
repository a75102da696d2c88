import type { Clock } from '../../common/clock.js';

const REPORT_EVERY_MS = 60_000;
/** Maximum number of distinct faults that are remembered; further ones are logged as they come. */
const MAX_KEPT = 100;

interface Fault {
  cause: string;
  /** Occurrences since it was last logged. */
  unreported: number;
  total: number;
}

/**
 * Limits the logging of repeated faults: each is logged when it begins, at most once a minute while it lasts, and once when it was
 * not seen for a minute. Its end needs no call.
 */
export class RateLimitedFaults {
  private readonly lasting = new Map<string, Fault>();

  /** @param log  writes a line of the log */
  constructor(
    private readonly clock: Clock,
    private readonly log: (line: string) => void,
  ) {}

  /** @param what  the fault, in the same words each time. @param cause  its reason, if known; empty = none */
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
    // A single occurrence needs no end.
    if (total > 1) this.log(`${what}: not any more for a minute (${total} in all)`);
  }
}

const lineOf = (what: string, cause: string): string => (cause === '' ? what : `${what}: ${cause}`);
