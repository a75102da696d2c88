import { describe, expect, it } from '@jest/globals';
import { LATIN_LOOKS } from './latin-looks.js';

describe('LATIN_LOOKS', () => {
  it('maps one character each, beyond ASCII, to a small Latin letter', () => {
    const wrong = [...LATIN_LOOKS].filter(
      ([character, latin]) => [...character].length !== 1 || character < '\u0080' || !/^[a-z]$/.test(latin),
    );
    expect(wrong).toEqual([]);
  });

  it('leaves out accented Latin letters, which are letters of their own', () => {
    expect(['é', 'ł', 'ø', 'đ', 'ñ'].filter((letter) => LATIN_LOOKS.has(letter))).toEqual([]);
  });
});
