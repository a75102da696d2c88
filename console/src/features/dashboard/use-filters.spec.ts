import { describe, expect, it } from '@jest/globals';
import { dayBefore, startOfDay } from '../../shared/format/timestamp';
import { NOON } from '../../testing/builders';
import { inUtcDays, USE_FILTERS, viewOf } from './use-filters';

const MIDNIGHT = startOfDay(NOON);
const YESTERDAY = { ...USE_FILTERS, span: 'yesterday' };

describe('viewOf', () => {
  it('shows yesterday from midnight to midnight, by the hour', () => {
    expect(viewOf(YESTERDAY, 'day', NOON)).toEqual({
      span: 'yesterday',
      grain: 'hour',
      measure: 'quota',
      start: dayBefore(MIDNIGHT),
      end: MIDNIGHT,
    });
  });

  it('shows yesterday in the step that was chosen', () => {
    expect(viewOf({ ...YESTERDAY, grain: 'day' }, 'hour', NOON).grain).toBe('day');
  });

  it('takes the whole days of UTC that a span touches, and no other', () => {
    const day = 20_000 * 86_400;
    const custom = { ...USE_FILTERS, start: String(day - 1), end: String(day + 1) };
    const within = { ...USE_FILTERS, start: String(day), end: String(day + 86_400) };
    const utcDays = [custom, within].map((filters) => inUtcDays(viewOf(filters, 'hour', NOON)));
    expect(utcDays.map(({ grain, start, end }) => [grain, start - day, end - day])).toEqual([
      ['utcDay', -86_400, 86_400],
      ['utcDay', 0, 86_400],
    ]);
  });

  it('ends a named span with the running hour', () => {
    const { start, end } = viewOf({ ...USE_FILTERS, span: 'day' }, 'hour', NOON);
    expect([end - start, end - NOON <= 3_600]).toEqual([86_400, true]);
  });
});
