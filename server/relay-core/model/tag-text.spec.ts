import { describe, expect, it } from '@jest/globals';
import { joinTags, marksOf, MOST_TAG_CHARACTERS, splitTags, storedTags, tagText } from './tag-text.js';

describe('tagText', () => {
  it.each([
    ['composes marks', 'e\u0301te\u0301', 'été'],
    ['removes blanks around the text and joins those in it', '  a \t\r\n b  ', 'a b'],
    ['removes control characters', 'a\0b\u0007\u009fc', 'abc'],
    ['removes halves of surrogate pairs', 'a\ud83dz\ude00', 'az'],
    ['removes marks that change the direction of the text', 'a\u202eb\u2066c', 'abc'],
    ['keeps case', 'Team-A', 'Team-A'],
    ['keeps joined emoji', '👩‍👧', '👩‍👧'],
  ])('%s', (_what, raw, text) => {
    expect(tagText(raw)).toEqual({ text, isCut: false });
  });

  it('cuts to 64 code points without breaking a pair', () => {
    expect(tagText('😀'.repeat(64))).toEqual({ text: '😀'.repeat(64), isCut: false });
    expect(tagText('😀'.repeat(65))).toEqual({ text: '😀'.repeat(64), isCut: true });
    expect(tagText('x'.repeat(1_000))).toEqual({ text: 'x'.repeat(64), isCut: true });
  });

  it('ends without a blank when the cut falls on one', () => {
    expect(tagText(`${'x'.repeat(63)} yyy`)).toEqual({ text: 'x'.repeat(63), isCut: true });
  });

  it('changes nothing when it is applied again', () => {
    for (const raw of [
      '  e\u0301 \0',
      '😀'.repeat(100),
      `${'x'.repeat(63)} y`,
      '\ud800',
      'ﬁ\u0301'.repeat(90),
    ]) {
      const { text } = tagText(raw);
      expect(tagText(text)).toEqual({ text, isCut: false });
      expect(Array.from(text).length).toBeLessThanOrEqual(MOST_TAG_CHARACTERS);
      expect(text.isWellFormed()).toBe(true);
    }
  });
});

describe('lists of tags', () => {
  it('splits at plain and full-width commas', () => {
    expect(splitTags('a,b，c')).toEqual(['a', 'b', 'c']);
  });

  it('reads what it stores', () => {
    for (const tags of [[], ['a'], ['a', 'b c']]) expect(storedTags(joinTags(tags))).toEqual(tags);
  });

  it('names each tag and the end user of a line', () => {
    expect(marksOf('a,b', 'ann')).toEqual([
      ['tag', 'a'],
      ['tag', 'b'],
      ['end_user', 'ann'],
    ]);
    expect(marksOf('', '')).toEqual([]);
  });
});
