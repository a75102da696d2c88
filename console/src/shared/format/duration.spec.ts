import { describe, expect, it } from '@jest/globals';
import {
  durationTone,
  firstTokenTone,
  formatMilliseconds,
  formatSpan,
  responseTimeTone,
  spanTone,
} from './duration';

describe('formatMilliseconds', () => {
  it.each([
    [0, '0 ms'],
    [840.4, '840 ms'],
    [999.4, '999 ms'],
    // What rounds up to the next unit is told in that one: no 1000 ms, no 10.00 s, no 60 s.
    [999.5, '1.00 s'],
    [2_400, '2.40 s'],
    [9_994, '9.99 s'],
    [9_996, '10.0 s'],
    [12_340, '12.3 s'],
    [59_940, '59.9 s'],
    [59_960, '1 min 0 s'],
    [72_000, '1 min 12 s'],
    [119_600, '2 min 0 s'],
    [3_725_000, '62 min 5 s'],
  ])('writes %d as %s', (milliseconds, text) => {
    expect(formatMilliseconds(milliseconds)).toBe(text);
  });
});

describe('formatSpan', () => {
  it.each([
    [0, '0 s'],
    [400, '0.4 s'],
    [42_000, '42 s'],
    [59_940, '59.9 s'],
    [59_960, '1 min 0 s'],
    [60_000, '1 min 0 s'],
    [119_600, '2 min 0 s'],
    [3_725_000, '62 min 5 s'],
  ])('writes %d ms as %s', (milliseconds, text) => {
    expect(formatSpan(milliseconds)).toBe(text);
  });
});

describe('the colour of a time', () => {
  it('changes at 1, 3 and 5 seconds of a response', () => {
    expect([1_000, 1_001, 3_000, 3_001, 5_000, 5_001].map(responseTimeTone)).toEqual([
      'fast',
      'fair',
      'fair',
      'slow',
      'slow',
      'bad',
    ]);
  });

  it('changes at 101 and 300 seconds of a call, at 3 and 10 seconds before its first token', () => {
    expect([100, 101, 299, 300].map(durationTone)).toEqual(['fast', 'slow', 'slow', 'bad']);
    expect([2_999, 3_000, 9_999, 10_000].map(firstTokenTone)).toEqual(['fast', 'slow', 'slow', 'bad']);
  });

  it('turns green up to sixty seconds, sixty included, and red above', () => {
    expect([60_000, 60_001].map(spanTone)).toEqual(['fast', 'bad']);
  });
});
