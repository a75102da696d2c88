import { describe, expect, it } from '@jest/globals';
import { isJsonObject, parseJson } from './parse-json.js';

describe('parseJson', () => {
  it.each<[string, unknown]>([
    ['{"a":[1,"ü"]}', { a: [1, 'ü'] }],
    [' null ', null],
    ['0', 0],
    ['', undefined],
    ['{"a":', undefined],
    ['<html>', undefined],
    ['undefined', undefined],
  ])('reads %j, as text and as bytes', (text, value) => {
    expect(parseJson(text)).toEqual(value);
    expect(parseJson(Buffer.from(text))).toEqual(value);
  });
});

describe('isJsonObject', () => {
  it('takes objects, and neither lists, null nor plain values', () => {
    expect([{}, { a: 1 }].every(isJsonObject)).toBe(true);
    expect([[], null, undefined, 'text', 0].some(isJsonObject)).toBe(false);
  });
});
