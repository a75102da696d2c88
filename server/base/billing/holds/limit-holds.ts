import { fail, type Result } from '../../../common/result.js';
import type { LimitShares } from '../../../infra/rate-limit/limit-shares.js';
import type { SharedStore } from '../../../infra/shared-store/shared-store.js';
import type { LimitEnd } from '../../../infra/shared-store/shared-limits.js';
import { limitRefusal } from '../../../relay-core/model/full-limit.js';
import type { LimitFigures } from '../../../relay-core/model/limit-refusal.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { Quote } from '../../../relay-core/ports/price-book.js';
import type { HeldTokens } from '../../../relay-core/ports/quota-holds.js';
import type { Caller, FinishedCall } from '../../../relay-core/model/call.js';
import {
  type CallLimit,
  type CallLimits,
  hasEndlessValues,
  opensAt,
  OTHER_VALUES,
  refusalOf,
  usedParts,
} from '../../limits/call-limits.js';
import { MAX_LIMIT_AMOUNT } from '../../limits/limit-definition.js';
import type { LimitSource } from '../../limits/limit-source.js';
import { unavailable } from '../ledger/quota-refusals.js';
import { wholeTokens } from '../records/spool-documents.js';
import { fallbackModelOf } from '../../limits/fallback-model.js';
import { figuresOf, isOfTokens } from './limit-figures.js';
import type { LimitValues } from './limit-values.js';
import type { LimitedCalls } from './limited-calls.js';
import type { LimitWindows } from './limit-windows.js';

/** Rounds of filling windows and asking again, before a call is refused for an unknown use. */
const MAX_ROUNDS = 3;

/** A limited call as it asks for its hold. */
export interface LimitedInput {
  readonly callId: string;
  readonly caller: Caller;
  readonly quote: Quote;
  readonly limits?: CallLimits | undefined;
}

/** Limits of the calls of one worker: which apply, room in the store, refusals. */
export class LimitHolds {
  /** Calls that counted under the other values of a limit for each. */
  otherValueCalls = 0;

  constructor(
    private readonly ports: {
      readonly source: LimitSource;
      readonly store: SharedStore;
      readonly shares: LimitShares;
      readonly calls: LimitedCalls;
      readonly windows: LimitWindows;
      readonly values: LimitValues;
    },
  ) {}

  /** True when the store counts all running calls of this worker: a call can be admitted at once. */
  get isReady(): boolean {
    return this.ports.windows.isEntered;
  }

  /** Limits of a call; undefined = none. */
  of(caller: Caller, quote: Quote): CallLimits | undefined {
    const { source } = this.ports;
    if (source.isEmpty) return undefined;
    const limits = source.limitsOf(caller, quote.snapshot.model, {
      quota: quote.estimate,
      inputTokens: quote.promptTokens ?? 0,
      outputTokens: quote.heldOutputTokens,
    });
    return limits === undefined ? undefined : this.ports.values.known(limits, caller.userId);
  }

  /** Enters the calls of this worker first. Fails: StoreUnavailableError. */
  enter(): Promise<void> {
    return this.ports.windows.enter();
  }

  /** @param epoch  run of the store that counts it; undefined = it was admitted without the store */
  begin({ callId, caller }: LimitedInput, limits: CallLimits, epoch: string | undefined): void {
    if (limits.limits.some(({ limit, value }) => hasEndlessValues(limit) && value === OTHER_VALUES))
      this.otherValueCalls += 1;
    this.ports.calls.begin(callId, caller.userId, limits, epoch);
  }

  /** Ends a call that was charged. @returns its use by part */
  settle(callId: string, limits: CallLimits, { priced, usage }: FinishedCall): LimitEnd['parts'] {
    const used = usedParts(
      limits,
      {
        quota: priced,
        inputTokens: wholeTokens(usage.input.total),
        outputTokens: wholeTokens(usage.output.total),
      },
      true,
    );
    this.ports.calls.end(callId, used, false);
    return used;
  }

  /** Ends a call that was not charged. @param wasSent  it went upstream. @returns its use by part */
  release(callId: string, limits: CallLimits, wasSent: boolean): LimitEnd['parts'] {
    const used = usedParts(limits, undefined, wasSent);
    this.ports.calls.end(callId, used, !(wasSent && limits.countsFailures));
    return used;
  }

  /** Name of a call in the store. */
  storeIdOf(callId: string): string {
    return this.ports.calls.storeIdOf(callId);
  }

  markBooked(callId: string): void {
    this.ports.calls.markBooked(callId);
  }

  /** The narrowest limits of the caller as of admission; undefined = it has none of requests or tokens. */
  figuresOf(limits: CallLimits, sums: readonly number[] | undefined): LimitFigures | undefined {
    return figuresOf(limits, sums, this.ports.source.nowMs());
  }

  /** Fills windows the store does not know. @returns why the call cannot be admitted; null = it may ask again */
  async makeKnown(
    input: LimitedInput & { readonly round: number },
    indexes: readonly number[],
  ): Promise<{ readonly limits: CallLimits } | RelayError> {
    const { limits, caller, round } = input;
    if (limits === undefined) return unavailable();
    const asked = indexes.flatMap((index) => limits.limits[index] ?? []);
    const bounded = await this.ports.values.bounded(limits, asked, caller.userId);
    const unknown =
      bounded === limits
        ? asked
        : bounded.limits.filter((limit) => asked.includes(limit) || !limits.limits.includes(limit));
    if (round < MAX_ROUNDS && (await this.ports.windows.fill(unknown, caller.userId)))
      return { limits: bounded };
    if (!unknown.every(({ limit }) => limit.admitUnknown)) return unavailable();
    // The operator accepts this: the call counts when it is booked.
    const rest = bounded.limits.filter((limit) => !unknown.includes(limit));
    return { limits: { ...bounded, limits: rest, parts: rest.map(({ part }) => part) } };
  }

