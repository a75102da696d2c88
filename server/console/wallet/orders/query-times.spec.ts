import { describe, expect, it } from '@jest/globals';
import { FIRST_QUERY_SECONDS, nextQueryTime } from './query-times.js';

const HOUR = 3_600;

describe('nextQueryTime', () => {
  it.each([
    [1, 2 * FIRST_QUERY_SECONDS],
    [2, 4 * FIRST_QUERY_SECONDS],
    [6, 6 * HOUR],
    [1_000, 6 * HOUR],
  ])('waits longer each time, at most six hours: after %i questions %i s', (queries, pause) => {
    expect(nextQueryTime(5_000, queries, 5_000)).toBe(5_000 + pause);
  });

  it('ends two days after the order was made', () => {
    expect(nextQueryTime(0, 6, 42 * HOUR)).toBe(48 * HOUR);
    expect(nextQueryTime(0, 6, 42 * HOUR + 1)).toBe(0);
  });
});
