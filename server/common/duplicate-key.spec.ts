import { describe, expect, it } from '@jest/globals';
import { findDuplicateKey } from './duplicate-key.js';

describe('names given twice', () => {
  it.each([
    ['{"a":1,"b":2,"a":3}', 'a'],
    ['{"a":{"x":1},"b":{"x":1,"x":2}}', 'x'],
    ['[{"a":1},{"a":1,"a":1}]', 'a'],
    // The same name, written another way.
    [String.raw`{"gpt-4o":1,"gpt\u002d4o":2}`, 'gpt-4o'],
    [String.raw`{"a\"b":1, "a\"b" : 2}`, 'a"b'],
    ['{ "" : 1 , "" : 2 }', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"constructor":[1,{"c":2}],"d":"}","constructor":0}', 'constructor'],
  ])('%s', (text, name) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(findDuplicateKey(text)).toBe(name);
  });

  it.each([
    '{}',
    '[]',
    '"a"',
    '7',
    '{"a":"a","b":["a","a"],"c":{"a":"a"}}',
    '{"a":",\\"a\\":","b":"{\\"b\\""}',
  ])('none in %s', (text) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(findDuplicateKey(text)).toBeUndefined();
  });
});
