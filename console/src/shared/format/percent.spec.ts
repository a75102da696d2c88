import { expect, it } from '@jest/globals';
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
  ['5%%', undefined],
  ['５%', undefined],
])('reads %j as %p percent', (text, percent) => {
  expect(percentOf(text)).toBe(percent);
});
