import { describe, expect, it } from '@jest/globals';
import { type RefusalName, REFUSALS } from '../../relay-core/model/refusals.js';
import { refusalText, ZH_REFUSALS } from './refusal-texts.js';

const marksOf = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([mark]) => mark).toSorted();

describe('sentences of refusals in Chinese', () => {
  it.each(Object.keys(REFUSALS) as RefusalName[])('has the marks of the English sentence: %s', (code) => {
    expect(marksOf(ZH_REFUSALS[code])).toEqual(marksOf(REFUSALS[code].message));
    expect(ZH_REFUSALS[code]).toMatch(/\p{Script=Han}/u);
  });

  it('fills in the values', () => {
    expect(refusalText('no-channel', { model: 'm-1', group: 'vip' }, 'zh')).toBe(
      '分组 vip 下没有可用于模型 m-1 的渠道。',
    );
  });

  it('keeps a mark without a value', () => {
    expect(refusalText('price-missing', {}, 'zh')).toContain('{model}');
  });

  it('leaves English and codes of other versions to the stored text', () => {
    expect(refusalText('no-channel', {}, 'en')).toBeUndefined();
    expect(refusalText('code-of-tomorrow', {}, 'zh')).toBeUndefined();
    expect(refusalText('toString', {}, 'zh')).toBeUndefined();
  });
});
