import { describe, expect, it } from '@jest/globals';
import { firstTokenTone, durationTone, formatMilliseconds, responseTimeTone } from './duration';
import { isJsonObjectOrEmpty } from './json';
import { joinList, sortGroups, splitList } from './lists';
import { abbreviate, axisText, dollarsToQuota, formatQuota, formatQuotaDelta } from './quota';
import { formatRelative, fromInputTime, startOfDay, toInputTime } from './timestamp';

const dollars = { quotaPerUnit: 500_000, inCurrency: true };
const plain = { quotaPerUnit: 500_000, inCurrency: false };

describe('quota', () => {
  it('shows dollars with two decimals: 1,250,000 / 500,000 = 2.50', () => {
    expect(formatQuota(1_250_000, dollars)).toBe('$2.50');
    expect(formatQuota(-1_250_000, dollars)).toBe('−$2.50');
    expect(formatQuota(0, dollars)).toBe('$0.00');
  });

  it('never lets a charge look free: 1 / 500,000 = 0.000002', () => {
    expect(formatQuota(1, dollars)).toBe('$0.0000020');
    expect(formatQuota(1_513, dollars)).toBe('$0.0030');
  });

  it('abbreviates from 10,000 when dollars are off', () => {
    expect([9_999, 10_000, 12_345, 1_000_000, 2_500_000_000].map(abbreviate)).toEqual([
      '9,999',
      '10k',
      '12.3k',
      '1M',
      '2.5B',
    ]);
    expect(formatQuota(12_345, plain)).toBe('12.3k');
  });

  it('gives all figures of an axis one precision, as fine as the finest needs', () => {
    const label = (ticks: readonly number[], settings?: typeof dollars) =>
      ticks.map(axisText(ticks, settings));
    expect(label([0, 2_000, 4_000, 6_000, 8_000], dollars)).toEqual([
      '$0.000',
      '$0.004',
      '$0.008',
      '$0.012',
      '$0.016',
    ]);
    expect(label([0, 1, 2], dollars)).toEqual(['$0.000000', '$0.000002', '$0.000004']);
    expect(label([0, 500_000, 1_000_000], dollars)).toEqual(['$0.00', '$1.00', '$2.00']);
    expect(label([0, 2_500, 10_000, 12_500], plain)).toEqual(['0', '2.5k', '10.0k', '12.5k']);
    expect(label([0, 250_000, 1_250_000])).toEqual(['0', '0.25M', '1.25M']);
    expect(label([0, 5, 10])).toEqual(['0', '5', '10']);
  });

  it('signs differences', () => {
    expect(formatQuotaDelta(500_000, dollars)).toBe('+$1.00');
    expect(formatQuotaDelta(-500_000, dollars)).toBe('−$1.00');
  });

  it('turns dollars into whole quota', () => {
    expect(dollarsToQuota(0.1, 500_000)).toBe(50_000);
    expect(dollarsToQuota(0.0000011, 500_000)).toBe(1);
  });
});

describe('times', () => {
  it('says how long ago in the largest whole unit', () => {
    expect(formatRelative(1_000, 1_000 + 59, 'en')).toBe('now');
    expect(formatRelative(1_000, 1_000 + 3 * 60, 'en')).toBe('3 min. ago');
    expect(formatRelative(1_000 + 86_400 * 2, 1_000, 'en')).toBe('in 2 days');
  });

  it('goes through a datetime input and back', () => {
    const seconds = startOfDay(1_795_262_400) + 3_660;
    expect(fromInputTime(toInputTime(seconds))).toBe(seconds);
    expect(fromInputTime('not a date')).toBeUndefined();
    expect(toInputTime(undefined)).toBe('');
  });

  it('colours response times at 1, 3 and 5 seconds', () => {
    expect([1_000, 1_001, 3_000, 3_001, 5_000, 5_001].map(responseTimeTone)).toEqual([
      'fast',
      'fair',
      'fair',
      'slow',
      'slow',
      'bad',
    ]);
    expect([100, 101, 299, 300].map(durationTone)).toEqual(['fast', 'slow', 'slow', 'bad']);
    expect([2_999, 3_000, 9_999, 10_000].map(firstTokenTone)).toEqual(['fast', 'slow', 'slow', 'bad']);
  });

  it('writes durations in the unit that fits', () => {
    expect([840, 2_400, 12_340, 72_000].map(formatMilliseconds)).toEqual([
      '840 ms',
      '2.40 s',
      '12.3 s',
      '1 min 12 s',
    ]);
  });
});

describe('lists and JSON', () => {
  it('reads comma lists without blanks and repeats', () => {
    expect(splitList(' a, b,,a ,')).toEqual(['a', 'b']);
    expect(joinList(['a', 'b,c', ''])).toBe('a,b,c');
    expect(splitList(null)).toEqual([]);
  });

  it('puts the default group first', () => {
    expect(sortGroups(['vip', 'default', 'alpha'])).toEqual(['default', 'alpha', 'vip']);
  });

  it('takes an empty text or an object where an object is asked for', () => {
    expect(['', ' ', '{}', '{"a":1}'].map(isJsonObjectOrEmpty)).toEqual([true, true, true, true]);
    expect(['[]', '1', '{', 'null'].map(isJsonObjectOrEmpty)).toEqual([false, false, false, false]);
  });
});
