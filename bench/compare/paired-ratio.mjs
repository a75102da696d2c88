import { median, quantile } from '../lib/stats.mjs';

/** Draws for the interval of a median: enough that its ends move by less than 0.001 from one seed to the next. */
const DRAWS = 2_000;

/** A small generator of its own, so that the same figures always give the same interval (mulberry32). */
function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const ascending = (values) => Float64Array.from(values).sort();

/**
 * Compares one figure of two builds, measured in pairs of neighbouring slices.
 *
 * Other work on a machine only adds to CPU time, so beside the median of the paired ratios stand the ratios of the lower
 * quartiles and of the least figures: where all three agree, nothing but the builds differs.
 * @param {readonly {own: number, other: number}[]} pairs positive figures
 * @returns {{ratio: number, low: number, high: number, ofLowerQuartiles: number, ofMinima: number, pairs: number}}
 *   `low` and `high` bound the median with 95 % by resampling
 */
export function pairedRatio(pairs) {
  const ratios = pairs.map(({ own, other }) => own / other);
  const random = seededRandom(ratios.length);
  const medians = Array.from({ length: DRAWS }, () =>
    median(ratios.map(() => ratios[Math.floor(random() * ratios.length)])),
  );
  const sortedMedians = ascending(medians);
  const own = ascending(pairs.map((pair) => pair.own));
  const other = ascending(pairs.map((pair) => pair.other));
  return {
    ratio: median(ratios),
    low: quantile(sortedMedians, 0.025),
    high: quantile(sortedMedians, 0.975),
    ofLowerQuartiles: quantile(own, 0.25) / quantile(other, 0.25),
    ofMinima: own[0] / other[0],
    pairs: pairs.length,
  };
}

/** Compares the width of the interval with twice the tolerance. */
export const isKnown = ({ low, high }, tolerance) => high - low <= 2 * tolerance;
