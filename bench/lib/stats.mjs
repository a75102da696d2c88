/** Value at a share of a sorted list (linear between neighbours). NaN for an empty list. */
export function quantile(sorted, share) {
  if (sorted.length === 0) return Number.NaN;
  const position = (sorted.length - 1) * share;
  const low = Math.floor(position);
  const high = Math.ceil(position);
  return sorted[low] + (sorted[high] - sorted[low]) * (position - low);
}

const ascending = (values) => Float64Array.from(values).sort();

/** @returns {{median: number, low: number, high: number, count: number}} median and the middle half */
export function summary(values) {
  const sorted = ascending(values);
  return {
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.25),
    high: quantile(sorted, 0.75),
    count: sorted.length,
  };
}

export const median = (values) => quantile(ascending(values), 0.5);

/** @returns {{p50: number, p99: number, max: number}} of a list in any order */
export function percentiles(values) {
  const sorted = ascending(values);
  return {
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    max: sorted[sorted.length - 1] ?? Number.NaN,
  };
}

/**
 * The straight line through points by least squares.
 * @param {readonly {x: number, y: number}[]} points
 * @returns {{slope: number, error: number}} y per x, and its standard error; NaN for fewer than three points
 */
export function slopeOf(points) {
  const count = points.length;
  if (count < 3) return { slope: Number.NaN, error: Number.NaN };
  const mean = (pick) => points.reduce((sum, point) => sum + pick(point), 0) / count;
  const meanX = mean(({ x }) => x);
  const meanY = mean(({ y }) => y);
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const rest = points.reduce((sum, { x, y }) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope, error: Math.sqrt(rest / (count - 2) / spread) };
}
