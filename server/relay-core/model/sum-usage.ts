import type { Usage } from './usage.js';

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

/** The same for everything else a usage says. */
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
