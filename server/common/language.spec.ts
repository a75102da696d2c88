import { describe, expect, it } from '@jest/globals';
import { languageOf } from './language.js';

describe('the language of an answer', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['zh', 'zh'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['ZH-hant', 'zh'],
    ['en-US,en;q=0.9,zh;q=0.8', 'en'],
    ['de-DE,de;q=0.9', 'en'],
    ['de,zh;q=0.5,en;q=0.4', 'zh'],
    ['zh;q=0,en;q=0.1', 'en'],
    ['zhuang', 'en'],
    ['*', 'en'],
    [`${'x,'.repeat(10_000)}zh`, 'en'],
  ])('takes from %j the language %s', (header, language) => {
    expect(languageOf(header)).toBe(language);
  });
});
