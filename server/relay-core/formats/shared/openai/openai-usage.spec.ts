import { describe, expect, it } from '@jest/globals';
import { readUsage } from './openai-usage.js';
import { laterUsage } from '../metering/reported-usage.js';

describe('readUsage', () => {
  it('adds cached tokens that stand beside the prompt (xAI), and those of no other vendor', () => {
    const report = {
      prompt_tokens: 10,
      completion_tokens: 4,
      total_tokens: 14,
      prompt_tokens_details: { cached_tokens: 25 },
    };
    expect(readUsage({ ...report, num_sources_used: 0 })).toEqual({
      input: { total: 35, cacheRead: 25 },
      output: { total: 4 },
    });
    expect(readUsage(report)).toMatchObject({ input: { total: 10, cacheRead: 10 }, reading: 'parts-cut' });
  });

  it.each([
    [158, 407],
    [416, 665],
  ])(
    'adds %d cached tokens at a vendor that counts them beside the prompt, fewer or more than it',
    (cached, input) => {
      const report = {
        prompt_tokens: 249,
        completion_tokens: 10,
        prompt_tokens_details: { cached_tokens: cached },
      };
      const usage = { input: { total: input, cacheRead: cached }, output: { total: 10 } };
      expect(readUsage(report, 'beside')).toEqual(usage);
      for (const total of [259, 259 + cached])
        expect(readUsage({ ...report, total_tokens: total }, 'beside')).toEqual(usage);
      const thoughts = { completion_tokens_details: { reasoning_tokens: 30 } };
      for (const total of [289, 289 + cached])
        expect(readUsage({ ...report, ...thoughts, total_tokens: total }, 'beside')).toEqual({
          ...usage,
          output: { total: 40, reasoning: 30 },
        });
    },
  );

  it('counts cached tokens as a part of the prompt at xAI itself, unless they exceed it', () => {
    const report = { prompt_tokens: 249, completion_tokens: 10, num_sources_used: 0 };
    const read = (cached_tokens: number) =>
      readUsage({ ...report, prompt_tokens_details: { cached_tokens } });
    expect(read(158)).toMatchObject({ input: { total: 249, cacheRead: 158 } });
    expect(read(416)).toMatchObject({ input: { total: 665, cacheRead: 416 } });
  });

  it('finds Mistral’s details under their other name', () => {
    expect(
      readUsage({ prompt_tokens: 10, completion_tokens: 4, prompt_token_details: { cached_tokens: 3 } }),
    ).toMatchObject({ input: { total: 10, cacheRead: 3 } });
  });

  it.each([
    ['text', '12'],
    ['a list', []],
    ['a negative figure', { prompt_tokens: 10, completion_tokens: -1 }],
    ['a fraction', { prompt_tokens: 10.5, completion_tokens: 1 }],
    ['an absurd figure', { prompt_tokens: 10, completion_tokens: 1e30 }],
    ['a figure as text', { prompt_tokens: '10', completion_tokens: 1 }],
    ['a negative total', { prompt_tokens: 1, completion_tokens: 1, total_tokens: -2 }],
  ])('calls %s invalid [UP-01]', (_name, report) => {
    expect(readUsage(report)).toBe('invalid');
  });

  it.each([
    [
      'more cached than there was',
      { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 11 } },
      { input: { total: 10, cacheRead: 10 }, output: { total: 1 } },
    ],
    [
      'more sound than there was',
      { prompt_tokens: 1, completion_tokens: 2, completion_tokens_details: { audio_tokens: 3 } },
      { input: { total: 1 }, output: { total: 2, audio: 2 } },
    ],
  ])('cuts %s to its whole [UP-01]', (_name, report, usage) => {
    expect(readUsage(report)).toEqual({ ...usage, reading: 'parts-cut' });
  });

  it('reads nothing from nothing', () => {
    expect(readUsage(null)).toBeUndefined();
    expect(readUsage(undefined)).toBeUndefined();
    expect(readUsage({})).toBeUndefined();
    expect(readUsage({ prompt_tokens: null, completion_tokens: null })).toBeUndefined();
  });

  it.each([
    ['details', { prompt_tokens_details: { cached_tokens: 4 } }],
    ['DeepSeek', { prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 6 }],
    ['Moonshot', { cached_tokens: 4 }],
    ['Mistral', { num_cached_tokens: 4 }],
  ])('finds cached tokens where %s puts them', (_name, more) => {
    expect(readUsage({ prompt_tokens: 10, completion_tokens: 2, total_tokens: 12, ...more })).toEqual({
      input: { total: 10, cacheRead: 4 },
      output: { total: 2 },
    });
  });

  it('adds reasoning that the sum shows to be left out (xAI), and leaves it where it is inside', () => {
    const details = { completion_tokens_details: { reasoning_tokens: 196 } };
    // 291 + 26 + 196 = 513
    expect(
      readUsage({ prompt_tokens: 291, completion_tokens: 26, total_tokens: 513, ...details }),
    ).toMatchObject({
      output: { total: 222, reasoning: 196 },
    });
    expect(
      readUsage({ prompt_tokens: 18, completion_tokens: 345, total_tokens: 363, ...details }),
    ).toMatchObject({
      output: { total: 345, reasoning: 196 },
    });
  });

  it('cuts reasoning that is neither inside the output nor in the sum [UP-01]', () => {
    const details = { completion_tokens_details: { reasoning_tokens: 999_999 } };
    expect(readUsage({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, ...details })).toEqual({
      input: { total: 10 },
      output: { total: 5, reasoning: 5 },
      reading: 'parts-cut',
    });
  });

  it('keeps an explicit zero apart from a missing figure', () => {
    expect(readUsage({ prompt_tokens: 0, completion_tokens: 0 })).toEqual({
      input: { total: 0 },
      output: { total: 0 },
    });
    expect(readUsage({ prompt_tokens: 5 })).toEqual({ input: { total: 5 }, output: { total: undefined } });
    expect(readUsage({ prompt_tokens: 5, total_tokens: 9 })).toEqual({
      input: { total: 5 },
      output: { total: 4 },
    });
  });
});

describe('laterUsage', () => {
  it('replaces an earlier report, unless the later one is all zero', () => {
    const earlier = { input: { total: 5 }, output: { total: 2 } };
    const later = { input: { total: 5 }, output: { total: 7 } };
    const zero = { input: { total: 0 }, output: { total: 0 } };
    expect(laterUsage(earlier, later)).toBe(later);
    expect(laterUsage(earlier, zero)).toBe(earlier);
    expect(laterUsage(undefined, zero)).toBe(zero);
  });
});
