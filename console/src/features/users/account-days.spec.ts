import { describe, expect, it } from '@jest/globals';
import { daysOf, sumOfDays } from './account-days';

const row = (created_at: number, quota: number, count: number) => ({ created_at, quota, count });

describe('days of an account', () => {
  it('adds up the models of a day and keeps days without use', () => {
    expect(daysOf([row(100, 5, 1), row(100, 7, 2), row(250, 1, 1)], [100, 150, 200])).toEqual([
      { start: 100, quota: 12, calls: 3 },
      { start: 150, quota: 0, calls: 0 },
      { start: 200, quota: 1, calls: 1 },
    ]);
  });

  it('sums days', () => {
    expect(sumOfDays(daysOf([row(100, 5, 1), row(150, 7, 2)], [100, 150]))).toEqual({ quota: 12, calls: 3 });
  });
});
