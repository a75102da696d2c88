import { describe, expect, it } from '@jest/globals';
import { bucketAt, oldestBucketAt, periodAt, type ZoneChange } from './calendar-periods.js';
import type { LimitPeriod } from './limit-definition.js';
import { zoneChanges } from './limit-zones.js';

const zone = (name: string): ZoneChange[] => [{ zone: name, fromMs: 0 }];
const ms = (text: string): number => Date.parse(text);

function shown(period: LimitPeriod, at: string, zones: readonly ZoneChange[]): (string | null)[] {
  const { startsAtMs, resetsAtMs } = periodAt(period, ms(at), zones);
  return [startsAtMs, resetsAtMs].map((moment) => (moment === null ? null : new Date(moment).toISOString()));
}

describe('periodAt', () => {
  it.each([
    ['minute', '2026-05-14T10:20:30Z', 'UTC', '2026-05-14T10:20:00.000Z', '2026-05-14T10:21:00.000Z'],
    ['hour', '2026-05-14T10:20:30Z', 'Asia/Kolkata', '2026-05-14T09:30:00.000Z', '2026-05-14T10:30:00.000Z'],
    ['day', '2026-05-14T22:30:00Z', 'Europe/Berlin', '2026-05-14T22:00:00.000Z', '2026-05-15T22:00:00.000Z'],
    ['week', '2026-05-17T23:00:00Z', 'UTC', '2026-05-11T00:00:00.000Z', '2026-05-18T00:00:00.000Z'],
    ['week', '2026-05-17T23:00:00Z', 'Asia/Tokyo', '2026-05-17T15:00:00.000Z', '2026-05-24T15:00:00.000Z'],
    ['month', '2026-01-31T23:59:59Z', 'UTC', '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
    ['month', '2026-01-31T15:00:00Z', 'Asia/Tokyo', '2026-01-31T15:00:00.000Z', '2026-02-28T15:00:00.000Z'],
    [
      'month',
      '2026-02-01T04:59:59Z',
      'America/New_York',
      '2026-01-01T05:00:00.000Z',
      '2026-02-01T05:00:00.000Z',
    ],
    ['month', '2026-03-10T09:00:00Z', 'UTC', '2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
    [
      'day',
      '2026-03-29T10:00:00Z',
      'Europe/Amsterdam',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ],
    ['quarter', '2026-12-31T23:59:59Z', 'UTC', '2026-10-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ] as const)('finds the %s of %s in %s', (period, at, name, start, end) => {
    expect(shown(period, at, zone(name))).toEqual([start, end]);
  });

  it('has one period without end for ever', () => {
    expect(periodAt('ever', ms('2026-05-14T10:20:30Z'), zone('UTC'))).toEqual({
      startsAtMs: 0,
      resetsAtMs: null,
    });
  });

  it('makes two windows of the hour that comes twice when clocks are put back', () => {
    const berlin = zone('Europe/Berlin');
    expect(shown('hour', '2026-10-25T00:30:00Z', berlin)).toEqual([
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T01:00:00.000Z',
    ]);
    expect(shown('hour', '2026-10-25T01:30:00Z', berlin)).toEqual([
      '2026-10-25T01:00:00.000Z',
      '2026-10-25T02:00:00.000Z',
    ]);
  });

  it('splits the hour where clocks change by half an hour', () => {
    const island = zone('Australia/Lord_Howe');
    expect(shown('hour', '2026-04-04T15:10:00Z', island)).toEqual([
      '2026-04-04T15:00:00.000Z',
      '2026-04-04T15:30:00.000Z',
    ]);
  });

  it.each([
    ['2026-03-29T12:00:00Z', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25T12:00:00Z', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ])('gives the day of a change of clocks its real length (%s)', (at, start, end) => {
    expect(shown('day', at, zone('Europe/Berlin'))).toEqual([start, end]);
  });

  it('puts each moment of a year into exactly one period of each kind and zone', () => {
    const [from, until] = [ms('2026-01-01T00:00:00Z'), ms('2027-01-01T00:00:00Z')];
    for (const name of ['Europe/Berlin', 'America/Havana', 'Australia/Lord_Howe', 'Africa/Cairo']) {
      for (const period of ['hour', 'day', 'week', 'month', 'quarter'] as const) {
        const faults: number[] = [];
        for (let now = periodAt(period, from, zone(name)); now.startsAtMs < until;) {
          const end = now.resetsAtMs ?? 0;
          const last = periodAt(period, end - 1, zone(name));
          const next = periodAt(period, end, zone(name));
          if (last.startsAtMs !== now.startsAtMs || last.resetsAtMs !== end || next.startsAtMs !== end)
            faults.push(end);
          now = next;
        }
        expect([name, period, faults]).toEqual([name, period, []]);
      }
    }
  });

  it('applies a changed zone from the end of the running period on', () => {
    const zones: ZoneChange[] = [
      { zone: 'UTC', fromMs: 0 },
      { zone: 'Asia/Tokyo', fromMs: ms('2026-05-14T10:00:00Z') },
    ];
    expect(shown('day', '2026-05-14T20:00:00Z', zones)).toEqual([
      '2026-05-14T00:00:00.000Z',
      '2026-05-15T00:00:00.000Z',
    ]);
    expect(shown('day', '2026-05-15T01:00:00Z', zones)).toEqual([
      '2026-05-15T00:00:00.000Z',
      '2026-05-15T15:00:00.000Z',
    ]);
    expect(shown('month', '2026-06-01T00:00:00Z', zones)).toEqual([
      '2026-06-01T00:00:00.000Z',
      '2026-06-30T15:00:00.000Z',
    ]);
  });

  it('keeps the first period through two changes of the zone in it', () => {
    const zones: ZoneChange[] = [
      { zone: 'UTC', fromMs: 0 },
      { zone: 'Asia/Tokyo', fromMs: ms('2026-05-14T10:00:00Z') },
      { zone: 'America/New_York', fromMs: ms('2026-05-14T18:00:00Z') },
    ];
    expect(shown('day', '2026-05-14T23:59:00Z', zones)[1]).toBe('2026-05-15T00:00:00.000Z');
    expect(shown('day', '2026-05-15T00:00:00Z', zones)).toEqual([
      '2026-05-15T00:00:00.000Z',
      '2026-05-15T04:00:00.000Z',
    ]);
  });
});

describe('buckets of rolling periods', () => {
  it('counts a bucket that the window cuts whole', () => {
    const now = ms('2026-05-14T10:20:30Z');
    expect(bucketAt('hour', now).startsAtMs).toBe(ms('2026-05-14T10:20:00Z'));
    expect(oldestBucketAt('hour', now)).toBe(ms('2026-05-14T09:20:00Z'));
    expect(oldestBucketAt('day', now)).toBe(ms('2026-05-13T10:00:00Z'));
  });
});

describe('zoneChanges', () => {
  it('lists the zones in the order they were set', () => {
    expect(zoneChanges([{ oldValue: null, newValue: 'Asia/Tokyo', changedAtMs: 5 }], 'Asia/Tokyo')).toEqual([
      { zone: 'UTC', fromMs: 0 },
      { zone: 'Asia/Tokyo', fromMs: 5 },
    ]);
  });

  it('takes a zone without a history as it is', () => {
    expect(zoneChanges([], 'Asia/Tokyo')).toEqual([{ zone: 'Asia/Tokyo', fromMs: 0 }]);
  });
});
