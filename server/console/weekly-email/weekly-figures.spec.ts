import { describe, expect, it } from '@jest/globals';
import type { UsageTotal } from '../../base/billing/ledger/usage-totals.js';
import { changePercent, sumOf, topModels } from './weekly-figures.js';

const row = (modelName: string, quota: number, calls = 1): UsageTotal => ({
  userId: 1,
  username: 'ada',
  modelName,
  start: 0,
  tokens: 0,
  calls,
  quota,
});

describe('topModels', () => {
  it('adds up days and puts the dearest first, five at most', () => {
    const rows = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, index) => row(name, index));
    expect(
      topModels([...rows, row('a', 100, 2)]).map(({ name, quota, calls }) => [name, quota, calls]),
    ).toEqual([
      ['a', 100, 3],
      ['f', 5, 1],
      ['e', 4, 1],
      ['d', 3, 1],
      ['c', 2, 1],
    ]);
  });

  it('leaves out models without a call', () => {
    expect(topModels([row('a', 5, 0)])).toEqual([]);
  });
});

it('sums quota and calls', () => {
  expect(sumOf([row('a', 1, 2), row('b', 3, 4)])).toEqual({ quota: 4, calls: 6 });
});

it('compares with the week before, unless that was empty', () => {
  expect(changePercent(150, 100)).toBe(50);
  expect(changePercent(0, 100)).toBe(-100);
  expect(changePercent(5, 0)).toBeNull();
});
