import { describe, expect, it } from '@jest/globals';
import { bucketsOf } from './channel-buckets';

const NO_TIMES = {
  first_token_p50_ms: null,
  first_token_p95_ms: null,
  duration_p50_ms: null,
  duration_p95_ms: null,
};

describe('the buckets of a period', () => {
  it('fills what has no attempts, up to the bucket that is running', () => {
    const series = [{ at: 1_800, attempts: 3, failures: 1, billed_tokens: 0, ...NO_TIMES }];
    const buckets = bucketsOf({ from: 900, to: 3_700, bucket_seconds: 900, series });
    expect(buckets.map(({ at, attempts }) => [at, attempts])).toEqual([
      [900, 0],
      [1_800, 3],
      [2_700, 0],
      [3_600, 0],
    ]);
  });
});
