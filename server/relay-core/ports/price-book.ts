import type { Quota } from '../../common/quota.js';
import type { Result } from '../../common/result.js';
import type { Caller, CallShape } from '../model/call.js';
import type { PriceSnapshot } from '../model/price-snapshot.js';
import type { RelayError } from '../model/relay-error.js';
import type { Usage } from '../model/usage.js';

/** Prices of one call, frozen at admission. */
export interface Quote {
  readonly snapshot: PriceSnapshot;
  /** Worst case of the whole call: what the hold must cover. 0 for a free model. */
  readonly estimate: Quota;
  /** Charge if only the prompt had been used: what recovery falls back on. */
  readonly promptEstimate: Quota;
  /** Prompt tokens behind `promptEstimate`; undefined counts as 0. */
  readonly promptTokens?: number;
  /** Output tokens the estimate covers; a stream that passes 80 % of it extends its hold. */
  readonly coveredOutputTokens: number;
  /** Largest output of the model when the price table knows it. */
  readonly modelOutputCap: number | undefined;
  /** Charge for a usage under this quote's snapshot; one rounding, never negative, never throws for valid usage. */
  charge(usage: Usage): Quota;
}

export abstract class PriceBook {
  /**
   * Freezes the prices of a call and computes its worst case.
   * Fails: price-missing, when the model has none and neither self-use mode nor the caller's acceptance allows it.
   */
  abstract quote(caller: Caller, shape: CallShape): Result<Quote, RelayError>;
}
