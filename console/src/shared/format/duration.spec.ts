import { describe, expect, it } from '@jest/globals';
import { formatMilliseconds, formatSpan, spanTone } from './duration';

describe('formatMilliseconds', () => {
  it.each([
    [0, '0 ms'],
    [840.4, '840 ms'],
    [999.4, '999 ms'],
    // A value that rounds up to the next unit is shown in that one: no 1000 ms, no 10.00 s, no 60 s.
    [999.5, '1.00 s'],
    [2_400, '2.40 s'],
    [9_994, '9.99 s'],
    [9_996, '10.0 s'],
    [12_340, '12.3 s'],
    [59_940, '59.9 s'],
    [59_960, '1 min 0 s'],
    [72_000, '1 min 12 s'],
    [119_600, '2 min 0 s'],
    [3_599_400, '59 min 59 s'],
    [3_725_000, '1 h 2 min'],
    [60_008_000, '16 h 40 min'],
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
    [3_599_400, '59 min 59 s'],
    [3_725_000, '1 h 2 min'],
    [60_008_000, '16 h 40 min'],
  ])('writes %d ms as %s', (milliseconds, text) => {
    expect(formatSpan(milliseconds)).toBe(text);
  });
});

describe('the colour of a time', () => {
  it('turns green up to sixty seconds, sixty included, and red above', () => {
    expect([60_000, 60_001].map(spanTone)).toEqual(['fast', 'bad']);
  });
});