  /** The refusal of a call by full limits. Fails: StoreUnavailableError. */
  async refuse(
    { limits, caller, quote }: LimitedInput,
    indexes: readonly number[],
  ): Promise<Result<never, RelayError>> {
    const full = indexes.flatMap((index) => limits?.limits[index] ?? []);
    const opening = await Promise.all(
      full.map(async (limit) => ({ limit, opensAtMs: await this.opensAt(limit, caller.userId) })),
    );
    return fail(this.errorOf(opening, quote));
  }

  private async opensAt(limit: CallLimit, userId: number): Promise<number | null> {
    if (!limit.limit.rolling) return limit.resetsAtMs;
    const { key, isShared } = limit.part;
    const sums = await this.ports.store.limits.read({ key, isShared, userId });
    return opensAt(limit, sums ?? new Map());
  }

  private errorOf(
    full: readonly { readonly limit: CallLimit; readonly opensAtMs: number | null }[],
    quote: Quote,
  ): RelayError {
    const error = limitRefusal(refusalOf(full), this.ports.source.nowMs(), quote.snapshot.quotaPerUnit);
    const fallbackModel = fallbackModelOf(full.map(({ limit }) => limit.limit));
    return fallbackModel === undefined ? error : { ...error, fallbackModel };
  }

  /** Without the store: each worker admits its share of requests, tokens and calls at once. Money is admitted in SQL. @returns why not */
  refuseShare(limits: CallLimits, quote: Quote): RelayError | undefined {
    const { shares, calls } = this.ports;
    const full = limits.limits.filter(({ limit, part }) => {
      if (limit.measure === 'quota' || part.need === 0 || limit.admitUnknown) return false;
      return calls.ownSum(part.key, part.from) + part.need > shares.shareOf(part.amount, part.key);
    });
    if (full.length === 0) return undefined;
    return this.errorOf(
      full.map((limit) => ({ limit, opensAtMs: limit.resetsAtMs })),
      quote,
    );
  }

  /** The refusal of a money limit that SQL found full. */
  refuseInSql(limits: CallLimits, indexes: readonly number[], quote: Quote): RelayError {
    const full = indexes.flatMap((index) => limits.limits[index] ?? []);
    return this.errorOf(
      full.map((limit) => ({ limit, opensAtMs: limit.resetsAtMs })),
      quote,
    );
  }

  /**
   * More room for a running call that outgrows its hold, under its limits as they are now.
   * @returns why not; undefined = it has it. Fails: StoreUnavailableError.
   */
  async grow(call: GrowingCall, growth: Growth): Promise<RelayError | undefined> {
    const { callId, caller, quote, limits } = call;
    const additions = limits.limits.map((limit) => additionTo(limit, quote, growth));
    if (additions.every((more) => more === 0)) return undefined;
    const amounts = this.amountsNow(caller, quote);
    const parts = limits.limits.flatMap(({ limit, part: { key, isShared, field, from } }, index) => {
      const by = additions[index] ?? 0;
      // A limit that was raised, or switched off, lets the calls that run go on.
      const amount = amounts.get(limit.id) ?? MAX_LIMIT_AMOUNT;
      return by === 0 ? [] : [{ key, isShared, field, from, amount, by, index }];
    });
    const full = await this.ports.store.limits.grow(callId, caller.userId, parts);
    if (full === null) {
      this.ports.calls.grow(callId, additions);
      return undefined;
    }
    const part = parts[full];
    const limit = limits.limits[part?.index ?? 0];
    if (part === undefined || limit === undefined) return unavailable();
    const current = { ...limit, part: { ...limit.part, amount: part.amount } };
    const refused = await this.refuse(
      { callId, caller, quote, limits: { ...limits, limits: [current] } },
      [0],
    );
    return refused.ok ? undefined : refused.error;
  }

  /** Amounts in force of the caller's limits, by limit. */
  private amountsNow(caller: Caller, quote: Quote): ReadonlyMap<number, number> {
    const limits = this.of(caller, quote)?.limits ?? [];
    return new Map(limits.map(({ limit, part }) => [limit.id, part.amount]));
  }

  /** Gives back what a growth took. Fails: StoreUnavailableError. */
  async shrink(call: GrowingCall, { by, tokens }: Growth): Promise<void> {
    const taken = tokens === undefined ? undefined : { input: -tokens.input, output: -tokens.output };
    await this.grow(call, { by: -by, tokens: taken });
  }
}

/** Use that a call takes beyond its hold. Without tokens they grow in proportion to the quota, but for those of the prompt. */
interface Growth {
  readonly by: number;
  readonly tokens: HeldTokens | undefined;
}

type GrowingCall = LimitedInput & { readonly limits: CallLimits };

function additionTo({ limit: { measure }, part: { need } }: CallLimit, quote: Quote, growth: Growth): number {
  const { by, tokens } = growth;
  if (measure === 'quota') return by;
  if (!isOfTokens(measure)) return 0;
  if (tokens !== undefined) {
    if (measure === 'input_tokens') return tokens.input;
    return measure === 'output_tokens' ? tokens.output : tokens.input + tokens.output;
  }
  if (measure === 'input_tokens' || quote.estimate === 0) return 0;
  return Math.sign(by) * Math.ceil((need * Math.abs(by)) / quote.estimate);
}
