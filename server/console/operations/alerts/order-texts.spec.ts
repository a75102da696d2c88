import { describe, expect, it } from '@jest/globals';
import { ORDER_INCIDENTS } from '../../wallet/orders/order-status.js';
import { orderTexts } from './order-texts.js';

const KINDS = ['mismatch', ...ORDER_INCIDENTS];

describe('orderTexts', () => {
  it.each(KINDS)('has texts of its own for %s in both languages', (kind) => {
    for (const language of ['en', 'zh'] as const) {
      const [title, sentence, remedy] = orderTexts(kind, language);
      expect(title).toContain('{count}');
      expect(sentence).toContain('{count}');
      expect(remedy).not.toBe('');
      expect(/\p{Script=Han}/u.test(title + sentence + remedy)).toBe(language === 'zh');
    }
    expect(KINDS.filter((other) => orderTexts(other, 'en') === orderTexts(kind, 'en'))).toEqual([kind]);
  });

  it.each([undefined, 0, 'unheard-of', 'toString'])(
    'takes %p for a mismatch, as earlier versions meant',
    (kind) => {
      expect(orderTexts(kind, 'en')).toBe(orderTexts('mismatch', 'en'));
    },
  );
});
