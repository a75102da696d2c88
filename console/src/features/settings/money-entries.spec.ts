import { describe, expect, it } from '@jest/globals';
import { moneyOfEntry, ratiosBeside } from './money-entries';

describe('entries of price documents in money', () => {
  it('shows dollars of a million tokens for ratios and for factors of them', () => {
    expect(moneyOfEntry('ModelRatio', 1.25, undefined)).toBe('$2.50');
    expect(moneyOfEntry('CompletionRatio', 4, 1.25)).toBe('$10.00');
    expect(moneyOfEntry('CacheRatio', 0.1, 1.25)).toBe('$0.25');
    expect(moneyOfEntry('CompletionRatio', 1.333333333, 1.5)).toBe('$3.999999999');
  });

  it('shows dollars of a call', () => {
    expect(moneyOfEntry('ModelPrice', 0.04, undefined)).toBe('$0.04');
  });

  it('leaves factors of groups, and factors of an unknown price, as they are', () => {
    expect(moneyOfEntry('GroupRatio', 2, 1)).toBeUndefined();
    expect(moneyOfEntry('AudioCompletionRatio', 2, 1)).toBeUndefined();
    expect(moneyOfEntry('CompletionRatio', 4, undefined)).toBeUndefined();
  });

  it('takes the ratios of before from what is stored, those of after from the change', () => {
    const stored = { ModelRatio: '{"a":1}' };
    const { before, after } = ratiosBeside(stored, [{ key: 'ModelRatio', value: '{"a":3,"b":2}' }]);
    expect([before.get('a'), after.get('a'), after.get('b')]).toEqual([1, 3, 2]);
    expect(ratiosBeside(stored, []).after.get('a')).toBe(1);
  });
});
