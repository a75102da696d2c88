import { expect, it } from '@jest/globals';
import { formatSpan, spanTone } from './duration';
import { percentOf } from './percent';

it.each([
  ['', 0],
  ['0%', 0],
  ['30%', 30],
  [' 62.5 % ', 62.5],
  ['300%', 100],
  ['waiting', undefined],
  ['30', undefined],
  ['-5%', undefined],
])('reads %j as %p percent', (text, percent) => {
  expect(percentOf(text)).toBe(percent);
});

it.each([
  [0, '0 s'],
  [400, '0.4 s'],
  [42_000, '42 s'],
  [59_940, '59.9 s'],
  [60_000, '1 min 0 s'],
  [119_600, '2 min 0 s'],
  [3_725_000, '62 min 5 s'],
])('writes %d ms as %s', (milliseconds, text) => {
  expect(formatSpan(milliseconds)).toBe(text);
});

it('turns green up to sixty seconds, sixty included, and red above', () => {
  expect(spanTone(60_000)).toBe('fast');
  expect(spanTone(60_001)).toBe('bad');
});
