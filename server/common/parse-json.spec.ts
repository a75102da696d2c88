import { describe, expect, it } from '@jest/globals';
import { parseJson } from './parse-json.js';

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
