import { describe, expect, it } from '@jest/globals';
import { joinList, sortGroups, splitList } from './lists';

describe('a comma list', () => {
  it('loses blanks and repeats, and keeps its order', () => {
    expect(splitList(' b, a,,b ,\t')).toEqual(['b', 'a']);
    expect([splitList(null), splitList(undefined), splitList(' , ')]).toEqual([[], [], []]);
  });

  it('takes a part with a comma in it for two', () => {
    expect(joinList(['a', 'b,c', '', ' a '])).toBe('a,b,c');
  });
});

describe('sortGroups', () => {
  it('puts the default group first', () => {
    const groups = ['vip', 'default', 'alpha'];
    expect(sortGroups(groups)).toEqual(['default', 'alpha', 'vip']);
    expect(groups).toEqual(['vip', 'default', 'alpha']);
  });
});
