import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from './canonical-json.js';

describe('canonicalJson', () => {
  it('gives one text for members in any order, at any depth', () => {
    expect(canonicalJson({ b: 1, a: { d: [1, { y: 2, x: 1 }], c: null } })).toBe(
      '{"a":{"c":null,"d":[1,{"x":1,"y":2}]},"b":1}',
    );
  });

  it('leaves out members that are undefined, and keeps their places in lists', () => {
    expect(canonicalJson({ a: undefined, b: [undefined, 1] })).toBe('{"b":[null,1]}');
  });

  it('distinguishes numbers that JSON cannot hold from null', () => {
    expect(canonicalJson([Number.NaN, Infinity, -Infinity])).toBe('["NaN","Infinity","-Infinity"]');
  });

  it('escapes names and texts', () => {
    expect(canonicalJson({ 'a"b': 'line\n' })).toBe(String.raw`{"a\"b":"line\n"}`);
  });
});
