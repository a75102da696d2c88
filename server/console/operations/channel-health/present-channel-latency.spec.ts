import { describe, expect, it } from '@jest/globals';
import type { AttemptSum } from '../../../base/channel-statistics/attempt-statistics.js';
import {
  BUCKET_BOUNDS_MS,
  emptyHistogram,
  type Histogram,
} from '../../../base/channel-statistics/histogram.js';
import { mostUsedPairs, presentLatency } from './present-channel-latency.js';

/** All counts in the bucket that ends at a bound. */
function allAt(boundMs: number, count: number): Histogram {
  const histogram = emptyHistogram();
  histogram[BUCKET_BOUNDS_MS.findIndex((bound) => bound === boundMs)] = count;
  return histogram;
}

const sum = (changes: Partial<AttemptSum>): AttemptSum => ({
  channelId: 1,
  model: 'fx-std',
  reason: '',
  status: 0,
  start: 0,
  attempts: 10,
  failures: 1,
  outputTokens: 0,
  outputMs: 0,
  billedTokens: 7,
  firstToken: emptyHistogram(),
  duration: emptyHistogram(),
  ...changes,
});

const TOKENS = { input: 2.5, output: 10, perCall: null };

describe('presentLatency', () => {
  it('puts times and tokens a second of a model beside its price', () => {
    const streamed = sum({
      outputTokens: 615,
      outputMs: 10_000,
      firstToken: allAt(100, 10),
      duration: allAt(1_000, 10),
    });
    const row = presentLatency(streamed, 'main', TOKENS);
    expect(row).toEqual({
      channel_id: 1,
      channel_name: 'main',
      model: 'fx-std',
      attempts: 10,
      failures: 1,
      first_token_p50_ms: 75,
      first_token_p95_ms: 98,
      duration_p50_ms: 875,
      duration_p95_ms: 988,
      tokens_per_second: 61.5,
      price_input: 2.5,
      price_output: 10,
      price_per_call: null,
    });
  });

  it('leaves out values that were not measured or have no price', () => {
    const row = presentLatency(sum({}), '', { input: null, output: null, perCall: 0.04 });
    expect(row).toMatchObject({
      first_token_p50_ms: null,
      duration_p95_ms: null,
      tokens_per_second: null,
      price_input: null,
      price_output: null,
      price_per_call: 0.04,
    });
  });
});

describe('mostUsedPairs', () => {
  it('orders by attempts, then by model and channel', () => {
    const pairs = mostUsedPairs([
      sum({ model: 'b', channelId: 2 }),
      sum({ model: 'b', channelId: 1 }),
      sum({ model: 'a', channelId: 3 }),
      sum({ model: 'c', attempts: 11 }),
    ]);
    expect(pairs.map(({ model, channelId }) => `${model}${channelId}`)).toEqual(['c1', 'a3', 'b1', 'b2']);
  });

  it('keeps the 500 pairs with most attempts', () => {
    const pairs = mostUsedPairs(Array.from({ length: 501 }, (_, index) => sum({ attempts: index })));
    expect([pairs.length, pairs.at(-1)?.attempts]).toEqual([500, 1]);
  });
});
