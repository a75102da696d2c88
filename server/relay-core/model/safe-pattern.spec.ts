import { describe, expect, it } from '@jest/globals';
import { isSafePattern } from './safe-pattern.js';

describe('isSafePattern', () => {
  it('takes the patterns operators write', () => {
    const patterns = [
      '^gpt-.*$',
      '^claude-(opus|sonnet)-\\d{1,2}$',
      'a+b*',
      '(?:x-)?trace',
      '[a-z(+*]+',
      '\\p{L}+',
      '^/v1/messages$',
    ];
    for (const pattern of patterns) expect([pattern, isSafePattern(pattern)]).toEqual([pattern, true]);
  });

  it('refuses what does not parse, and what can explode', () => {
    const patterns = [
      '(',
      '(a+)+$',
      '(a|aa)+',
      '((a*)b)*',
      '(a)\\1',
      '(?=a)b',
      '(?<!a)b',
      '.*.*.*.*x',
      '(a{2,})*',
      '(a?){30}',
    ];
    for (const pattern of patterns) expect([pattern, isSafePattern(pattern)]).toEqual([pattern, false]);
  });
});
