import { describe, expect, it } from '@jest/globals';
import { foldCharacter, foldTable, LETTER, REMOVED, SPECIAL } from './fold-text.js';

describe('foldCharacter', () => {
  it.each([
    ['A', 'a'],
    ['Ａ', 'a'],
    ['ß', 'ss'],
    ['ﬁ', 'fi'],
    ['ς', 'σ'],
    ['İ', 'i'],
    ['ᴀ', 'a'],
    ['é', 'é'],
    ['Й', 'й'],
    ['а', 'а'],
    ['\u0301', ''],
    ['\u200d', ''],
    ['\u202e', ''],
    ['\u0007', ''],
    ['\n', '\n'],
    ['𝐀', 'a'],
    ['中', '中'],
  ])('folds %j to %j', (character, folded) => {
    expect(foldCharacter(character)).toBe(folded);
  });
});

describe('foldTable', () => {
  const table = foldTable();
  const unit = (character: string): number => table.units[character.charCodeAt(0)] as number;

  it('has every unit of the basic plane, and the special ones apart', () => {
    expect([unit('Z'), unit('\u0301'), unit('ß'), unit('\ud83d'), unit('中')]).toEqual([
      0x7a,
      REMOVED,
      SPECIAL,
      SPECIAL,
      0x4e2d,
    ]);
    expect([table.foldedAt('ß', 0), table.foldedAt('x𝐁', 1), table.foldedAt('😀', 0)]).toEqual([
      'ss',
      'b',
      '😀',
    ]);
    expect([table.foldedAt('\ud83d', 0), table.latinAt('\ud83d', 0)]).toEqual(['\ud83d', '\ud83d']);
  });

  it('reads confusable characters as Latin ones, capitals by their own form', () => {
    expect(Array.from('аВΡρНη', (character) => table.latinAt(character, 0)).join('')).toBe('abpphh');
    expect([table.latinAt('z', 0), table.latinAt('ж', 0), table.latinAt('𝚨', 0)]).toEqual(['z', 'ж', 'a']);
  });

  it('names the script of a unit, and what ends a word', () => {
    const kind = (character: string): number => table.kinds[character.charCodeAt(0)] as number;
    expect(['a', 'а', 'ж', '7', ' ', '中', '가', '.'].map(kind)).toEqual([
      LETTER.latin,
      LETTER.confusable,
      LETTER.other,
      LETTER.other,
      0,
      0,
      0,
      0,
    ]);
    expect(kind('\u0301') & LETTER.composes).toBe(LETTER.composes);
  });
});
