import { describe, expect, it } from '@jest/globals';
import { nextDueMs, weekAt } from './week.js';

const seconds = (moment: string): number => Date.parse(moment) / 1_000;
const iso = (value: number): string => new Date(value * 1_000).toISOString();

describe('weekAt', () => {
  it('covers Monday to Sunday of the last whole week', () => {
    const week = weekAt('UTC', seconds('2026-11-25T12:00:00Z'));
    expect([week.previousFrom, week.from, week.to].map(iso)).toEqual([
      '2026-11-09T00:00:00.000Z',
      '2026-11-16T00:00:00.000Z',
      '2026-11-23T00:00:00.000Z',
    ]);
    expect(week.number * 86_400).toBe(week.from);
  });

  it('begins and ends with the days of the zone', () => {
    const week = weekAt('Asia/Shanghai', seconds('2026-11-22T16:00:00Z'));
    expect(iso(week.to)).toBe('2026-11-22T16:00:00.000Z');
    expect(week.number).toBe(weekAt('UTC', seconds('2026-11-23T00:00:00Z')).number);
    expect(weekAt('Asia/Shanghai', seconds('2026-11-22T15:59:59Z')).number).toBe(week.number - 7);
  });

  it('lasts an hour longer when clocks are put back', () => {
    const week = weekAt('Europe/Berlin', seconds('2026-10-26T12:00:00Z'));
    expect(week.to - week.from).toBe(7 * 86_400 + 3_600);
  });
});

describe('nextDueMs', () => {
  const due = (zone: string, now: string): string => new Date(nextDueMs(zone, seconds(now))).toISOString();

  it('returns the next Monday at eight', () => {
    expect(due('UTC', '2026-11-25T12:00:00Z')).toBe('2026-11-30T08:00:00.000Z');
    expect(due('UTC', '2026-11-30T07:59:59Z')).toBe('2026-11-30T08:00:00.000Z');
    expect(due('UTC', '2026-11-30T08:00:00Z')).toBe('2026-12-07T08:00:00.000Z');
    expect(due('Asia/Shanghai', '2026-11-25T12:00:00Z')).toBe('2026-11-30T00:00:00.000Z');
  });
});
