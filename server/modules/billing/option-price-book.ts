import { toQuota, type Quota } from '../../common/quota.js';
import { fail, ok, type Result } from '../../common/result.js';
import type { Caller, CallShape } from '../../relay-core/model/call.js';
import type { PriceSnapshot } from '../../relay-core/model/price-snapshot.js';
import type { RelayError } from '../../relay-core/model/relay-error.js';
import type { Usage } from '../../relay-core/model/usage.js';
import { PriceBook, type Quote } from '../../relay-core/ports/price-book.js';
import { calculateQuota } from './calculate-quota.js';
import { PriceTable, type PriceDocuments } from './price-table.js';

/** Where the price options come from: the options module in production, a plain object in tests. */
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

  constructor(private readonly source: PriceDocumentSource) {
    super();
  }

  override quote(caller: Caller, shape: CallShape): Result<Quote, RelayError> {
    const table = this.current();
    const snapshot = table.snapshot(shape.model, caller.group, caller.acceptsUnsetPrice);
    if (snapshot === undefined) {
      return fail({
        kind: 'price-missing',
        blame: 'gateway',
        message:
          `The price of model ${shape.model} is not set. Ask the administrator to set it, ` +
          `or accept models without a price in your personal settings.`,
      });
    }
    return ok(
      new FrozenQuote(
        withFactor(snapshot, shape.callFactor),
        shape,
        table.outputCap(shape.model),
        outputToCover(shape, table),
      ),
    );
  }

  /** The prices a revision of the options stands for; compiled on first use. */
  current(): PriceTable {
    if (this.table === undefined || this.tableRevision !== this.source.revision) {
      this.tableRevision = this.source.revision;
      this.table = new PriceTable(this.source.values(), this.tableRevision);
    }
    return this.table;
  }
}

const NO_OUTPUT: ReadonlySet<CallShape['operation']> = new Set(['embed', 'rerank', 'moderate']);

/** The price of one unit of this size and quality. */
function withFactor(snapshot: PriceSnapshot, factor: string | undefined): PriceSnapshot {
  return factor === undefined || snapshot.mode !== 'call' ? snapshot : Object.freeze({ ...snapshot, factor });
}

/** Output tokens of one answer the hold must cover. */
function outputToCover(shape: CallShape, table: PriceTable): number {
  if (shape.heldOutput !== undefined) return shape.heldOutput.tokens;
  if (NO_OUTPUT.has(shape.operation)) return 0;
  const modelCap = table.outputCap(shape.model);
  if (shape.outputCap !== undefined)
    return Math.max(1, Math.min(shape.outputCap, modelCap ?? shape.outputCap));
  if (shape.stream) return Math.max(1, table.assumedOutputTokens);
  return modelCap ?? Math.max(UNKNOWN_MODEL_OUTPUT_CAP, table.assumedOutputTokens);
}

class FrozenQuote implements Quote {
  readonly estimate: Quota;
  readonly promptEstimate: Quota;
  readonly promptTokens: number;
  readonly coveredOutputTokens: number;

  constructor(
    readonly snapshot: PriceSnapshot,
    shape: CallShape,
    readonly modelOutputCap: number | undefined,
    outputPerChoice: number,
  ) {
    const choices = Math.min(Math.max(1, Math.trunc(shape.choices)), MAX_CHOICES);
    this.promptTokens = Math.max(0, Math.ceil(shape.promptTokens));
    this.coveredOutputTokens = outputPerChoice * choices;
    this.promptEstimate = this.charge({ input: { total: this.promptTokens }, output: { total: 0 } });
    const isAudio = shape.heldOutput?.kind === 'audio';
    const worst = this.charge({
      input: { total: this.promptTokens },
      output: {
        total: this.coveredOutputTokens,
        ...(isAudio ? { audio: this.coveredOutputTokens } : {}),
      },
      ...(shape.operation === 'image' ? { units: choices } : {}),
    });
    this.estimate = toQuota(Math.max(worst, this.promptEstimate));
  }

  charge(usage: Usage): Quota {
    return calculateQuota(usage, this.snapshot);
  }
}
