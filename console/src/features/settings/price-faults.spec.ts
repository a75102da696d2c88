import { describe, expect, it } from '@jest/globals';
import { priceFault, topNames } from './price-faults';

describe('faults of a price document', () => {
  it.each([
    ['{\n  "a": 1,\n  "b": 2,\n}', 4],
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ['{\n  "a" 1\n}', 2],
    ['{\n  "a": one\n}', 2],
    ['{\n  "a": 1\n', 2],
    ['{\n  "a": 1\n}\n}', 4],
    ['{\n  "a: 1\n}', 2],
    ['[\n1,\n\n]', 4],
    ["{\n  'a': 1\n}", 2],
  ])('names the line where %j stops being JSON', (text, line) => {
    expect(priceFault(text, 'numbers')).toEqual({ kind: 'json', line });
  });

  it('refuses a name that is there twice, at its second line', () => {
    expect(priceFault('{\n "a": 1,\n "b": {"a": 2},\n "a": 3\n}', 'maps')).toEqual({
      kind: 'twice',
      line: 4,
      name: 'a',
    });
  });

  it('names the entry that is no number, too large, or of the wrong form', () => {
    expect(priceFault('{\n "a": 1,\n "b": "2"\n}', 'numbers')).toEqual({
      kind: 'number',
      line: 3,
      name: 'b',
    });
    expect(priceFault('{"a": -1}', 'numbers')).toEqual({ kind: 'range', line: 1, name: 'a' });
    expect(priceFault('{"a": 1}', 'texts')).toEqual({ kind: 'text', line: 1, name: 'a' });
    expect(priceFault('{"a": {}}', 'lists')).toEqual({ kind: 'list', line: 1, name: 'a' });
    expect(priceFault('{"a": {"b": "c"}}', 'maps')).toEqual({ kind: 'number', line: 1, name: 'a' });
    expect(priceFault('[1]', 'numbers')).toEqual({ kind: 'object', line: 1 });
  });

  it('names the figure that has more digits than are kept', () => {
    expect(priceFault('{\n "a": 1,\n "b": 0.12345678901234567890,\n "c": 2\n}', 'numbers')).toEqual({
      kind: 'digits',
      line: 3,
      name: 'b',
    });
    const tier = '{\n "m": [\n  {"above": 9, "input": 1.00000000000000000001}\n ]\n}';
    expect(priceFault(tier, 'lists')).toEqual({ kind: 'digits', line: 3, name: 'm' });
    expect(
      priceFault('{"0.12345678901234567890": 0.30000000000000004, "b": 1.50}', 'numbers'),
    ).toBeUndefined();
  });

  it('finds nothing wrong with an empty text and with names that hold marks of JSON', () => {
    expect(priceFault(' ', 'numbers')).toBeUndefined();
    expect(priceFault('{"a:{[\\"": 1, "gpt-4o": 0}', 'numbers')).toBeUndefined();
    expect(topNames('{"a:{[\\"": 1}')).toEqual([{ name: 'a:{["', line: 1 }]);
  });
});
