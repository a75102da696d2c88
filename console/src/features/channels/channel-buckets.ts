import type { ChannelStatistics } from './api';

type Bucket = ChannelStatistics['series'][number];

const NOTHING: Omit<Bucket, 'at'> = {
  attempts: 0,
  failures: 0,
  billed_tokens: 0,
  first_token_p50_ms: null,
  first_token_p95_ms: null,
  duration_p50_ms: null,
  duration_p95_ms: null,
};

/** Every bucket of the period, those without attempts as well. */
export function bucketsOf({
  from,
  to,
  bucket_seconds: length,
  series,
}: Pick<ChannelStatistics, 'from' | 'to' | 'bucket_seconds' | 'series'>): Bucket[] {
  const known = new Map(series.map((bucket) => [bucket.at, bucket]));
  const count = Math.floor((to - from) / length) + 1;
  return Array.from({ length: count }, (_, index) => {
    const at = from + index * length;
    return known.get(at) ?? { at, ...NOTHING };
  });
}
