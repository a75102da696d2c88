import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  dayAfter,
  dayBefore,
  formatRelative,
  readWrittenTime,
  writtenTime,
  formatSeconds,
  fromInputTime,
  isRange,
  RANGE_NAMES,
  rangeStart,
  startOfDay,
  toInputTime,
  weekdayOf,
} from './timestamp';
import { accountZone } from './zone';

const at = (iso: string): number => Date.parse(iso) / 1000;

beforeEach(() => accountZone.write('Europe/Berlin'));
afterEach(() => accountZone.clear());

describe('a moment as text', () => {
  it('stands in the time zone of the account, summer and winter', () => {
    expect(formatSeconds(at('2026-07-01T10:00:00Z'))).toBe('2026-07-01 12:00:00');
    expect(formatSeconds(at('2026-12-01T10:00:00Z'))).toBe('2026-12-01 11:00:00');
    expect(formatSeconds(-1)).toBe('1970-01-01 00:59:59');
  });

  it.each([Number.NaN, Infinity, -Infinity, 8_000_000_000_000])(
    'stays empty for %p, which is no date',
    (seconds) => {
      expect(formatSeconds(seconds)).toBe('');
      expect(toInputTime(seconds)).toBe('');
    },
  );

  it('survives a datetime input and back, a change of the clock included', () => {
    for (const iso of ['2026-03-29T00:59:00Z', '2026-03-29T01:00:00Z', '2026-10-25T02:00:00Z'])
      expect([iso, fromInputTime(toInputTime(at(iso)))]).toEqual([iso, at(iso)]);
    expect(toInputTime(undefined)).toBe('');
  });

  it.each(['', 'not a date', '2026-13-01T00:00'])('comes of no %j', (value) => {
    expect(fromInputTime(value)).toBeUndefined();
  });
});

describe('a moment in a field', () => {
  it('writes it like every moment, without seconds', () => {
    expect(writtenTime(at('2026-07-01T10:05:59Z'))).toBe('2026-07-01 12:05');
    expect([writtenTime(undefined), writtenTime(Number.NaN)]).toEqual(['', '']);
  });

  it.each(['2026-07-01 12:05', ' 2026/7/1  12:05 ', '2026.07.01 12：05', '2026-07-01T12:05'])(
    'reads it from %j',
    (text) => {
      expect(readWrittenTime(text)).toBe(at('2026-07-01T10:05:00Z'));
    },
  );

  it.each([
    '',
    '2026-07-01',
    '2026-07-01 12',
    '2026-02-31 12:05',
    '2026-13-01 12:05',
    '2026-07-01 25:05',
    'x',
  ])('reads none from %j', (text) => {
    expect(readWrittenTime(text)).toBeUndefined();
  });
});

describe('formatRelative', () => {
  it.each([
    [-59, undefined],
    [59, undefined],
    [-180, '3 min. ago'],
    [-3_599, '59 min. ago'],
    [-3_600, '1 hr. ago'],
    [-86_399, '23 hr. ago'],
    [172_800, 'in 2 days'],
    [2_591_995, 'in 30 days'],
    [-31_536_000, 'last yr.'],
  ])('shows %d seconds as %s', (difference, text) => {
    expect(formatRelative(1_000 + difference, 1_000, 'en')).toBe(text);
  });

  it.each([
    [-120, '2 分钟前'],
    [172_800, '后天'],
    [1_036_800, '12 天后'],
  ])('writes %i s in Chinese with a space after the figure', (difference, text) => {
    expect(formatRelative(1_000_000 + difference, 1_000_000, 'zh')).toBe(text);
  });
});

describe('a day', () => {
  it('begins at midnight of the shown zone, however long it is', () => {
    // 29 March 2026 has 23 hours, 25 October 25.
    const spring = startOfDay(at('2026-03-29T12:00:00Z'));
    expect([dayBefore(spring), spring, dayAfter(spring)]).toEqual([
      at('2026-03-27T23:00:00Z'),
      at('2026-03-28T23:00:00Z'),
      at('2026-03-29T22:00:00Z'),
    ]);
    const autumn = startOfDay(at('2026-10-25T12:00:00Z'));
    expect(dayAfter(autumn) - autumn).toBe(25 * 3_600);
    expect(dayBefore(dayAfter(autumn))).toBe(autumn);
  });

  it('has the weekday of the shown zone', () => {
    // Saturday 23:30 in London is Sunday in Berlin.
    expect(weekdayOf(at('2026-11-28T23:30:00Z'))).toBe(0);
  });

  it('begins at midnight before 1970 as well', () => {
    expect(startOfDay(at('1969-12-31T12:00:00Z'))).toBe(at('1969-12-30T23:00:00Z'));
  });
});

describe('named ranges', () => {
  it('begins on a whole minute, the same all minute long', () => {
    expect([rangeStart('hour', 7_260), rangeStart('hour', 7_319.9), rangeStart('hour', 7_320)]).toEqual([
      '3660',
      '3660',
      '3720',
    ]);
    expect(rangeStart('month', 2_592_000)).toBe('0');
  });

  it.each(['', 'custom', 'constructor', 'Hour'])('has no range called %j', (name) => {
    expect([isRange(name), rangeStart(name, 7_260)]).toEqual([false, '']);
  });

  it('lists ranges from the shortest to the longest', () => {
    const starts = RANGE_NAMES.map((name) => Number(rangeStart(name, 0)));
    expect(starts).toEqual(starts.toSorted((left, right) => right - left));
    expect(RANGE_NAMES).toHaveLength(4);
  });
});
