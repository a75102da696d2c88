import { describe, expect, it } from '@jest/globals';
import { formatStatusRanges, isInRanges, parseStatusRanges } from './status-ranges.js';

describe('status ranges', () => {
  it('reads codes and ranges, in any order, with commas of either width, merged', () => {
    const ranges = parseStatusRanges(' 500-503，401-407, 429,504-504 ,402');
    expect(ranges).toEqual([
      [401, 407],
      [429, 429],
      [500, 504],
    ]);
    expect(formatStatusRanges(ranges ?? [])).toBe('401-407,429,500-504');
  });

  it('has no status in an empty text', () => {
    expect(parseStatusRanges('  ')).toEqual([]);
  });

  it('refuses texts that are no list of statuses', () => {
    for (const text of ['99', '600', '500-400', '4x9', '400-', '40', '400-500-600', '400;500'])
      expect(parseStatusRanges(text)).toBeUndefined();
  });

  it('includes both edges of a range', () => {
    const ranges = parseStatusRanges('401-403') ?? [];
    expect([400, 401, 403, 404].map((status) => isInRanges(ranges, status))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
