import { describe, expect, it } from '@jest/globals';
import { PreviewSums } from './preview-run.js';

const cost = (before: number, after: number) => ({ calls: 1, charged: before, before, after });
const call = (model: string, userId?: number, group = 'default') => ({ model, group, userId });

describe('PreviewSums', () => {
  it('adds up everything, by model and group, and by the accounts whose bill changes', () => {
    const sums = new PreviewSums();
    sums.add(call('a', 1), cost(10, 12));
    sums.add(call('a', 1), cost(5, 6));
    sums.add(call('a', 2, 'vip'), cost(100, 100));
    sums.add(call('b'), { calls: 4, charged: 7, before: 8, after: 8 });
    expect(sums.total).toEqual({ calls: 7, charged: 122, before: 123, after: 126 });
    expect(sums.modelSums(10)).toEqual([
      { model: 'a', group: 'default', calls: 2, charged: 15, before: 15, after: 18 },
      { model: 'a', group: 'vip', calls: 1, charged: 100, before: 100, after: 100 },
      { model: 'b', group: 'default', calls: 4, charged: 7, before: 8, after: 8 },
    ]);
    expect(sums.affectedUsers(10)).toEqual([{ userId: 1, calls: 2, charged: 15, before: 15, after: 18 }]);
  });

  it('puts the largest difference first, whichever way it goes, then the largest revenue', () => {
    const sums = new PreviewSums();
    sums.add(call('up', 1), cost(10, 15));
    sums.add(call('down', 2), cost(20, 5));
    sums.add(call('big', 3), cost(900, 905));
    expect(sums.modelSums(10).map(({ model }) => model)).toEqual(['down', 'big', 'up']);
    expect(sums.affectedUsers(2).map(({ userId }) => userId)).toEqual([2, 3]);
  });

  it('counts an account whose calls rise and fall in price by the same sum as not affected', () => {
    const sums = new PreviewSums();
    sums.add(call('up', 1), cost(10, 15));
    sums.add(call('down', 1), cost(10, 5));
    expect(sums.affectedUsers(10)).toEqual([]);
  });

  it('keeps groups and models apart whose names would be one when joined', () => {
    const sums = new PreviewSums();
    sums.add(call('a', 1, 'b c'), cost(1, 1));
    sums.add(call('a b', 1, 'c'), cost(1, 1));
    expect(sums.modelSums(10)).toHaveLength(2);
  });

  it('names models that would be refused, by their cost today, then by calls', () => {
    const sums = new PreviewSums();
    sums.addRefused('rare', 50);
    sums.addRefused('often', 25);
    sums.addRefused('often', 25);
    sums.addRefused('cheap', 1);
    expect(sums.refused).toBe(4);
    expect(sums.refusedModels(2)).toEqual([
      { model: 'often', calls: 2, before: 50 },
      { model: 'rare', calls: 1, before: 50 },
    ]);
    expect(sums.total.calls).toBe(0);
  });

  it('stays exact at sums of quota beyond what 32 bits hold', () => {
    const sums = new PreviewSums();
    for (let time = 0; time < 3; time += 1) sums.add(call('a', 1), cost(2 ** 51 + 1, 1));
    expect(sums.total.before).toBe(3 * 2 ** 51 + 3);
  });
});
