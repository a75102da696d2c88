/**
 * Tokens of one call in the neutral vocabulary. `undefined` = not reported; 0 = reported as zero. Totals include their parts:
 * `input.total` includes cache reads and writes, `output.total` includes reasoning.
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
  /** Number of units a price per call is paid for: images made. Undefined = 1. */
  readonly units?: number;
  /** Uses of tools the vendor ran itself, by neutral name: `web-search`, `file-search`, `code-execution`, `image-generation`. */
  readonly tools?: Readonly<Record<string, number>>;
  /** Service tier that the vendor reports, if it is not the usual one: `flex`, `priority`, … */
  readonly serviceTier?: string;
  /** The correction of a report that contradicts itself: output taken as the rest of the total, or parts cut to their whole. */
  readonly reading?: 'rest-of-total' | 'parts-cut';
}

/**
 * Source of a charge's usage: the provider's valid report, a report above what the request allows and therefore cut to its bound,
 * our own count of what was produced, an estimate (recovery, count not possible), or nothing was used.
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

/** The compiler refuses a table that leaves a figure out. */
const INPUT_FIGURES: Readonly<Record<keyof Usage['input'], true>> = {
  total: true,
  cacheRead: true,
  cacheWrite: true,
  cacheWrite1h: true,
  audio: true,
  image: true,
};
const OUTPUT_FIGURES: Readonly<Record<keyof Usage['output'], true>> = {
  total: true,
  reasoning: true,
  audio: true,
  image: true,
};

/** Usage with every field listed: the compiler reports one that is left out. */
type EveryField = { readonly [Member in keyof Required<Usage>]: Usage[Member] };

/** Two parts of one call together. Figures that neither has stay absent; of two classes of service or readings the later one counts. */
export function sumUsage(left: Usage, right: Usage): Usage {
  const sum: EveryField = {
    input: { total: undefined, ...sumFigures(INPUT_FIGURES, left.input, right.input) },
    output: { total: undefined, ...sumFigures(OUTPUT_FIGURES, left.output, right.output) },
    units: plus(left.units, right.units),
    tools: sumTools(left.tools, right.tools),
    serviceTier: right.serviceTier ?? left.serviceTier,
    reading: right.reading ?? left.reading,
  };
  return sum;
}

type Figures<Name extends string> = { readonly [Key in Name]?: number | undefined };

function sumFigures<Name extends string>(
  names: Readonly<Record<Name, true>>,
  left: Figures<Name>,
  right: Figures<Name>,
): Partial<Record<Name, number>> {
  const sums: Partial<Record<Name, number>> = {};
  for (const name of Object.keys(names) as Name[]) {
    const sum = plus(left[name], right[name]);
    if (sum !== undefined) sums[name] = sum;
  }
  return sums;
}

function sumTools(left: Usage['tools'], right: Usage['tools']): Usage['tools'] {
  if (left === undefined || right === undefined) return left ?? right;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return Object.fromEntries([...names].map((name) => [name, (left[name] ?? 0) + (right[name] ?? 0)]));
}

const plus = (left: number | undefined, right: number | undefined): number | undefined =>
  left === undefined ? right : left + (right ?? 0);
