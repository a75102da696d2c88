import { FINISHED, type Sample } from './measure.js';

export interface TimedSample {
  readonly hours: number;
  readonly values: Sample;
}

export interface Growth {
  readonly name: string;
  /** Means of the first and of the last fifth. */
  readonly first: number;
  readonly last: number;
  /** The straight line through all points, an hour; and twice its standard error. */
  readonly slope: number;
  readonly doubt: number;
  readonly verdict: 'flat' | 'GROWS' | 'kept';
}

const FIFTH = 0.2;
/** Limit of certain growth over the whole time: a tenth of the starting value, or so much of its unit. */
const GROWTH = 0.1;
const SPARE: readonly (readonly [ending: RegExp, spare: number])[] = [
  [/, MB$/, 8],
  [/, ms$/, 100],
  [/./, 20],
];

/** Movement of every measure. A measure that is missing in some samples (a worker that was away) counts where it is there. */
export function growthOf(samples: readonly TimedSample[]): Growth[] {
  const names = new Set(samples.flatMap(({ values }) => [...values.keys()]));
  return [...names].map((name) => {
    const points = samples.flatMap(({ hours, values }) => {
      const value = values.get(name);
      return value === undefined ? [] : [{ hours, value }];
    });
    const part = Math.max(1, Math.round(points.length * FIFTH));
    const first = mean(points.slice(0, part).map(({ value }) => value));
    const last = mean(points.slice(-part).map(({ value }) => value));
    const { slope, error } = lineThrough(points);
    const hours = (points.at(-1)?.hours ?? 0) - (points[0]?.hours ?? 0);
    const gained = (slope - 2 * error) * hours;
    const spare = SPARE.find(([ending]) => ending.test(name))?.[1] ?? 0;
    const hasGrown = gained > Math.max(first * GROWTH, spare);
    const verdict = name === FINISHED ? 'kept' : hasGrown ? 'GROWS' : 'flat';
    return { name, first, last, slope, doubt: 2 * error, verdict };
  });
}

/** Least squares: value per hour, and its standard error. */
function lineThrough(points: readonly { readonly hours: number; readonly value: number }[]): {
  readonly slope: number;
  readonly error: number;
} {
  if (points.length < 3) return { slope: Number.NaN, error: Number.NaN };
  const meanHours = mean(points.map(({ hours }) => hours));
  const meanValue = mean(points.map(({ value }) => value));
  let spread = 0;
  let covered = 0;
  for (const { hours, value } of points) {
    spread += (hours - meanHours) ** 2;
    covered += (hours - meanHours) * (value - meanValue);
  }
  const slope = covered / spread;
  let rest = 0;
  for (const { hours, value } of points) rest += (value - meanValue - slope * (hours - meanHours)) ** 2;
  return { slope, error: Math.sqrt(rest / (points.length - 2) / spread) };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Markdown table for a page. */
export function growthTable(growths: readonly Growth[]): string {
  const rows = growths.map(
    ({ name, first, last, slope, doubt, verdict }) =>
      `| ${name} | ${first.toFixed(1)} | ${last.toFixed(1)} | ${slope.toFixed(1)} ± ${doubt.toFixed(1)} | ${verdict} |`,
  );
  return ['| Measure | first fifth | last fifth | an hour (95 %) | |', '|---|---:|---:|---:|---|']
    .concat(rows)
    .join('\n');
}
