import { describe, expect, it } from '@jest/globals';
import { isRange, RANGE_NAMES, rangeStart } from './named-ranges';

describe('named ranges', () => {
  it('begins on a whole minute, the same all minute long', () => {
    expect([rangeStart('hour', 7_260), rangeStart('hour', 7_319.9), rangeStart('hour', 7_320)]).toEqual([
      '3660',
      '3660',
      '3720',
    ]);
    expect(rangeStart('month', 2_592_000)).toBe('0');
  });

  it.each(['', 'custom', 'constructor', 'Hour'])('knows no range called %j', (name) => {
    expect([isRange(name), rangeStart(name, 7_260)]).toEqual([false, '']);
  });

  it('goes from the shortest to the longest', () => {
    const starts = RANGE_NAMES.map((name) => Number(rangeStart(name, 0)));
    expect(starts).toEqual(starts.toSorted((left, right) => right - left));
    expect(RANGE_NAMES).toHaveLength(4);
  });
});
