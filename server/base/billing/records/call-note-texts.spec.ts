import { describe, expect, it } from '@jest/globals';
import { PART_NAMES } from '../../pricing/log-part-sentences.js';
import { callTextIn } from './call-note-texts.js';

const PRICE = 'model ratio 1.50, completion ratio 5.00, group ratio 1.00';

describe('callTextIn', () => {
  it.each(Object.values(PART_NAMES))('names the part %s in Chinese', (part) => {
    const [price, note = ''] = callTextIn('zh', `${PRICE}; ${part} 9158 tokens at ratio 0.1`).split('; ');
    expect(price).toBe(PRICE);
    expect(note).toMatch(/^\p{Script=Han}+ 9158 Token，倍率 0\.1$/u);
  });

  it.each([
    [
      'above 200000 input tokens: input × 2, output × 1.5, cache read × 2',
      '输入超过 200000 Token：输入 × 2，输出 × 1.5，缓存读取 × 2',
    ],
    ['factor 2 (hd)', '系数 2 (hd)'],
    ['action MUSIC, task abc', '操作 MUSIC，任务 abc'],
    ['action MUSIC', '操作 MUSIC'],
    ['service tier flex at the usual price', '服务等级 flex，按常规价格'],
    ['service tier priority × 1.75', '服务等级 priority × 1.75'],
    ['web_search 3 × 10 dollars per thousand', 'web_search 3 次，每千次 $10'],
    ['1024x1024, hd', '1024x1024, hd'],
  ])('writes the note %j in Chinese', (note, text) => {
    expect(callTextIn('zh', `${PRICE}; ${note}`)).toBe(`${PRICE}; ${text}`);
    expect(callTextIn('en', `${PRICE}; ${note}`)).toBe(`${PRICE}; ${note}`);
  });
});
