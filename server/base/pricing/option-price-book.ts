import { toQuota, type Quota } from '../../common/quota.js';
import { fail, ok, type Result } from '../../common/result.js';
import type { Caller, CallShape, OutputLimits, VendorTool } from '../../relay-core/model/call.js';
import { mostExpensiveOutput, type PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import { refusal } from '../../relay-core/model/refusals.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import { hidesReasoning } from '../../relay-core/model/model-family.js';
import type { Usage } from '../../relay-core/model/usage.js';
import { type WorstCase, PriceBook, type Quote } from '../../relay-core/ports/price-book.js';
import { calculateQuota } from './calculate-quota.js';
import { pricedTier } from './price-parts.js';
import { PriceTable, type PriceDocuments } from './price-table.js';

/** Source of the price options: the options module in production, a plain object in tests. */
export interface PriceDocumentSource {
  readonly revision: number;
  values(): PriceDocuments;
}

/** A call that is not streamed cannot extend its hold; a model whose limit is unknown is assumed to stop here. */
const UNKNOWN_MODEL_OUTPUT_CAP = 4_096;
/** More answers per call than any API grants: a larger `n` is held as this many (the upstream refuses it anyway). */
const MAX_CHOICES = 128;

/** Prices from the options: one immutable table per revision, swapped as a whole. */
export class OptionPriceBook extends PriceBook {
  private table: PriceTable | undefined;
  private tableRevision = Number.NaN;

  /** @param onBroken  called with stored prices that cannot be used */
  constructor(
    private readonly source: PriceDocumentSource,
    private readonly onBroken: (error: unknown) => void = () => undefined,
  ) {
    super();
  }

  override quote(caller: Caller, shape: CallShape): Result<Quote, RelayError> {
    const table = this.current();
    const snapshot = table.snapshot(shape.model, caller.group, caller.acceptsUnsetPrice, {
      userGroup: caller.userGroup,
      tools: shape.operation === 'chat' ? (shape.vendorTools ?? NO_TOOLS) : undefined,
      makesPictures: shape.operation === 'image',
    });
    if (snapshot === undefined) {
      return fail(refusal('price-missing', { model: shape.model }));
    }
    return ok(new FrozenQuote(withFactor(snapshot, shape), shape, table));
  }

  override hasPrice(caller: Caller, model: string): boolean {
    return this.current().hasPrice(model, caller.acceptsUnsetPrice);
  }

  /**
   * Prices of the current revision of the options; compiled on first use. Prices that cannot be compiled (written to the database
   * by hand) leave the last good ones in force.
   * Fails: throws PriceDocumentError when there never were any.
   */
  current(): PriceTable {
    const { revision } = this.source;
    if (this.table !== undefined && this.tableRevision === revision) return this.table;
    try {
      this.table = new PriceTable(this.source.values(), revision);
    } catch (error) {
      if (this.table === undefined) throw error;
      this.onBroken(error);
    }
    this.tableRevision = revision;
    return this.table;
  }
}

const NO_TOOLS: readonly VendorTool[] = [];
/** Uses of a tool a call is held for when the request does not limit them; more is charged, but not held. */
const ASSUMED_TOOL_USES = 4;
/** Limits above this are no estimate any more. */
const MAX_HELD_TOOL_USES = 32;

/** Tools the call may use, each as often as the request allows. */
function worstTools(tools: CallShape['vendorTools']): Pick<Usage, 'tools'> {
  if (tools === undefined || tools.length === 0) return {};
  const uses = tools.map(({ name, mostUses }): [string, number] => [
    name,
    mostUses === undefined ? ASSUMED_TOOL_USES : Math.min(Math.max(1, mostUses), MAX_HELD_TOOL_USES),
  ]);
  return { tools: Object.fromEntries(uses) };
}

/** The class of service the caller asked for, where it costs more than the usual one; `auto` may become any of them. */
function mostExpensiveTier(snapshot: PriceSnapshot, asked: string | undefined): Pick<Usage, 'serviceTier'> {
  if (asked === undefined || snapshot.mode === 'call' || snapshot.serviceTiers === undefined) return {};
  const named = asked === 'auto' ? undefined : pricedTier(snapshot.serviceTiers, asked);
  const [dearest] = Object.entries(snapshot.serviceTiers)
    .filter(([name, factor]) => (asked === 'auto' || name === named) && Number(factor) > 1)
    .toSorted(([, a], [, b]) => Number(b) - Number(a));
  return dearest === undefined ? {} : { serviceTier: dearest[0] };
}

/** All of the prompt is written to the vendor's cache. */
const written = (usage: Usage): Usage => ({
  ...usage,
  input: { ...usage.input, cacheWrite: usage.input.total ?? 0 },
});

const NO_OUTPUT: ReadonlySet<CallShape['operation']> = new Set(['embed', 'rerank', 'moderate', 'submit']);

/** The price of one unit of this size and quality. */
function withFactor(snapshot: PriceSnapshot, { callFactor, callFactorName }: CallShape): PriceSnapshot {
  if (callFactor === undefined || snapshot.mode !== 'call') return snapshot;
  return Object.freeze({
    ...snapshot,
    factor: callFactor,
    ...(callFactorName === undefined ? {} : { factorName: callFactorName }),
  });
}

/** Output tokens of one answer the hold must cover. */
function outputToCover(
  shape: CallShape,
  outputCap: number | undefined,
  modelCap: number | undefined,
  table: PriceTable,
  isUnseen: boolean,
): number {
  if (shape.heldOutput !== undefined) return shape.heldOutput.tokens;
  if (NO_OUTPUT.has(shape.operation)) return 0;
  if (outputCap !== undefined) return Math.max(1, Math.min(outputCap, modelCap ?? outputCap));
  if (shape.stream && !isUnseen) return Math.max(1, table.assumedOutputTokens);
  return modelCap ?? Math.max(UNKNOWN_MODEL_OUTPUT_CAP, table.assumedOutputTokens);
}

const larger = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);

