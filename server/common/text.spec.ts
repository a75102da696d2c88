import { describe, expect, it } from '@jest/globals';
import { cleanLine, cleanText, escapeLike, lengthOf, splitList, storableText } from './text.js';

describe('text', () => {
  it('strips control characters and blanks, and composes accents', () => {
    expect(cleanLine(' a\u0000b\u007fe\u0301\u0000 ')).toBe('abé');
    expect(cleanText(' a\r\nb\rc\u0000\td ')).toBe('a\nb\nc\td');
    expect(lengthOf('😀é')).toBe(2);
  });

  it('removes or replaces NUL and repairs half characters for columns', () => {
    expect(storableText('a\0b\ud800c\udc00')).toBe('ab\ufffdc\ufffd');
    expect(storableText('a\0b', '?')).toBe('a?b');
    expect(storableText('漢字 🙂\n')).toBe('漢字 🙂\n');
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
