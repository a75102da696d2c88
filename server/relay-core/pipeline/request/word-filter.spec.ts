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

  it.each([
    ['full width', 'ｂｏｍｂ'],
    ['mathematical letters', '𝐛𝗼𝘮𝚋'],
    ['letters in circles', 'ⓑⓞⓜⓑ'],
    ['superscripts', 'ᵇᵒᵐᵇ'],
    ['small capitals', 'ʙᴏᴍʙ'],
    ['a character of no width', 'b\u200bo\u200dm\ufeffb'],
    ['a soft hyphen', 'bo\u00admb'],
    ['marks of direction', 'b\u202eo\u2066mb'],
    ['variation selectors and tags', 'b\ufe0fo\u{e0062}m\u{e0100}b'],
    ['a filler of Korean', 'b\u3164omb'],
    ['a control character', 'b\u0000o\u0008mb'],
    ['combining characters', 'b\u0301o\u0301m\u0336b\u20dd'],
    ['a stack of combining characters', `b${'\u0300'.repeat(50)}omb`],
    ['a Cyrillic letter', 'bоmb'],
    ['a Cyrillic capital', 'BОMB'],
    ['Greek capitals', 'ΒoΜb'],
    ['a Greek letter', 'bοmb'],
    ['letters of Armenian, Lisu and Cherokee', 'bօmꓐ'],
    ['a mathematical Greek capital', 'b𝚶mb'],
  ])('finds a word written with %s', (_name, text) => {
    for (const within of [text, `x ${text}`, `a ${text} y`])
      expect(new WordFilter(['bomb']).find(within)).toBe(0);
  });

  it.each([
    ['ß', 'straße', 'STRASSE'],
    ['a ligature', 'office', 'oﬃce'],
    ['a final sigma', 'ΛΟΓΟΣ', 'λογος'],
    ['the dotted capital of Turkish', 'istanbul', 'İSTANBUL'],
    ['half-width katakana', 'ガス', 'ｶﾞｽ'],
    ['a composed letter', 'café', 'cafe\u0301'],
    ['a letter given with its mark apart', 'cafe\u0301', 'CAFÉ'],
    ['letters of Korean given apart', '각', '\u1100\u1161\u11a8'],
    ['characters in compatibility forms', '金', '\uf90a'],
    ['a word of the list in full width', 'ｂｏｍｂ', 'bomb'],
    ['a word of the list with characters of no width', 'b\u200bomb', 'bomb'],
    ['a Cyrillic word with Latin letters in it', 'бомба', 'бoмбa'],
    ['two words, one of them mixed', 'bad word', 'bаd word'],
  ])('folds both sides alike: %s', (_name, word, text) => {
    expect(new WordFilter([word]).find(text)).toBe(0);
  });

  it('keeps composed letters apart from plain ones, and half pairs as they are', () => {
    expect(new WordFilter(['ano']).find('año')).toBe(-1);
    expect(new WordFilter(['café']).find('cafe')).toBe(-1);
    expect(new WordFilter(['a\ud83d']).find('xa\ud83d')).toBe(0);
  });

  it('never reads a text of another script by what its letters look like', () => {
    // Russian, Greek and Chinese words that look like, or hold, the Latin ones.
    const filter = new WordFilter(['cop', 'pop', 'tom', 'op', 'xop', 'no', 'ton', 'pa', 'eo', 'in', 'o']);
    const texts = [
      'сор в хор поп том, оператор просто сорока рот город перо. ',
      'το νο πο ρο και των όπου ο τόπος τον χώρο από την πόλη. ',
      '中文的句子，没有任何拉丁字母。口人工二十。',
    ];
    for (const text of texts) {
      const long = text.repeat(Math.ceil(100_000 / Buffer.byteLength(text)));
      expect(filter.find(long)).toBe(-1);
      // A Latin word beside them mixes no script.
      expect(filter.find(`${long} SMS ${long}`)).toBe(-1);
    }
  });

  it('reads only the mixed word, not those beside it', () => {
    expect(new WordFilter(['cop']).find('сор bаd')).toBe(-1);
    expect(new WordFilter(['сор']).find('a cop and a bаd')).toBe(-1);
    expect(new WordFilter(['сор']).find('a cорy')).toBe(0);
    expect(new WordFilter(['o']).find('用α射线')).toBe(-1);
  });

  it('agrees with its table of transitions when a list is too long for one', () => {
    const many = Array.from({ length: 3_000 }, (_, index) =>
      String.fromCharCode(0x4e00 + index, 0x5e00 + index),
    );
    const filter = new WordFilter([...many, 'bomb']);
    expect(filter.find(`x${many[2_999] ?? ''}`)).toBe(2_999);
    expect(filter.find('a ｂоmb')).toBe(3_000);
    expect(filter.find('bom 一丁')).toBe(-1);
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
