import { describe, expect, it } from '@jest/globals';
import { UsageReport } from './usage.js';

/** Figures after the report of the start and that of the end. */
const inputOf = (start: object, end: object): unknown => {
  const report = new UsageReport();
  report.merge({ output_tokens: 0, ...start });
  const usage = report.merge({ output_tokens: 10, ...end });
  return typeof usage === 'object' ? usage.input : usage;
};

describe('the input of a stream whose cached tokens come with its end', () => {
  it.each([
    [
      'counts as the whole prompt where it is the very input of the start',
      { input_tokens: 173_306, cache_read_input_tokens: 0 },
      { input_tokens: 173_306, cache_read_input_tokens: 173_056 },
      { total: 173_306, cacheRead: 173_056 },
    ],
    [
      'counts as the whole prompt where a part of it was written',
      { input_tokens: 500 },
      { input_tokens: 500, cache_read_input_tokens: 100, cache_creation_input_tokens: 200 },
      { total: 500, cacheRead: 100, cacheWrite: 200 },
    ],
    [
      'counts beside them where it is another figure',
      { input_tokens: 8_834 },
      { input_tokens: 18, cache_read_input_tokens: 8_831 },
      { total: 8_849, cacheRead: 8_831 },
    ],
    [
      'counts beside them where they are more than it',
      { input_tokens: 50 },
      { input_tokens: 50, cache_read_input_tokens: 80 },
      { total: 130, cacheRead: 80 },
    ],
    [
      'counts beside them where the start had some',
      { input_tokens: 6, cache_creation_input_tokens: 100 },
      { input_tokens: 6, cache_creation_input_tokens: 100 },
      { total: 106, cacheWrite: 100 },
    ],
  ])('%s', (_name, start, end, input) => {
    expect(inputOf(start, end)).toEqual(input);
  });
});
