import type { RelayError } from '../model/relay-error.js';
import type { Usage } from '../model/usage.js';
import type { Quote } from '../ports/price-book.js';
import type { Hold, QuotaHolds } from '../ports/quota-holds.js';
import { EXTENSION_FAILED } from './session-errors.js';

export interface PurseInput {
  readonly quota: QuotaHolds;
  readonly quote: Quote;
  /** The hold may grow; the latest is the one that is settled. */
  readonly holdRef: { hold: Hold };
  readonly usage: () => Usage;
  /** Called when the hold is spent and there is no more. */
  readonly onSpent: (error: RelayError) => void;
  /** Runs a step whose fault ends the session. */
  readonly guard: (step: () => void) => void;
}

/** The hold of a session, or of the transcripts in it: it grows before work begins, and with what was used. */
export class SessionPurse {
  private refusal: RelayError | undefined;
  private isExtending = false;
  private extending: Promise<unknown> = Promise.resolve();

  constructor(private readonly input: PurseInput) {}

  /** Writes down what was used, and sets more aside while there is more to come. */
  settle(isWorkDone: boolean): void {
    const { quota, quote, holdRef, usage } = this.input;
    const used = usage();
    quota.recordCheckpoint(holdRef.hold, used, isWorkDone);
    if (isWorkDone) this.refusal = undefined;
    // Room for one more response as long as the one that was held at first.
    const wanted = quote.charge(used) + quote.estimate;
    if (wanted > holdRef.hold.amount && !this.isExtending && this.refusal === undefined)
      this.extendBeside(wanted - holdRef.hold.amount);
    if (!isWorkDone) this.stopWhenSpent();
  }

  /** Ends the session when nothing more is to be had and what is held is spent. */
  stopWhenSpent(): void {
    const { quote, holdRef, usage, onSpent } = this.input;
    if (this.refusal === undefined) return;
    if (quote.charge(usage()) >= holdRef.hold.amount) onSpent(this.refusal);
  }

  /** Charge of the dearest of these usages. */
  costOf(usages: readonly Usage[]): number {
    return Math.max(...usages.map((usage) => this.input.quote.charge(usage)));
  }

  /**
   * Holds at least so much before work begins.
   * @returns why it cannot; undefined when it is held
   */
  hold(target: number): RelayError | undefined | Promise<RelayError | undefined> {
    return target <= this.input.holdRef.hold.amount ? undefined : this.grow(target);
  }

  private async grow(target: number): Promise<RelayError | undefined> {
    await this.extending;
    const missing = target - this.input.holdRef.hold.amount;
    return missing <= 0 ? undefined : this.extend(missing);
  }

  private extendBeside(by: number): void {
    const { guard } = this.input;
    void this.extend(by).then((refused) => {
      if (refused === undefined) return;
      guard(() => {
        this.refusal = refused;
        this.stopWhenSpent();
      });
    });
  }

  private extend(by: number): Promise<RelayError | undefined> {
    const { quota, holdRef } = this.input;
    this.isExtending = true;
    const extending = quota
      .extend(holdRef.hold, by as Hold['amount'])
      .then(
        (extended) => {
          if (!extended.ok) return extended.error;
          holdRef.hold = extended.value;
          return undefined;
        },
        (cause: unknown): RelayError => ({ ...EXTENSION_FAILED, cause }),
      )
      .finally(() => (this.isExtending = false));
    this.extending = extending;
    return extending;
  }
}
