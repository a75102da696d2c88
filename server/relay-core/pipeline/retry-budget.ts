/** Share of calls that may be retried without success (RLY-11). */
const RETRIES_PER_CALL = 0.1;
/** Retries an idle instance has in hand. */
const MAX_BALANCE = 10;

/**
 * Keeps retries from multiplying an outage: every call earns a tenth of a retry, a retry spends one, and one that led
 * to an answer gives it back. With every upstream down, upstream calls stay within 1.1 times the calls.
 */
export class RetryBudget {
  private balance = MAX_BALANCE;

  countCall(): void {
    this.balance = Math.min(MAX_BALANCE, this.balance + RETRIES_PER_CALL);
  }

  /** False = no retry now; answer with the failure at hand. */
  spend(): boolean {
    if (this.balance < 1) return false;
    this.balance -= 1;
    return true;
  }

  giveBack(retries: number): void {
    this.balance = Math.min(MAX_BALANCE, this.balance + retries);
  }
}
