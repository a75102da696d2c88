import { describe, expect, it } from '@jest/globals';
import { belowList, isFailing, isLow } from './account-warning.js';

const day = (attempts: number, failures: number) => ({ channelId: 1, attempts, failures });

describe('isFailing', () => {
  it('compares the share of failures with the limit from twenty attempts on', () => {
    expect(isFailing(day(20, 2), 10)).toBe(true);
    expect(isFailing(day(100, 9), 10)).toBe(false);
  });

  it('needs nothing but failures, and three of them, below that', () => {
    expect(isFailing(day(3, 3), 10)).toBe(true);
    expect(isFailing(day(2, 2), 10)).toBe(false);
    expect(isFailing(day(19, 18), 10)).toBe(false);
  });

  it('switches off with a limit of 0', () => {
    expect(isFailing(day(100, 100), 0)).toBe(false);
  });
});

describe('isLow', () => {
  it('includes a balance that one more day like the last one uses up', () => {
    expect(isLow(100, 100)).toBe(true);
    expect(isLow(101, 100)).toBe(false);
    expect(isLow(0, 1)).toBe(true);
  });

  it('leaves out accounts that spend nothing', () => {
    expect(isLow(0, 0)).toBe(false);
  });
});

describe('belowList', () => {
  const price = { input: null, output: null, perCall: null };

  it('names the part that lies furthest below the list price', () => {
    expect(belowList({ ...price, input: 2, output: 1 }, { input: 2.5, output: 10 })).toEqual({
      part: 'output',
      price: 1,
      listPrice: 10,
    });
    expect(belowList({ ...price, perCall: 0 }, { perCall: 0.04 })).toMatchObject({ part: 'call', price: 0 });
  });

  it('accepts the list price itself, a higher one, and parts that one side does not have', () => {
    expect(belowList({ ...price, input: 2.4999, output: 12 }, { input: 2.5, output: 10 })).toBeUndefined();
    expect(belowList({ ...price, perCall: 0.01 }, { input: 2.5, output: 10 })).toBeUndefined();
    expect(belowList({ ...price, input: 0 }, { input: 0, perCall: 1 })).toBeUndefined();
  });
});
