import { describe, expect, it } from '@jest/globals';
import { cleanLine, cleanText, escapeLike, lengthOf, splitList } from './text.js';

describe('text', () => {
  it('strips control characters and blanks, and composes accents', () => {
    expect(cleanLine(' a\u0000b\u007fe\u0301\u0000 ')).toBe('abé');
    expect(cleanText(' a\r\nb\rc\u0000\td ')).toBe('a\nb\nc\td');
    expect(lengthOf('😀é')).toBe(2);
  });

  it('makes one blank of line breaks and tabs within a line, and none of those around it', () => {
    expect(cleanLine('\tfor\nnights\r\n')).toBe('for nights');
    expect(cleanLine('a\r\n\tb\u2028c\u2029d\u0085e\vf\fg')).toBe('a b c d e f g');
  });

  it('splits comma and line lists without empty elements and duplicates [CHAN-104]', () => {
    expect(splitList(' a ,b,\n a,,c\r\n')).toEqual(['a', 'b', 'c']);
    expect(splitList('a，b, c　，d')).toEqual(['a', 'b', 'c', 'd']);
  });

  it('makes a literal of everything LIKE knows [DB-03]', () => {
    expect(escapeLike('50%_!\\')).toBe('50!%!_!!\\');
  });
});
