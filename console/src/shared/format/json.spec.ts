import { describe, expect, it } from '@jest/globals';
import { formatJson, isJson, isJsonObjectOrEmpty, isRecord, losesDigits, parseJson } from './json';

describe('JSON texts', () => {
  it('accepts null as JSON and rejects text that is not JSON', () => {
    expect([parseJson('null'), parseJson('nul'), parseJson('')]).toEqual([null, undefined, undefined]);
    expect(['null', '0', '""', '{', '', "{'a':1}"].map(isJson)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('takes an empty text or an object where an object is asked for', () => {
    expect(['', ' ', '{}', '{"a":1}'].map(isJsonObjectOrEmpty)).toEqual([true, true, true, true]);
    expect(['[]', '1', '{', 'null', '"{}"'].map(isJsonObjectOrEmpty)).toEqual(Array(5).fill(false));
  });

  it('lays out what can be read', () => {
    expect(formatJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(formatJson('null')).toBe('null');
    expect(formatJson('{')).toBeUndefined();
  });

  it('takes neither lists nor null for objects', () => {
    expect([{}, Object.create(null) as unknown, [], null, undefined, 'a'].map(isRecord)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('losesDigits', () => {
  it.each(['1', '0.10', '-007', '1e5', '1.50E-7', '0.1', '100000000000000000000', '0'])(
    'keeps every digit of %s',
    (figure) => {
      expect(losesDigits(figure)).toBe(false);
    },
  );

  it.each(['0.12345678901234567891', '9007199254740993', '1e999'])(
    'sees that %s becomes another',
    (figure) => {
      expect(losesDigits(figure)).toBe(true);
    },
  );
});
