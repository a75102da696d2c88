/** Other prices for a whole call whose input is longer than `above` tokens; factors of the model's own prices. */
export interface LengthTier {
  readonly above: number;
  readonly input: string;
  readonly output: string;
  /** Absent = as `input`. */
  readonly cacheRead?: string;
  /** Absent = as `input`. */
  readonly cacheWrite?: string;
}

interface CommonPrices {
  readonly model: string;
  readonly group: string;
  readonly groupRatio: string;
  readonly quotaPerUnit: number;
  /** Revision of the options the prices came from. */
  readonly revision: number;
  /** Group of the account, where `groupRatio` is the one agreed for it instead of the group's own. */
  readonly userGroup?: string;
  /** The name or pattern of models `groupRatio` is agreed for, where it is not agreed for all of them. */
  readonly modelPattern?: string;
  /** US dollars per thousand uses of tools the vendor runs, by neutral name (`Usage.tools`); absent = all free. */
  readonly tools?: Readonly<Record<string, string>>;
  /** Which price of a tool applied where a tool has several: `key@size`. Absent = the usual one. */
  readonly toolTerms?: Readonly<Record<string, string>>;
  /** Tools every answer of this model uses at least once, whether it is reported or not. */
  readonly toolsEachCall?: readonly string[];
}

/**
 * Prices frozen when a call was admitted; stored with its settlement so that the charge can be recomputed.
 * All ratios are exact decimals as text. Ratio 1 = 2 US dollars per million input tokens.
 */
export type PriceSnapshot =
  | (CommonPrices & {
      readonly mode: 'ratio';
      readonly modelRatio: string;
      readonly completionRatio: string;
      readonly cacheRatio: string;
      readonly cacheWriteRatio: string;
      /** Writes kept for an hour; absent = 1.6 times `cacheWriteRatio`. */
      readonly cacheWrite1hRatio?: string;
      readonly imageRatio: string;
      /** Output tokens the model only thought; absent = `completionRatio`. */
      readonly reasoningRatio?: string;
      /** Image output tokens; absent = `completionRatio`. */
      readonly imageOutputRatio?: string;
      /** The answer was images: `completionRatio` is their price. */
      readonly makesPictures?: true;
      readonly audioRatio: string;
      readonly audioCompletionRatio: string;
      /** Factors of what tokens cost where the vendor served the call in another class of service, by `Usage.serviceTier`. */
      readonly serviceTiers?: Readonly<Record<string, string>>;
      /** Ascending by `above`; the last one that applies counts. Absent = one price for every length. */
      readonly tiers?: readonly LengthTier[];
      /** True when the model had no price and the fallback ratio was used (self-use mode, or accepted by the user). */
      readonly unset?: true;
    })
  | (CommonPrices & {
      readonly mode: 'call';
      /** US dollars per call, or per unit where the usage counts units. */
      readonly price: string;
      /** Exact decimal the price is multiplied with (size and quality of an image); absent = 1. */
      readonly factor?: string;
      /** Meaning of the factor, such as `hd 1024x1792`; rows of earlier versions have none. */
      readonly factorName?: string;
    });

/** Output price of a hold before the kind of output is known: all reasoning if that costs more than text. */
export function mostExpensiveOutput(
  snapshot: PriceSnapshot,
  tokens: number,
): { readonly total: number; readonly reasoning?: number } {
  const isThinkingDearer =
    snapshot.mode === 'ratio' &&
    snapshot.reasoningRatio !== undefined &&
    Number(snapshot.reasoningRatio) > Number(snapshot.completionRatio);
  return isThinkingDearer ? { total: tokens, reasoning: tokens } : { total: tokens };
}
