import { describe, expect, it } from '@jest/globals';
import { getMetadataArgsStorage, Raw } from 'typeorm';
import { MillisecondsColumn, safeInteger, SecondsColumn } from './columns.js';

describe('safeInteger', () => {
  it.each([0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])('keeps %d both ways', (value) => {
    expect(safeInteger.to(value)).toBe(value);
    expect(safeInteger.from(String(value))).toBe(value);
    expect(safeInteger.from(BigInt(value))).toBe(value);
  });

  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -(2 ** 53)])(
    'refuses to write %d',
    (value) => {
      expect(() => safeInteger.to(value)).toThrow(RangeError);
    },
  );

  it.each(['9007199254740992', '-9223372036854775808', '1.5', 'many', 2n ** 63n])(
    'refuses to read %p instead of rounding it',
    (value) => {
      expect(() => safeInteger.from(value)).toThrow(RangeError);
    },
  );

  it('lets conditions, expressions and nothing pass', () => {
    const condition = Raw('1');
    const expression = (): string => 'quota + 1';
    for (const value of [condition, expression, null, undefined, '7'])
      expect(safeInteger.to(value)).toBe(value);
    for (const value of [null, undefined]) expect(safeInteger.from(value)).toBe(value);
  });
});

describe.each([
  ['SecondsColumn', SecondsColumn],
  ['MillisecondsColumn', MillisecondsColumn],
])('%s', (_name, column) => {
  class Row {
    at!: number;
  }
  column('at')(Row.prototype, 'at');
  const { transformer } =
    getMetadataArgsStorage().columns.find(({ target }) => target === Row)?.options ?? {};
  const moment = transformer as typeof safeInteger;

  it('writes moments of a clock that counts parts whole', () => {
    expect([1.999, 0.1, -0.1, 5].map((value) => moment.to(value) as number)).toEqual([1, 0, -1, 5]);
  });

  it('refuses values that are no time', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
      expect(() => moment.to(value)).toThrow(RangeError);
    expect(() => moment.from('9007199254740992')).toThrow(RangeError);
  });
});
