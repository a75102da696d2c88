import { describe, expect, it } from '@jest/globals';
import { periodOf } from './statistics-period.js';

/** 2026-11-21 12:10:00 UTC. */
const NOW = 1_795_263_000;
const DAY = 86_400;
const OPEN = { start_timestamp: undefined, end_timestamp: undefined };

describe('periodOf', () => {
  it.each([
    ['24 hours without a query', {}, NOW - DAY - 600, 900],
    ['a week by the hour', { start_timestamp: NOW - 7 * DAY }, NOW - 7 * DAY - 600, 3_600],
    ['30 days by six hours', { start_timestamp: NOW - 30 * DAY }, NOW - 30 * DAY - 600, 21_600],
    ['366 days at most', { start_timestamp: 0 }, NOW - 366 * DAY - 43_800, DAY],
    [
      'nothing that is still to come',
      { start_timestamp: NOW + DAY, end_timestamp: NOW + 2 * DAY },
      NOW - 600,
      900,
    ],
  ])('reads %s, from a whole bucket on', (_name, query, from, bucketSeconds) => {
    expect(periodOf({ ...OPEN, ...query }, NOW)).toEqual({ from, to: NOW, bucketSeconds });
  });
});
