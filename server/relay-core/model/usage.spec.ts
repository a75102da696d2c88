import { describe, expect, it } from '@jest/globals';
import { isTokenCount, isTokenCountOrNone } from './usage.js';

const IMPOSSIBLE = [
  -1,
  0.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  20_000_001,
  2 ** 53,
  '5',
  true,
  [],
  {},
  5n,
];

describe('isTokenCount', () => {
  it.each([...IMPOSSIBLE, null, undefined])('refuses %p', (value) => {
    expect(isTokenCount(value)).toBe(false);
  });

  it.each([0, 1, 20_000_000])('takes %p', (value) => {
    expect(isTokenCount(value)).toBe(true);
  });
});

describe('isTokenCountOrNone', () => {
  it.each(IMPOSSIBLE)('refuses %p', (value) => {
    expect(isTokenCountOrNone(value)).toBe(false);
  });

  it.each([0, null, undefined])('takes %p', (value) => {
    expect(isTokenCountOrNone(value)).toBe(true);
  });
});
