import { describe, expect, it } from '@jest/globals';
import { WordFilter } from './word-filter.js';

describe('WordFilter', () => {
  it.each([
    ['a plain word', ['bomb'], 'how to build a BOMB?', 0],
    ['a word inside another', ['she', 'he', 'hers'], 'ushers', 0],
    ['a word that begins where another broke off', ['abcd', 'bce'], 'xabce', 1],
    ['a word that ends inside a longer one', ['abcde', 'cd'], 'abcdx', 1],
    ['characters outside the basic plane', ['漢字', '😀x'], 'y😀x', 1],
  ])('finds %s', (_name, words, text, expected) => {
    expect(new WordFilter(words).find(text)).toBe(expected);
  });

  it('finds nothing in clean text, an empty list or blank words', () => {
    expect(new WordFilter(['bomb']).find('bom b')).toBe(-1);
    expect(new WordFilter([]).find('anything')).toBe(-1);
    expect(new WordFilter(['', '  ']).find('any thing')).toBe(-1);
  });

  it('agrees with a naive search on many small words and texts', () => {
    let state = 5;
    const random = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const word = (length: number) => Array.from({ length }, () => 'abc'[random(3)]).join('');
    for (let round = 0; round < 500; round += 1) {
      const words = Array.from({ length: 4 }, () => word(2 + random(4)));
      const text = word(12);
      expect(new WordFilter(words).find(text) !== -1).toBe(words.some((one) => text.includes(one)));
    }
  });
});
