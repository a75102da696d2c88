/**
 * Tokens of one call in the neutral vocabulary. `undefined` = the vendor did not say; 0 = the vendor said zero.
 * Totals include their parts: `input.total` includes cache reads and writes, `output.total` includes reasoning.
 */
export interface Usage {
  readonly input: {
    readonly total: number | undefined;
    readonly cacheRead?: number;
    /** All cache writes, the one-hour ones included. */
    readonly cacheWrite?: number;
    /** Part of `cacheWrite` that is kept for an hour, at its own price. */
    readonly cacheWrite1h?: number;
    readonly audio?: number;
    readonly image?: number;
  };
  readonly output: {
    readonly total: number | undefined;
    readonly reasoning?: number;
    readonly audio?: number;
    readonly image?: number;
  };
  /** What a price per call buys more than one of: pictures made. Undefined = 1. */
  readonly units?: number;
  /** Uses of tools the vendor ran itself, by neutral name: `web-search`, `file-search`, `code-execution`, `image-generation`. */
  readonly tools?: Readonly<Record<string, number>>;
  /** Class of service the vendor says it served the call in, where that is not its usual one: `flex`, `priority`, … */
  readonly serviceTier?: string;
  /** How a report that contradicts itself was read, where figures of it were changed: output is the rest of the total; parts were cut. */
  readonly reading?: 'rest-of-total' | 'parts-cut';
}

/**
 * Where the figures of a charge come from: the provider's valid report, a report above what the request allows and therefore cut
 * to its bound, our own count of what was produced, an estimate (recovery, count not possible), or nothing was used.
 */
export type Evidence = 'reported' | 'bounded' | 'counted' | 'estimated' | 'none';

/** No real call comes near; a larger figure is a lie or a bug, whatever was sent. */
export const MAX_PLAUSIBLE_TOKENS = 20_000_000;

/** A figure that can be true. */
export const isTokenCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_PLAUSIBLE_TOKENS;

/** A figure that can be true, or none. */
export const isTokenCountOrNone = (value: unknown): value is number | null | undefined =>
  value === null || value === undefined || isTokenCount(value);
