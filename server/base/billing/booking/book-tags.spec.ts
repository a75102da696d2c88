import { describe, expect, it } from '@jest/globals';
import type { BookedCharge } from './batch-totals.js';
import { accountSums, tagSums, withinBound } from './book-tags.js';

const DAY = 86_400;
const charge = (changes: Partial<BookedCharge['document']>, charged = 5): BookedCharge => ({
  document: {
    user_id: 7,
    created_at_ms: (10 * DAY + 1) * 1_000,
    prompt_tokens: 2,
    completion_tokens: 1,
    ...changes,
  } as BookedCharge['document'],
  charged,
});
const place = (kind: string, userId = 7): string => JSON.stringify([userId, kind, 10 * DAY]);
const valuesOf = (sums: ReturnType<typeof tagSums>) => sums.map(({ value, count }) => [value, count]);

describe('sums by tag and end user', () => {
  it('adds calls of one day in UTC under each tag and under the end user', () => {
    const calls = [
      charge({ tags: 'a,b', end_user: 'ann' }),
      charge({ tags: 'a', created_at_ms: 11 * DAY * 1_000 - 1 }, 7),
    ];
    expect(tagSums(calls)).toEqual([
      { userId: 7, kind: 'end_user', day: 10 * DAY, value: 'ann', tokens: 3, count: 1, quota: 5 },
      { userId: 7, kind: 'tag', day: 10 * DAY, value: 'a', tokens: 6, count: 2, quota: 12 },
      { userId: 7, kind: 'tag', day: 10 * DAY, value: 'b', tokens: 3, count: 1, quota: 5 },
    ]);
  });

  it('keeps accounts and days apart, in one order whatever came first', () => {
    const calls = [
      charge({ tags: 'a' }),
      charge({ tags: 'a', user_id: 8 }),
      charge({ tags: 'a', created_at_ms: 12 * DAY * 1_000 }),
    ];
    expect(tagSums(calls)).toHaveLength(3);
    expect(tagSums(calls.toReversed())).toEqual(tagSums(calls));
  });

  it('adds the tags of each account together', () => {
    const calls = [charge({ tags: 'a,b', end_user: 'ann' }), charge({ tags: 'a', user_id: 8 })];
    expect(accountSums(tagSums(calls))).toMatchObject([
      { userId: 0, kind: 'end_user', value: '7', count: 1, quota: 5 },
      { userId: 0, kind: 'tag', value: '7', count: 2, quota: 10 },
      { userId: 0, kind: 'tag', value: '8', count: 1, quota: 5 },
    ]);
  });

  it('leaves out calls without tags', () => {
    expect(tagSums([charge({})])).toEqual([]);
  });
});

describe('bound of distinct values', () => {
  const sums = tagSums([charge({ tags: 'a,b,c,d' })]);

  it('counts values without room as other', () => {
    expect(valuesOf(withinBound(sums, new Set(), new Map([[place('tag'), 2]])))).toEqual([
      ['', 2],
      ['a', 1],
      ['b', 1],
    ]);
  });

  it('keeps values that have a sum, without taking room', () => {
    const known = new Set(['c', 'd'].map((value) => JSON.stringify([7, 'tag', 10 * DAY, value])));
    expect(valuesOf(withinBound(sums, known, new Map([[place('tag'), 1]])))).toEqual([
      ['', 1],
      ['a', 1],
      ['c', 1],
      ['d', 1],
    ]);
  });

  it('has room of its own for each account', () => {
    const two = tagSums([charge({ tags: 'a' }), charge({ tags: 'a', user_id: 8 })]);
    const bounded = withinBound(two, new Set(), new Map([[place('tag', 8), 1]]));
    expect(bounded.map(({ userId, value }) => [userId, value])).toEqual([
      [7, ''],
      [8, 'a'],
    ]);
  });

  it('loses no charge', () => {
    const bounded = withinBound(sums, new Set(), new Map());
    expect(bounded).toMatchObject([{ value: '', count: 4, quota: 20, tokens: 12 }]);
  });
});
