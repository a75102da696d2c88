import { describe, expect, it } from '@jest/globals';
import { isTimeZone, ZonedTime } from './time-zone.js';

const secondsOf = (text: string): number => Date.parse(text) / 1000;
const midnightOf = (day: string): number => secondsOf(`${day}T00:00:00Z`);

describe('time zones', () => {
  it('accepts only names of the time zone database', () => {
    for (const name of [
      'UTC',
      'Asia/Kolkata',
      'Asia/Kathmandu',
      'Etc/GMT+5',
      'America/Argentina/Buenos_Aires',
    ])
      expect([name, isTimeZone(name)]).toEqual([name, true]);
    for (const name of [
      '',
      ' ',
      '+05:30',
      '+0530',
      'Asia',
      'Asia/Nowhere',
      'Asia/Kolkata ',
      '../etc',
      'a'.repeat(65),
    ])
      expect([name, isTimeZone(name)]).toEqual([name, false]);
  });

  it.each([
    ['Asia/Kolkata', '2026-03-01T18:29:59Z', '2026-03-01T23:59:59+05:30'],
    ['Asia/Kathmandu', '2026-03-01T18:15:00Z', '2026-03-02T00:00:00+05:45'],
    ['America/St_Johns', '2026-07-01T02:30:00Z', '2026-07-01T00:00:00-02:30'],
    ['Australia/Lord_Howe', '2026-01-01T13:00:00Z', '2026-01-02T00:00:00+11:00'],
    ['Australia/Lord_Howe', '2026-07-01T13:30:00Z', '2026-07-02T00:00:00+10:30'],
    ['Etc/GMT+5', '2026-07-01T05:00:00Z', '2026-07-01T00:00:00-05:00'],
    ['UTC', '2026-07-01T05:00:00Z', '2026-07-01T05:00:00.000Z'],
  ])('%s writes %s as %s', (zone, moment, local) => {
    expect(ZonedTime.of(zone).format(secondsOf(moment))).toBe(local);
  });

  it('finds each clock change, to the quarter of an hour', () => {
    const year = [secondsOf('2026-01-01T00:00:00Z'), secondsOf('2026-12-31T00:00:00Z')] as const;
    expect(ZonedTime.of('Europe/Berlin').offsetsBetween(...year)).toEqual([
      { from: year[0], offset: 3_600 },
      { from: secondsOf('2026-03-29T01:00:00Z'), offset: 7_200 },
      { from: secondsOf('2026-10-25T01:00:00Z'), offset: 3_600 },
    ]);
    expect(
      ZonedTime.of('Australia/Lord_Howe')
        .offsetsBetween(...year)
        .map(({ offset }) => offset),
    ).toEqual([39_600, 37_800, 39_600]);
    expect(ZonedTime.of('Asia/Kolkata').offsetsBetween(...year)).toHaveLength(1);
  });

  it.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00Z'],
    ['Asia/Kathmandu', '2026-03-30', '2026-03-29T18:15:00Z'],
    // Clocks go forward over midnight: the day begins at one.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z'],
    // Clocks go back over midnight: the first one counts.
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00Z'],
    ['America/St_Johns', '2026-11-01', '2026-11-01T02:30:00Z'],
  ])('%s begins %s at %s', (zone, day, moment) => {
    expect(ZonedTime.of(zone).startOfDay(midnightOf(day))).toBe(secondsOf(moment));
  });
});
