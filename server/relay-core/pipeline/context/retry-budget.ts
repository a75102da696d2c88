/** Share of calls that may be retried without success. */
const RETRIES_PER_CALL = 0.1;
/** Of the calls of so long. */
const WINDOW_MS = 10_000;
/** Retries an idle instance has in hand; a busy one has what the calls of its window earned. */
const MIN_BALANCE = 10;

/**
 * Keeps retries from multiplying an outage: every call earns a tenth of a retry, a retry spends one, and one that led
 * to an answer gives it back. With every upstream down, upstream calls stay within 1.1 times the calls.
 */
export class RetryBudget {
  private most = MIN_BALANCE;
  private balance = MIN_BALANCE;
  private calls = 0;
  private windowBeganMs = 0;

  /** @param nowMs  of the monotonic clock */
  countCall(nowMs: number): void {
    if (nowMs - this.windowBeganMs >= WINDOW_MS) {
      this.most = Math.max(MIN_BALANCE, this.calls * RETRIES_PER_CALL);
      this.calls = 0;
      this.windowBeganMs = nowMs;
    }
    this.calls += 1;
    this.most = Math.max(this.most, this.calls * RETRIES_PER_CALL);
    this.balance = Math.min(this.most, this.balance + RETRIES_PER_CALL);
  }

  /** False = no retry now; answer with the failure at hand. */
  spend(): boolean {
    if (this.balance < 1) return false;
    this.balance -= 1;
    return true;
  }

  refund(retries: number): void {
    this.balance = Math.min(this.most, this.balance + retries);
  }
}
