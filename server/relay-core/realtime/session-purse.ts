import { limitIn } from '../model/full-limit.js';
import type { RelayError } from '../model/relay-error.js';
import type { Usage } from '../model/usage.js';
import type { Quote } from '../ports/price-book.js';
import type { HeldTokens, Hold, QuotaHolds } from '../ports/quota-holds.js';
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
  private tokens: HeldTokens;

  constructor(private readonly input: PurseInput) {
    const { promptTokens = 0, heldOutputTokens } = input.quote;
    this.tokens = { input: promptTokens, output: heldOutputTokens };
  }

  /** Writes down what was used, and sets more aside while there is more to come. */
  settle(isWorkDone: boolean): void {
    const { quota, quote, holdRef, usage } = this.input;
    const used = usage();
    quota.recordCheckpoint(holdRef.hold, used, isWorkDone);
    if (isWorkDone) this.refusal = undefined;
    // Room for one more response as long as the one that was held at first.
    const missing = Math.max(0, quote.charge(used) + quote.estimate - holdRef.hold.amount);
    const tokens = this.missingTokens([used]);
    if ((missing > 0 || tokens !== undefined) && !this.isExtending && this.refusal === undefined)
      this.extendBeside(missing, tokens);
    if (!isWorkDone) this.stopWhenSpent();
  }

  /** Ends the session when nothing more is to be had and what is held is spent. */
  stopWhenSpent(): void {
    const { quote, holdRef, usage, onSpent } = this.input;
    if (this.refusal === undefined) return;
    if (quote.charge(usage()) >= holdRef.hold.amount) onSpent(this.refusal);
  }

  /**
   * Holds what the dearest of these usages of the session takes, before work begins.
   * @returns why it cannot; undefined when it is held
   */
  hold(usages: readonly Usage[]): RelayError | undefined | Promise<RelayError | undefined> {
    return this.missingQuota(usages) === 0 && this.missingTokens(usages) === undefined
      ? undefined
      : this.grow(usages);
  }

  private async grow(usages: readonly Usage[]): Promise<RelayError | undefined> {
    await this.extending;
    const quota = this.missingQuota(usages);
    const tokens = this.missingTokens(usages);
    return quota === 0 && tokens === undefined ? undefined : this.extend(quota, tokens);
  }

  private missingQuota(usages: readonly Usage[]): number {
    const { quote, holdRef } = this.input;
    return Math.max(0, ...usages.map((usage) => quote.charge(usage) - holdRef.hold.amount));
  }

  /** Undefined = none, or no limit counts tokens. */
  private missingTokens(usages: readonly Usage[]): HeldTokens | undefined {
    if (this.input.holdRef.hold.isTokenLimited !== true) return undefined;
    const input = Math.max(0, ...usages.map((usage) => (usage.input.total ?? 0) - this.tokens.input));
    const output = Math.max(0, ...usages.map((usage) => (usage.output.total ?? 0) - this.tokens.output));
    return input === 0 && output === 0 ? undefined : { input, output };
  }

  private extendBeside(by: number, tokens: HeldTokens | undefined): void {
    const { guard } = this.input;
    void this.extend(by, tokens).then((refused) => {
      // A full limit refuses the next response, which asks again: the session stays.
      if (refused === undefined || limitIn(refused) !== undefined) return;
      guard(() => {
        this.refusal = refused;
        this.stopWhenSpent();
      });
    });
  }

  /** @param tokens  absent = none */
  private extend(by: number, tokens: HeldTokens = NO_TOKENS): Promise<RelayError | undefined> {
    const { quota, holdRef } = this.input;
    this.isExtending = true;
    const extending = quota
      .extend(holdRef.hold, by as Hold['amount'], tokens)
      .then(
        (extended) => {
          if (!extended.ok) return extended.error;
          holdRef.hold = extended.value;
          this.tokens = {
            input: this.tokens.input + tokens.input,
            output: this.tokens.output + tokens.output,
          };
          return undefined;
        },
        (cause: unknown): RelayError => ({ ...EXTENSION_FAILED, cause }),
      )
      .finally(() => (this.isExtending = false));
    this.extending = extending;
    return extending;
  }
}

const NO_TOKENS: HeldTokens = { input: 0, output: 0 };
