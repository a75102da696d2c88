/** How long the figures reach back. */
export const WINDOW_MS = 10_000;

/**
 * How late an event loop was during the last ten seconds: a timer that wants to run every few milliseconds says each time by how
 * much it was late. Both figures fall back to nothing by themselves as time goes on.
 */
export class LoopDelays {
  private readonly delaysMs: Float64Array;
  private readonly timesMs: Float64Array;
  private next = 0;

  /** @param everyMs  how often a delay is recorded at most */
  constructor(everyMs: number) {
    const size = Math.ceil(WINDOW_MS / everyMs) + 1;
    this.delaysMs = new Float64Array(size);
    this.timesMs = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
  }

  record(delayMs: number, nowMs: number): void {
    this.delaysMs[this.next] = Math.max(0, delayMs);
    this.timesMs[this.next] = nowMs;
    this.next = (this.next + 1) % this.delaysMs.length;
  }

  /**
   * Of a hundred turns 99 were not later than this; of fewer turns the second latest at most, so that one long turn (a large
   * document, a collection of garbage) is not yet an overload.
   */
  p99Ms(nowMs: number): number {
    const recent = this.recent(nowMs).sort((a, b) => b - a);
    return recent[Math.ceil(recent.length / 100)] ?? 0;
  }

  /** Together, in milliseconds: turns that were later than `fromMs`. */
  lostMs(fromMs: number, nowMs: number): number {
    return this.recent(nowMs).reduce((sum, delay) => (delay > fromMs ? sum + delay : sum), 0);
  }

  /** The latest turn of all. */
  longestMs(nowMs: number): number {
    return this.recent(nowMs).reduce((longest, delay) => Math.max(longest, delay), 0);
  }

  private recent(nowMs: number): number[] {
    const delays: number[] = [];
    for (const [index, atMs] of this.timesMs.entries())
      if (atMs > nowMs - WINDOW_MS) delays.push(this.delaysMs[index] ?? 0);
    return delays;
  }
}
