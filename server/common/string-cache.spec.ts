import { describe, expect, it } from '@jest/globals';
import { KnownTexts } from './string-cache.js';

describe('KnownTexts', () => {
  it('says what the bytes say, whatever was asked before', () => {
    const texts = new KnownTexts();
    const words = Array.from({ length: 5_000 }, (_, index) => `${'m'.repeat(index % 40)}${index % 997}`);
    for (const word of [...words, ...words]) {
      const bytes = Buffer.from(`"${word}"`, 'latin1');
      expect(texts.of(bytes, 1, bytes.length - 1)).toBe(word);
    }
  });

  it.each(['', 'é\u0080ÿ', '\0', 'x'.repeat(32), 'x'.repeat(33)])('reads %j', (word) => {
    const bytes = Buffer.from(`{${word}`, 'latin1');
    const texts = new KnownTexts();
    for (let turn = 0; turn < 3; turn += 1) expect(texts.of(bytes, 1, bytes.length)).toBe(word);
  });

  it('does not change with the buffer it read from', () => {
    const texts = new KnownTexts();
    const bytes = Buffer.from('gpt-4o');
    const first = texts.of(bytes, 0, 6);
    bytes.write('gpt-5x');
    expect([first, texts.of(bytes, 0, 6)]).toEqual(['gpt-4o', 'gpt-5x']);
  });
});
