/**
 * Upper bounds of the buckets of a histogram in milliseconds, inclusive. The last bucket has none. The bounds are columns of stored
 * rows: they never change.
 */
export const BUCKET_BOUNDS_MS = [
  50, 100, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 7_500, 10_000, 20_000, 30_000, 60_000,
  120_000, 300_000,
] as const;

export const BUCKET_COUNT = BUCKET_BOUNDS_MS.length + 1;

/** Values per bucket, in the order of the bounds. */
export type Histogram = number[];

export const emptyHistogram = (): Histogram => Array.from({ length: BUCKET_COUNT }, () => 0);

/** The bucket of a value. */
export function bucketOf(milliseconds: number): number {
  const found = BUCKET_BOUNDS_MS.findIndex((bound) => milliseconds <= bound);
  return found === -1 ? BUCKET_COUNT - 1 : found;
}

export function addHistogram(sum: Histogram, more: readonly number[]): void {
  for (let bucket = 0; bucket < BUCKET_COUNT; bucket += 1)
    sum[bucket] = (sum[bucket] ?? 0) + (more[bucket] ?? 0);
}

/**
 * A quantile of a histogram, interpolated inside its bucket; a value above the last bound counts as the last bound.
 * @param share  0 to 1
 * @returns whole milliseconds; null = no values
 */
export function quantileMs(histogram: readonly number[], share: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = share * total;
  let seen = 0;
  for (const [bucket, upper] of BUCKET_BOUNDS_MS.entries()) {
    const count = histogram[bucket] ?? 0;
    const lower = BUCKET_BOUNDS_MS[bucket - 1] ?? 0;
    if (count > 0 && seen + count >= rank)
      return Math.round(lower + ((rank - seen) / count) * (upper - lower));
    seen += count;
  }
  return BUCKET_BOUNDS_MS[BUCKET_BOUNDS_MS.length - 1] ?? null;
}
