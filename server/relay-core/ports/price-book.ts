import { type Quota, ZERO_QUOTA } from '../../common/quota.js';
import type { Result } from '../../common/result.js';
import type { Caller, CallShape, OutputLimits } from '../model/call.js';
import type { PriceSnapshot } from '../model/price-snapshot.js';
import type { RelayError } from '../model/relay-error.js';
import type { Usage } from '../model/usage.js';

/** Maximum cost a hold must cover, once the request and its destination are known. */
export interface WorstCase {
  readonly estimate: Quota;
  /** Output tokens the estimate covers; a stream that passes them extends its hold. */
  readonly outputTokens: number;
  /** Largest output of one answer by the price table, of the requested model and the one that answers; undefined = not known. */
  readonly modelOutputCap: number | undefined;
  /** Answers the request asks for. */
  readonly choices: number;
  /** Cap on one answer in the request as it is sent; undefined = it names none the vendor reads. With one, no more should come. */
  readonly outputCap: number | undefined;
}

/** Prices of one call, frozen at admission. */
export interface Quote {
  readonly snapshot: PriceSnapshot;
  /** Worst case of the whole call: what the hold must cover. 0 for a free model. */
  readonly estimate: Quota;
  /** Charge if only the prompt had been used: what recovery falls back on. */
  readonly promptEstimate: Quota;
  /** Prompt tokens behind `promptEstimate`; undefined counts as 0. */
  readonly promptTokens?: number;
  /** Output tokens the estimate covers. */
  readonly heldOutputTokens: number;
  /** Least output per answer that is worth a call which cannot have all it is held for; undefined counts as 1. */
  readonly leastOutputTokens?: number;
  /** The worst case of the request as it is sent, which may ask for more than the caller did. */
  worstCaseOf(sent: OutputLimits, upstreamModel: string): WorstCase;
  /** Charge for a usage under this quote's snapshot; one rounding, never negative, never throws for valid usage. */
  charge(usage: Usage): Quota;
}

/** Maximum cost of a free call. */
export const NO_WORST_CASE: WorstCase = {
  estimate: ZERO_QUOTA,
  outputTokens: Number.MAX_SAFE_INTEGER,
  modelOutputCap: undefined,
  choices: 1,
  outputCap: undefined,
};

export abstract class PriceBook {
  /**
   * Freezes the prices of a call and computes its worst case.
   * Fails: price-missing, when the model has none and neither self-use mode nor the caller's acceptance allows it.
   */
  abstract quote(caller: Caller, shape: CallShape): Result<Quote, RelayError>;

  /** True when calls of a model are quoted to a caller at all. */
  abstract hasPrice(caller: Caller, model: string): boolean;
}
