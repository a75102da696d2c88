import { describe, expect, it } from '@jest/globals';
import { amountPerRow, integerList, textList, toInteger, toText } from './money-sql.js';

describe('toInteger', () => {
  it('reads what drivers give: numbers, text, bigints, and nothing as 0', () => {
    expect([7, '-12', 12n, '9007199254740991', null, undefined, '5.0'].map(toInteger)).toEqual([
      7, -12, 12, 9_007_199_254_740_991, 0, 0, 5,
    ]);
  });

  it.each([['9007199254740992'], [2n ** 53n + 1n], [0.5], ['1.5'], ['12a'], [Number.NaN], [Infinity], [{}]])(
    'refuses %p, which is no exact integer',
    (value) => {
      expect(() => toInteger(value)).toThrow(RangeError);
    },
  );
});

describe('lists in SQL', () => {
  it('writes integers and ids, and nothing for an empty list', () => {
    expect(integerList(new Set([3, -1, 0]))).toBe('3,-1,0');
    expect(textList(['a-B_9', '0'])).toBe("'a-B_9','0'");
    expect(integerList([])).toBe('');
    expect(textList([])).toBe('');
  });

  it.each([[''], ["a'b"], ['a b'], ['a\nb'], ['ä'], ['a\\'], ['x'.repeat(65)], ['a\n']])(
    'refuses %p as an id',
    (id) => {
      expect(() => textList(['fine', id])).toThrow(RangeError);
      expect(() => amountPerRow('id', new Map([[id, 1]]))).toThrow(RangeError);
    },
  );

  it('refuses anything but whole numbers, among ids and among amounts', () => {
    expect(() => integerList([1, 1.5])).toThrow(RangeError);
    expect(() => amountPerRow('id', new Map([[1.5, 1]]))).toThrow(RangeError);
    expect(() => amountPerRow('id', new Map([[1, 2 ** 53]]))).toThrow(RangeError);
  });
});

describe('amountPerRow', () => {
  it('gives each row its own amount', () => {
    const amounts = new Map<number | string, number>([
      [1, 10],
      ['r-2', -5],
    ]);
    expect(amountPerRow('id', amounts)).toBe(`CASE "id" WHEN 1 THEN 10 WHEN 'r-2' THEN -5 END`);
  });
});

describe('toText', () => {
  it('keeps text, writes out numbers, and reads nothing as an empty text', () => {
    expect(['a', 5, 5n, null, undefined].map(toText)).toEqual(['a', '5', '5', '', '']);
  });
});
