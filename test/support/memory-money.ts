import { toQuota, type Quota } from '../../server/common/quota.js';
import { fail, ok, type Result } from '../../server/common/result.js';
import type { Caller, CallShape, FinishedCall, OutputLimits } from '../../server/relay-core/model/call.js';
import type { RelayError } from '../../server/relay-core/model/relay-error.js';
import type { Usage } from '../../server/relay-core/model/usage.js';
import { type WorstCase, PriceBook, type Quote } from '../../server/relay-core/ports/price-book.js';
import { type HeldTokens, QuotaHolds, type Hold } from '../../server/relay-core/ports/quota-holds.js';

/** One quota per input token and two per output token, for the models it knows. */
export class MemoryPrices extends PriceBook {
  readonly models = new Set<string>();
  /** Output tokens held for a call without a cap. */
  assumedOutput = 100;

  override hasPrice(_caller: Caller, model: string): boolean {
    return this.models.has(model);
  }

  override quote(_caller: Caller, shape: CallShape): Result<Quote, RelayError> {
    if (!this.models.has(shape.model)) {
      return fail({
        kind: 'price-missing',
        blame: 'gateway',
        message: `The price of ${shape.model} is not set.`,
      });
    }
    const charge = ({ input, output }: Usage): Quota => toQuota((input.total ?? 0) + 2 * (output.total ?? 0));
    const worstCaseOf = ({ outputCap, otherCap = 0, choices }: OutputLimits): WorstCase => {
      const assumed = shape.heldOutput?.tokens ?? Math.max(this.assumedOutput, otherCap);
      const outputTokens = (outputCap ?? assumed) * choices;
      return {
        estimate: charge({ input: { total: shape.promptTokens }, output: { total: outputTokens } }),
        outputTokens,
        modelOutputCap: undefined,
        choices,
        outputCap,
      };
    };
    const asked = worstCaseOf(shape);
    return ok({
      snapshot: {
        mode: 'call',
        model: shape.model,
        group: 'default',
        price: '0',
        groupRatio: '1',
        quotaPerUnit: 500_000,
        revision: 1,
      },
      estimate: asked.estimate,
      promptEstimate: toQuota(shape.promptTokens),
      heldOutputTokens: asked.outputTokens,
      worstCaseOf,
      charge,
    });
  }
}

/** A balance, holds against it, and settlements out of it. Refuses what a real desk would refuse. */
export class MemoryQuota extends QuotaHolds {
  balance = 1_000_000;
  readonly holds = new Map<string, Quota>();
  readonly settled: FinishedCall[] = [];
  /** Final hold of each settled call. */
  readonly heldInTheEnd: Quota[] = [];
  readonly released: string[] = [];
  readonly dispatches: { readonly channelId: number; readonly attempt: number }[] = [];
  readonly checkpoints: Usage[] = [];
  extensions = 0;
  /** True to answer like the pools of a single process. */
  answersAtOnce = false;
  /** Set to make the spool fail. */
  spoolFault: Error | null = null;
  /** Called when a settlement is on record. */
  onSettled: () => void = () => undefined;

  override reserve(input: {
    readonly callId: string;
    readonly quote: Quote;
    readonly affordable?: boolean;
  }): Result<Hold, RelayError> | Promise<Result<Hold, RelayError>> {
    const held = this.hold(input);
    return this.answersAtOnce ? held : Promise.resolve(held);
  }

  private hold(input: {
    readonly callId: string;
    readonly quote: Quote;
    readonly affordable?: boolean;
  }): Result<Hold, RelayError> {
    const wanted = input.quote.estimate;
    const amount = input.affordable === true ? toQuota(Math.min(wanted, this.balance)) : wanted;
    if (amount > this.balance || (wanted > 0 && amount <= 0)) return fail(INSUFFICIENT);
    this.balance -= amount;
    this.holds.set(input.callId, amount);
    return ok({ callId: input.callId, amount });
  }

  override async recordDispatch(_hold: Hold, channelId: number, attempt: number): Promise<void> {
    if (this.spoolFault !== null) throw this.spoolFault;
    this.dispatches.push({ channelId, attempt });
  }

  override recordCheckpoint(_hold: Hold, usage: Usage): void {
    this.checkpoints.push(usage);
  }

  override async extend(hold: Hold, by: Quota, _tokens?: HeldTokens): Promise<Result<Hold, RelayError>> {
    if (by > this.balance) return fail(INSUFFICIENT);
    this.balance -= by;
    this.extensions += 1;
    const amount = toQuota((this.holds.get(hold.callId) ?? 0) + by);
    this.holds.set(hold.callId, amount);
    return ok({ callId: hold.callId, amount });
  }

  override async settle(hold: Hold, call: FinishedCall): Promise<void> {
    const amount = this.holds.get(hold.callId);
    if (amount === undefined) return;
    this.holds.delete(hold.callId);
    this.heldInTheEnd.push(amount);
    this.balance += amount - call.priced;
    this.settled.push(call);
    this.onSettled();
  }

  override release(hold: Hold): void {
    const amount = this.holds.get(hold.callId);
    if (amount === undefined) return;
    this.holds.delete(hold.callId);
    this.balance += amount;
    this.released.push(hold.callId);
  }
}

const INSUFFICIENT: RelayError = {
  kind: 'quota-insufficient',
  blame: 'caller',
  scope: 'user',
  message: 'Your quota is used up.',
};
