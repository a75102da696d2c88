import { describe, expect, it } from '@jest/globals';
import { PriceDocumentError, readDecimal, readNumbers } from './read-price-document.js';

describe('readDecimal', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [0.1, '0.1'],
    [1e-7, '0.0000001'],
    [1_000_000, '1000000'],
    [2.5e-6, '0.0000025'],
  ])('reads %p exactly', (value, text) => {
    expect(readDecimal(value, 'ModelRatio', 'm')).toBe(text);
  });

  it.each([[-0.1], [1_000_000.1], [Number.NaN], [Infinity], ['1'], [null], [undefined], [{}]])(
    'refuses %p by the names of option and entry',
    (value) => {
      expect(() => readDecimal(value as number, 'ModelRatio', 'gpt "x"')).toThrow(
        new PriceDocumentError('ModelRatio: "gpt "x"" must be a number from 0 to 1000000'),
      );
    },
  );

  it('refuses more decimal places than are kept', () => {
    expect(() => readDecimal(1e-300, 'ModelRatio', 'm')).toThrow(
      'ModelRatio: "m" has too many decimal places',
    );
  });
});

describe('readNumbers', () => {
  it('keeps names like members of objects as names', () => {
    const document = JSON.parse('{"__proto__": 2, "constructor": 3, "": 4}') as Record<string, number>;
    expect([...readNumbers(document, 'ModelRatio')]).toEqual([
      ['__proto__', '2'],
      ['constructor', '3'],
      ['', '4'],
    ]);
    expect(readNumbers({}, 'ModelRatio').size).toBe(0);
  });

  it('names the first entry that cannot be used', () => {
    expect(() => readNumbers({ good: 1, bad: -1, worse: -2 }, 'ModelPrice')).toThrow('ModelPrice: "bad"');
  });
});