class FrozenQuote implements Quote {
  readonly estimate: Quota;
  readonly promptEstimate: Quota;
  readonly promptTokens: number;
  private readonly asked: WorstCase;

  constructor(
    readonly snapshot: PriceSnapshot,
    private readonly shape: CallShape,
    private readonly table: PriceTable,
  ) {
    this.promptTokens = Math.max(0, Math.ceil(shape.promptTokens));
    this.promptEstimate = this.charge({ input: { total: this.promptTokens }, output: { total: 0 } });
    this.asked = this.worstCaseFor(shape, table.outputCap(shape.model), hidesReasoning(shape.model));
    this.estimate = this.asked.estimate;
  }

  /** A stream that cannot bring what any stream is held for is refused, not cut to a few words. */
  get leastOutputTokens(): number {
    return this.shape.stream ? Math.min(this.table.assumedOutputTokens, this.asked.outputTokens) : 1;
  }

  get heldOutputTokens(): number {
    return this.asked.outputTokens;
  }

  worstCaseOf(sent: OutputLimits, upstreamModel: string): WorstCase {
    const { shape, table, asked } = this;
    const isAsAsked =
      sent.outputCap === shape.outputCap &&
      sent.choices <= shape.choices &&
      sent.otherCap === undefined &&
      sent.writesCache === undefined;
    if (isAsAsked && upstreamModel === shape.model) return asked;
    const served = table.outputCap(upstreamModel);
    const own = table.outputCap(shape.model);
    // A model without a known limit may answer at any length, whatever its public name suggests.
    const modelCap = served === undefined && upstreamModel !== shape.model ? undefined : larger(own, served);
    const isUnseen = hidesReasoning(upstreamModel) || hidesReasoning(shape.model);
    if (isAsAsked && modelCap === own && isUnseen === hidesReasoning(shape.model)) return asked;
    return this.worstCaseFor(sent, modelCap, isUnseen);
  }

  private worstCaseFor(
    { outputCap, otherCap = 0, choices: asked, writesCache }: OutputLimits,
    modelCap: number | undefined,
    isUnseen: boolean,
  ): WorstCase {
    const choices = Math.min(Math.max(1, Math.trunc(asked)), MAX_CHOICES);
    const perAnswer = outputToCover(this.shape, outputCap, modelCap, this.table, isUnseen);
    const outputTokens = Math.max(perAnswer, Math.min(otherCap, modelCap ?? otherCap)) * choices;
    const usage = this.worstUsage(outputTokens, choices);
    const unwritten = this.charge(usage);
    const worst = writesCache === true ? Math.max(unwritten, this.charge(written(usage))) : unwritten;
    return {
      estimate: toQuota(Math.max(worst, this.promptEstimate)),
      outputTokens,
      modelOutputCap: modelCap,
      choices,
      outputCap,
    };
  }

  private worstUsage(tokens: number, choices: number): Usage {
    const { snapshot, shape } = this;
    const kind = shape.heldOutput?.kind;
    let output = mostExpensiveOutput(snapshot, tokens);
    if (kind === 'audio' || kind === 'image') output = { ...output, [kind]: tokens };
    const usage: Usage = { input: { total: this.promptTokens }, output };
    // Most calls are of text alone: nothing more is made for them.
    if (shape.operation !== 'image' && shape.vendorTools === undefined && shape.serviceTier === undefined)
      return usage;
    return {
      ...usage,
      ...(shape.operation === 'image' ? { units: choices } : {}),
      ...worstTools(shape.vendorTools),
      ...mostExpensiveTier(snapshot, shape.serviceTier),
    };
  }

  charge(usage: Usage): Quota {
    return calculateQuota(usage, this.snapshot);
  }
}
