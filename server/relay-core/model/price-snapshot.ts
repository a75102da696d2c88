/**
 * Prices frozen when a call was admitted; stored with its settlement so that the charge can be recomputed (I12).
 * All ratios are exact decimals as text. Ratio 1 = 2 US dollars per million input tokens.
 */
export type PriceSnapshot =
  | {
      readonly mode: 'ratio';
      readonly model: string;
      readonly group: string;
      readonly modelRatio: string;
      readonly completionRatio: string;
      readonly cacheRatio: string;
      readonly cacheWriteRatio: string;
      /** Writes kept for an hour; absent = 1.6 times `cacheWriteRatio`. */
      readonly cacheWrite1hRatio?: string;
      readonly imageRatio: string;
      readonly audioRatio: string;
      readonly audioCompletionRatio: string;
      readonly groupRatio: string;
      readonly quotaPerUnit: number;
      /** Revision of the options the prices came from. */
      readonly revision: number;
      /** True when the model had no price and the fallback ratio was used (self-use mode, or accepted by the user). */
      readonly unset?: true;
    }
  | {
      readonly mode: 'call';
      readonly model: string;
      readonly group: string;
      /** US dollars per call, or per unit where the usage counts units. */
      readonly price: string;
      /** Exact decimal the price is multiplied with (size and quality of a picture); absent = 1. */
      readonly factor?: string;
      readonly groupRatio: string;
      readonly quotaPerUnit: number;
      readonly revision: number;
    };
