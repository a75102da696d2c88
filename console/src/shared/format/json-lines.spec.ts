import { describe, expect, it } from '@jest/globals';
import { isJson } from './json';
import { lineAt, lineOfBreak } from './json-lines';

describe('lineOfBreak', () => {
  it.each([
    ['{\n  "a": 1,\n}', 3],
    ['{\n  "a" 1\n}', 2],
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ['{\n  a: 1\n}', 2],
    ['[1,\n2,,\n3]', 2],
    ['[1\n}', 2],
    ['{"a": 1}\n{"b": 2}', 2],
    ['{\n  "a": "open\n}', 2],
    ['{\n  "a": "\\x"\n}', 2],
    ['{\n  "a": 01\n}', 2],
    ['{\n  "a": [\n    1', 3],
    ['{\n  "a": nul\n}', 2],
    ['\n\n]', 3],
    ['', 1],
  ])('finds the line of %j', (text, line) => {
    expect(isJson(text)).toBe(false);
    expect(lineOfBreak(text)).toBe(line);
  });

  it('passes over marks of JSON inside texts', () => {
    expect(lineOfBreak('{\n  "}],:{": "\\"}",\n  "b": }\n')).toBe(3);
  });

  it('reads deep nesting without a stack of calls', () => {
    expect(lineOfBreak(`${'['.repeat(100_000)}\n,`)).toBe(2);
  });
});

describe('lineAt', () => {
  it('counts from 1', () => {
    expect(['a\nb', 'a\nb', '\n\n'].map((text, index) => lineAt(text, index))).toEqual([1, 1, 3]);
  });
});
