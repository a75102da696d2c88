import { describe, expect, it } from '@jest/globals';
import { cleanLine, cleanText, escapeLike, lengthOf, splitList } from './text.js';

describe('text', () => {
  it('strips control characters and blanks, and composes accents', () => {
    expect(cleanLine(' a\u0000b\r\nc\u2028d\u0085e\u0301 ')).toBe('abcdé');
    expect(cleanText(' a\r\nb\rc\u0000\td ')).toBe('a\nb\nc\td');
    expect(lengthOf('😀é')).toBe(2);
  });

  it('splits comma and line lists without empty elements and duplicates [CHAN-4]', () => {
    expect(splitList(' a ,b,\n a,,c\r\n')).toEqual(['a', 'b', 'c']);
    expect(splitList('a，b, c　，d')).toEqual(['a', 'b', 'c', 'd']);
  });

  it('makes a literal of everything LIKE knows [DB-03]', () => {
    expect(escapeLike('50%_!\\')).toBe('50!%!_!!\\');
  });
});
