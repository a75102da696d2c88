/** Most calls of one process that are read on without their clients. */
export const MAX_ABANDONED_READS = 200;
/** Bytes read without a client, at most. */
export const MAX_ABANDONED_BYTES = 8 * 1024 * 1024;

/** Answers an account may stop in the playground within an hour: a program that leaves every answer presses no button. */
const MAX_STOPS = 20;
const STOPS_WINDOW_MS = 3_600_000;

/** A call that is read on after its client left, for the report of what it cost. */
export interface AbandonedRead {
  /** Ends it now: it is charged by what came. */
  end(): void;
}

/** The calls of this process that are read on without their clients, the oldest first. */
export class AbandonedReads {
  private readonly reads = new Set<AbandonedRead>();
  private isClosed = false;
  private readonly stops = new Map<number, number>();
  private stopsSinceMs = 0;

  get count(): number {
    return this.reads.size;
  }

  /** Takes one more; where there is no room the oldest ends. @returns false while the process stops */
  begin(read: AbandonedRead): boolean {
    if (this.isClosed) return false;
    if (this.reads.size >= MAX_ABANDONED_READS) {
      const [oldest] = this.reads;
      if (oldest !== undefined) {
        this.reads.delete(oldest);
        oldest.end();
      }
    }
    this.reads.add(read);
    return true;
  }

  /** Counts an answer that was left in the playground. @param nowMs  of the monotonic clock @returns true = as Stop */
  spendStop(userId: number, nowMs: number): boolean {
    if (nowMs - this.stopsSinceMs >= STOPS_WINDOW_MS) {
      this.stopsSinceMs = nowMs;
      this.stops.clear();
    }
    const stops = (this.stops.get(userId) ?? 0) + 1;
    this.stops.set(userId, stops);
    return stops <= MAX_STOPS;
  }

  /** It ended by itself. */
  leave(read: AbandonedRead): void {
    this.reads.delete(read);
  }

  /** The process stops: all end, and none begins any more. */
  close(): void {
    this.isClosed = true;
    for (const read of [...this.reads]) read.end();
  }
}
