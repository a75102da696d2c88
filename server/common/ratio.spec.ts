import { describe, expect, it } from '@jest/globals';
import { addRatios, formatRatio, multiplyRatios, parseRatio } from './ratio.js';

describe('parseRatio', () => {
  it.each([
    ['0.1', '0.1'],
    [1.5e-7, '0.00000015'],
    ['2.50', '2.5'],
    ['-3e2', '-300'],
    ['5.', '5'],
    [' 7 ', '7'],
    [0, '0'],
  ])('reads %j as exactly %s', (value, text) => {
    expect(formatRatio(parseRatio(value))).toBe(text);
  });

  it.each([Number.NaN, Infinity, '', '1,5', '.5', '0x10', '1e', '1e41', '1e-41'])('refuses %j', (value) => {
    expect(() => parseRatio(value)).toThrow(RangeError);
  });
});

describe('arithmetic of ratios', () => {
  it('adds what floats cannot', () => {
    expect(formatRatio(addRatios(parseRatio(0.1), parseRatio(0.2)))).toBe('0.3');
    expect(formatRatio(addRatios(parseRatio('-0.05'), parseRatio('0.05')))).toBe('0');
  });

  it('multiplies without rounding', () => {
    expect(formatRatio(multiplyRatios(parseRatio('0.000003'), parseRatio(1_000_000)))).toBe('3');
    expect(formatRatio(multiplyRatios(parseRatio('-1.25'), parseRatio('0.08')))).toBe('-0.1');
  });
});
